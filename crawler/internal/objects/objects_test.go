package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// secret is in no error.
const secret = "TESTSECRETTESTSECRETTESTSECRET"

// startGateway starts versitygw, an S3 server over a folder, and returns that folder, which has the
// bucket "pages".
func startGateway(t *testing.T) (dir string) {
	t.Helper()
	program, err := exec.LookPath("versitygw")
	if err != nil {
		t.Skip("versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@latest")
	}
	dir = t.TempDir()
	fatal.If(t, os.Mkdir(filepath.Join(dir, "pages"), 0o777))
	address := ports.Address(t)
	cmd := exec.Command(program, "--port", address, "--quiet", "posix", "--sidecar", t.TempDir(), dir)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID=tester", "ROOT_SECRET_ACCESS_KEY="+secret)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	fatal.If(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("versitygw: %s", &out)
		}
	})
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": "http://" + address, "AWS_ACCESS_KEY_ID": "tester",
		"AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": "", "AWS_REGION": "us-east-1"} {
		t.Setenv(name, value)
	}
	end := time.Now().Add(time.Minute)
	for {
		s, err := Open(t.Context(), Options{URL: "s3://pages"})
		if err == nil {
			s.Close()
			return dir
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// read reads an object whole.
func read(s *Store, name string) ([]byte, error) {
	r, err := s.Get(context.Background(), name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// names returns the names below a prefix.
func names(t *testing.T, s *Store, prefix string) (all []string) {
	t.Helper()
	fatal.If(t, s.List(t.Context(), prefix, func(i Info) error {
		all = append(all, fmt.Sprint(i.Name, " ", i.Size))
		return nil
	}))
	slices.Sort(all)
	return all
}

func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, word := range words {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("the error is %v, want %q", err, word)
		}
	}
	if err != nil && strings.Contains(err.Error(), secret) {
		t.Errorf("the error has the secret: %v", err)
	}
}

// onlyReader hides that a reader can seek.
type onlyReader struct{ io.Reader }

// testStore tests what all kinds of stores do.
func testStore(t *testing.T, open func() (*Store, error)) {
	ctx := t.Context()
	s, err := open()
	fatal.If(t, err)
	defer s.Close()
	big := bytes.Repeat([]byte("0123456789abcdef"), 200_000) // many chunks of JetStream
	info, err := s.Put(ctx, "crawl/archive/a-1.warc.gz", bytes.NewReader(big))
	fatal.If(t, err)
	if info.Size != int64(len(big)) || len(info.Sum) != 64 {
		t.Errorf("put %+v", info)
	}
	if _, err := s.Put(ctx, "crawl/results/0.jsonl", onlyReader{strings.NewReader("a stream")}); err != nil {
		t.Error(err)
	}
	if _, err := s.Put(ctx, "crawl/empty", strings.NewReader("")); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{"crawl/archive/a-1.warc.gz": string(big),
		"crawl/results/0.jsonl": "a stream", "crawl/empty": ""} {
		if got, err := read(s, name); err != nil || string(got) != want {
			t.Errorf("%s has %d bytes, want %d; %v", name, len(got), len(want), err)
		}
	}
	if again, err := s.Put(ctx, "crawl/archive/a-1.warc.gz", bytes.NewReader(big)); err != nil || again != info {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	if _, err := s.Put(ctx, "crawl/archive/a-1.warc.gz", strings.NewReader("other")); !errors.Is(err, ErrExists) {
		t.Errorf("other content: %v", err)
	}
	// A stream that breaks leaves nothing.
	broken := io.MultiReader(strings.NewReader("half"), &failing{})
	if _, err := s.Put(ctx, "crawl/broken", broken); !errors.Is(err, errBroken) {
		t.Errorf("a broken stream: %v", err)
	}
	if _, err := read(s, "crawl/broken"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a broken stream: %v", err)
	}
	if got := names(t, s, "crawl/archive/"); !slices.Equal(got, []string{"crawl/archive/a-1.warc.gz 3200000"}) {
		t.Errorf("the archive has %q", got)
	}
	if got := names(t, s, ""); len(got) != 3 {
		t.Errorf("the store has %q", got)
	}
	if got := names(t, s, "none/"); len(got) != 0 {
		t.Errorf("none has %q", got)
	}
	for range 2 {
		fatal.If(t, s.Delete(ctx, "crawl/empty"))
	}
	if _, err := read(s, "crawl/empty"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a deleted object: %v", err)
	}
	for _, bad := range []string{"", ".", "..", "../x", "a/../b", "/etc/passwd", "a//b", "a/", ".hidden", "a/.b", `a\b`,
		"a:b", "a\x00", "x.sha256", strings.Repeat("x", maxName+1), "a?b", "ä"} {
		if _, err := s.Put(ctx, bad, strings.NewReader("x")); err == nil {
			t.Errorf("put %q", bad)
		}
		if _, err := s.Get(ctx, bad); err == nil {
			t.Errorf("got %q", bad)
		}
		if err := s.Delete(ctx, bad); err == nil {
			t.Errorf("deleted %q", bad)
		}
	}
	wantError(t, s.List(ctx, "../", func(Info) error { return nil }), "a prefix is")
}

var errBroken = errors.New("broken")

type failing struct{}

func (*failing) Read([]byte) (int, error) { return 0, errBroken }

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func() (*Store, error) { return Open(t.Context(), Options{URL: "file://" + filepath.ToSlash(dir)}) }
	testStore(t, open)

	// What a killed process leaves is not an object, and is removed when it is old.
	s, err := open()
	fatal.If(t, err)
	defer s.Close()
	left := filepath.Join(dir, partialPrefix+"X")
	fatal.If(t, os.WriteFile(left, []byte("half"), 0o666))
	if got := names(t, s, ""); len(got) != 2 {
		t.Errorf("with a partial file: %q", got)
	}
	old := time.Now().Add(-2 * staleAfter)
	fatal.If(t, os.Chtimes(left, old, old))
	again, err := open()
	fatal.If(t, err)
	again.Close()
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old partial file: %v", err)
	}

	// Damage is noticed: another byte, a cut, an end that is too long, no sum.
	name := filepath.Join(dir, "crawl", "results", "0.jsonl")
	for _, text := range []string{"a strEam", "a str", "a stream and more", ""} {
		fatal.If(t, os.WriteFile(name, []byte(text), 0o666))
		_, err := read(s, "crawl/results/0.jsonl")
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: %v", text, err)
		}
	}
	fatal.If(t, os.Remove(name+sumSuffix))
	if _, err := read(s, "crawl/results/0.jsonl"); !errors.Is(err, ErrDamaged) {
		t.Errorf("without a sum: %v", err)
	}
	// A symbolic link does not lead out.
	out := t.TempDir()
	if os.Symlink(out, filepath.Join(dir, "link")) == nil {
		if _, err := s.Put(t.Context(), "link/x", strings.NewReader("x")); err == nil {
			t.Error("a link leads out of the folder")
		}
	}
	_, err = Open(t.Context(), Options{URL: "file://" + filepath.ToSlash(dir) + "/missing"})
	wantError(t, err, "no such folder: create it, or mount it")
}

func TestJetStream(t *testing.T) {
	t.Parallel()
	address := natstest.Start(t)
	testStore(t, func() (*Store, error) {
		return Open(t.Context(), Options{URL: "nats:pages", NATS: address})
	})
	_, err := Open(t.Context(), Options{URL: "nats:pages"})
	wantError(t, err, "--nats")
	_, err = Open(t.Context(), Options{URL: "nats:pages", NATS: address, Replicas: 3})
	if err != nil { // the bucket exists
		t.Error(err)
	}
	limited := natstest.Limited(t, "$JS.API.>", "$JS.FC.>", "$O.pages.>")
	testStore(t, func() (*Store, error) {
		return Open(t.Context(), Options{URL: "nats:pages", NATS: limited})
	})
	denied, err := Open(t.Context(), Options{URL: "nats:pages", NATS: natstest.Limited(t, "$JS.API.>")})
	fatal.If(t, err)
	defer denied.Close()
	_, err = denied.Put(t.Context(), "x", strings.NewReader("x"))
	wantError(t, err, "doc/nats.md")
	full := natstest.Start(t, func(o *server.Options) { o.JetStreamMaxStore = 1 << 20 })
	s, err := Open(t.Context(), Options{URL: "nats:pages", NATS: full})
	fatal.If(t, err)
	defer s.Close()
	_, err = s.Put(t.Context(), "big", bytes.NewReader(make([]byte, 4<<20)))
	wantError(t, err, "the bucket pages is full", "--max-bytes")
	if got := names(t, s, ""); len(got) != 0 {
		t.Errorf("a full bucket has %q", got)
	}
}

func TestS3(t *testing.T) {
	dir := startGateway(t)
	testStore(t, func() (*Store, error) { return Open(t.Context(), Options{URL: "s3://pages/below/here"}) })
	if _, err := os.Stat(filepath.Join(dir, "pages", "below", "here", "crawl", "archive", "a-1.warc.gz")); err != nil {
		t.Error(err)
	}
	s, err := Open(t.Context(), Options{URL: "s3://pages/below/here"})
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "pages", "below", "here", "crawl", "results", "0.jsonl"),
		[]byte("a strEam"), 0o666))
	if _, err := read(s, "crawl/results/0.jsonl"); !errors.Is(err, ErrDamaged) {
		t.Errorf("an altered object: %v", err)
	}
	_, err = Open(t.Context(), Options{URL: "s3://none"})
	wantError(t, err, "there is no bucket none: create it")
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret+"X")
	_, err = Open(t.Context(), Options{URL: "s3://pages"})
	wantError(t, err, "wrong")
	t.Setenv("AWS_ACCESS_KEY_ID", "somebody")
	_, err = Open(t.Context(), Options{URL: "s3://pages"})
	wantError(t, err, "wrong")
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
	_, err = Open(t.Context(), Options{URL: "s3://pages"})
	wantError(t, err, "no credentials", "AWS_ACCESS_KEY_ID")
	file := filepath.Join(t.TempDir(), "credentials")
	text := "[here]\naws_access_key_id = tester\naws_secret_access_key = " + secret + "\n"
	fatal.If(t, os.WriteFile(file, []byte(text), 0o600))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
	t.Setenv("AWS_PROFILE", "here")
	_, err = Open(t.Context(), Options{URL: "s3://pages"})
	fatal.If(t, err)
	t.Setenv("AWS_ENDPOINT_URL", "http://"+ports.Address(t))
	_, err = Open(t.Context(), Options{URL: "s3://pages"})
	wantError(t, err, "refused")
	t.Setenv("AWS_ENDPOINT_URL", "http://tester:"+secret+"@localhost")
	_, err = Open(t.Context(), Options{URL: "s3://pages"})
	wantError(t, err, "AWS_ENDPOINT_URL is not")
}

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"nats:pages", "s3://bucket", "s3://my.bucket/a/b/", "file:///tmp/x y"} {
		if err := Check(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "pages", "nats:", "nats:a/b", "nats:a.b", "nats://host/b", "s3:bucket", "s3://",
		"s3:///x",
		"s3://b/../c", "s3://b//c", "file:x", "file://host/x", "http://host/", "s3://b?x=" + secret, "s3://b#" + secret,
		"s3://me:" + secret + "@b", "s3://me:" + secret + "@b/%zz", "s3://b/.x"} {
		err := Check(bad)
		wantError(t, err, "")
		if err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
