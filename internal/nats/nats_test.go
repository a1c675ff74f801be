package nats

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSessions has a session on a server that is stopped and started again. The operator reads each
// change once.
func TestSessions(t *testing.T) {
	t.Parallel()
	node := natstest.Cluster(t, 1)[0]
	conn, err := Connect(node.Direct(), "robots test", client.ReconnectWait(10*time.Millisecond))
	fatal.If(t, err)
	defer conn.Close()
	ctx, cancel := context.WithCancel(t.Context())
	notices := make(chan string, 100)
	c := &Sessions{
		Conn: conn, Retry: 10 * time.Millisecond, Notice: func(err error) { notices <- err.Error() }, First: "first",
		Again: "again", Apart: "apart",
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		c.Run(ctx, func(ctx context.Context, s *Session, joined func()) error {
			joined()
			select {
			case <-ctx.Done():
				return nil
			case <-s.Context().Done():
				return context.Cause(s.Context())
			}
		})
	}()
	want := func(text string) {
		t.Helper()
		wanted(t, notices, text)
	}
	want("first")
	node.Stop()
	want("apart: the connection to the NATS server is lost")
	node.Start(t)
	want("again")
	cancel()
	<-done
	if len(notices) > 0 {
		t.Errorf("and %q", <-notices)
	}
}

// wanted waits for a notice.
func wanted(t *testing.T, notices <-chan string, text string) {
	t.Helper()
	select {
	case got := <-notices:
		if !strings.HasPrefix(got, text) {
			t.Errorf("got %q, want %q", got, text)
		}
	case <-time.After(time.Minute):
		t.Fatalf("not in a minute: %q", text)
	}
}

// TestRenewed has a session that the server refuses. Then its credentials are replaced in their file:
// first by those of a user without permissions, then by right ones. The operator reads why.
func TestRenewed(t *testing.T) {
	t.Parallel()
	operator, stranger := natstest.NewOperator(t), natstest.NewOperator(t)
	operator.Account(t, "robots", natstest.Unlimited)
	stranger.Account(t, "robots", natstest.Unlimited)
	certificates := natstest.NewCertificates(t, time.Now().Add(time.Hour))
	node := natstest.Cluster(t, 1, operator.Configure, certificates.Configure(true))[0]
	creds := stranger.Credentials(t, "robots", "stranger", nil, nil, time.Time{})
	replace := func(by string) {
		t.Helper()
		text, err := os.ReadFile(by)
		fatal.If(t, err)
		fatal.If(t, os.WriteFile(creds, text, 0o600))
	}
	conn, err := Connect(fmt.Sprintf("%s?creds=%s&ca=%s&cert=%s&key=%s", node.Direct(), creds, certificates.CA,
		certificates.Cert, certificates.Key), "robots test", client.ReconnectWait(10*time.Millisecond))
	fatal.If(t, err)
	defer conn.Close()
	ctx, cancel := context.WithCancel(t.Context())
	notices := make(chan string, 100)
	c := &Sessions{
		Conn: conn, Retry: 10 * time.Millisecond, Notice: func(err error) { notices <- err.Error() }, First: "first",
		Again: "again", Apart: "apart",
	}
	done := make(chan bool)
	refused := make(chan string)
	go func() {
		defer close(done)
		c.Run(ctx, func(ctx context.Context, s *Session, joined func()) error {
			b, err := s.Open(jetstream.StreamConfig{Name: "a", AllowDirect: true}, time.Minute)
			if err != nil {
				select {
				case refused <- s.conn.Why(err).Error():
				case <-ctx.Done():
				}
				return err
			}
			values, err := b.Watch("*")
			fatal.If(t, errors.Join(err, b.Set(ctx, "k", nil)))
			if v := <-values; v.Key == "" {
				<-values
			}
			_, err = b.Get(ctx, "k")
			fatal.If(t, err)
			b.Delete("k", 0)
			joined()
			<-ctx.Done()
			return nil
		})
	}()
	wanted(t, notices, "apart: nats: Authorization Violation: the server does not know this user")
	replace(operator.Credentials(t, "robots", "mute", []string{"x"}, nil, time.Time{}))
	wanted(t, refused, `nats: permissions violation: Permissions Violation for Publish to "$JS.API.STREAM.INFO.KV_a": `+
		"change the permissions of this user")
	// The permissions that doc/nats.md lists.
	replace(operator.Credentials(t, "robots", "robot", []string{"$JS.API.>", "$JS.FC.>", "$KV.a.>"},
		[]string{"_INBOX.>"}, time.Time{}))
	node.Stop() // or the user without permissions stays
	node.Start(t)
	for joined := false; !joined; {
		select {
		case got := <-notices:
			joined = got == "again"
		case <-refused:
		case <-time.After(time.Minute):
			t.Fatal("no session in a minute")
		}
	}
	cancel()
	<-done
	if err := conn.Denied(); err != nil {
		t.Errorf("these permissions are not enough: %v", err)
	}
}

// session returns a session that ends with the test.
func session(t *testing.T) *Session {
	conn, err := Connect(natstest.Start(t), "robots test")
	fatal.If(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn.Conn)
	fatal.If(t, err)
	s := &Session{conn: conn, js: js}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	t.Cleanup(func() { s.Fail(nil) })
	return s
}

// TestBucket reads and writes a bucket.
func TestBucket(t *testing.T) {
	t.Parallel()
	s, ctx := session(t), t.Context()
	b, err := s.Open(jetstream.StreamConfig{Name: "a", MaxMsgSize: 4096, MaxAge: time.Hour, AllowDirect: true,
		Discard: jetstream.DiscardNew, Replicas: 3}, time.Minute)
	fatal.If(t, err)
	if b.TTL() != time.Hour || b.MaxValue() != 3072 {
		t.Errorf("got %v and %d bytes", b.TTL(), b.MaxValue())
	}
	if _, err := b.Get(ctx, "k"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a value that does not exist: %v", err)
	}
	first, err := b.Put(ctx, "k", []byte("1"), 0)
	fatal.If(t, err)
	if _, err := b.Put(ctx, "k", []byte("2"), 0); !errors.Is(err, ErrRevision) {
		t.Errorf("a second first value: %v", err)
	}
	second, err := b.Put(ctx, "k", []byte("2"), first)
	fatal.If(t, err)
	if _, err := b.Put(ctx, "k", []byte("3"), first); !errors.Is(err, ErrRevision) {
		t.Errorf("in place of an old value: %v", err)
	}
	if v, err := b.Get(ctx, "k"); err != nil || string(v.Data) != "2" || v.Revision != second || v.Key != "k" ||
		v.Deleted {
		t.Errorf("got %+v, %v", v, err)
	}
	b.Delete("k", first)
	if _, err := b.Get(ctx, "k"); err != nil {
		t.Errorf("another revision was deleted: %v", err)
	}
	b.Delete("k", second)
	if _, err := b.Get(ctx, "k"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a deleted value: %v", err)
	}
	if _, err := b.Put(ctx, "k", []byte("4"), 0); err != nil {
		t.Errorf("in place of a deleted value: %v", err)
	}
	fatal.If(t, b.Set(ctx, "other", nil))
	var keys []string
	if err := b.Each(ctx, "*", func(v Value) error { keys = append(keys, v.Key); return nil }); err != nil ||
		len(keys) != 2 {
		t.Errorf("got %q, %v", keys, err)
	}
	wrong := errors.New("enough")
	if err := b.Each(ctx, "*", func(Value) error { return wrong }); err != wrong {
		t.Errorf("got %v", err)
	}
	values, err := b.Watch("k")
	fatal.If(t, err)
	if v, mark := <-values, <-values; string(v.Data) != "4" || mark.Key != "" {
		t.Errorf("got %+v and %+v", v, mark)
	}
	b.Delete("k", 0)
	if v := <-values; v.Key != "k" || !v.Deleted {
		t.Errorf("got %+v", v)
	}
	before, err := b.Get(ctx, "other")
	fatal.If(t, err)
	last, err := b.Put(ctx, "other", []byte("5"), before.Revision)
	fatal.If(t, err)
	fatal.If(t, b.Purge(ctx, "other", before.Revision))
	if v, err := b.Get(ctx, "other"); err != nil || v.Revision != last {
		t.Errorf("a later value was removed: %+v, %v", v, err)
	}
	fatal.If(t, b.Purge(ctx, "other", last))
	if _, err := b.Get(ctx, "other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a value that was removed: %v", err)
	}
	if _, err := b.Put(ctx, "other", nil, 0); err != nil {
		t.Errorf("in place of a value that was removed: %v", err)
	}
	s.Fail(wrong)
	if _, err := b.Get(ctx, "k"); err == nil {
		t.Error("a value after the end of the session")
	}
}

// TestConfig checks that a bucket is stored as nats.go would make it: programs of several versions
// share buckets.
func TestConfig(t *testing.T) {
	t.Parallel()
	s := session(t)
	if _, err := s.Open(jetstream.StreamConfig{
		Name: "ours", Description: "x", MaxAge: time.Hour, MaxMsgSize: 1024, MaxBytes: 1 << 20, Replicas: 1,
		AllowDirect: true, Discard: jetstream.DiscardNew,
	}, time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := s.js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{
		Bucket: "theirs", Description: "x", TTL: time.Hour, MaxValueSize: 1024, MaxBytes: 1 << 20,
	}); err != nil {
		t.Fatal(err)
	}
	configs := make(map[string]string)
	for _, name := range []string{"ours", "theirs"} {
		stream, err := s.js.Stream(t.Context(), "KV_"+name)
		fatal.If(t, err)
		configs[name] = strings.ReplaceAll(fmt.Sprintf("%+v", stream.CachedInfo().Config), name, "NAME")
	}
	if configs["ours"] != configs["theirs"] {
		t.Errorf("got %s\nwant %s", configs["ours"], configs["theirs"])
	}
}
