package crawl_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/crawl/pace"
	"github.com/robotsexclusion/robots/crawl/store"
	"github.com/robotsexclusion/robots/crawl/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/corpus"
	"github.com/robotsexclusion/robots/internal/wild"
)

// childKey is the variable of the environment that makes the test a crawler.
const childKey = "ROBOTS_CRAWL_CHILD"

// A child is what a crawler in a process of its own is told.
type child struct {
	Dir        string
	NameServer string
	Roots      []byte
	Allowed    []netip.Prefix
	Seeds      []string
	Pages      int64
}

func TestMain(m *testing.M) {
	text := os.Getenv(childKey)
	if text == "" {
		os.Exit(m.Run())
	}
	var told child
	if err := json.Unmarshal([]byte(text), &told); err != nil {
		panic(err)
	}
	summary, err := told.crawler().Run(context.Background(), told.Seeds...)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(2)
	}
	if summary.Finished {
		fmt.Println("finished")
	}
	os.Exit(0)
}

// crawler returns the crawler that a child is.
func (ch *child) crawler() *crawl.Crawler {
	c := &crawl.Crawler{
		Dir: ch.Dir, UserAgent: "TestBot/1.0 (+https://example.com/bot)", Guard: fetch.Guard{Allow: ch.Allowed},
		Workers: 16, PerAddress: 4, Patience: -1, Archive: &warc.Options{}, Scope: crawl.Scope{Reach: crawl.Web}, Manners: wildManners,
	}
	c.Budget.Pages = ch.Pages
	if corpus.All() {
		c.Limits.HeaderTimeout, c.Limits.Timeout, c.Limits.RateWindow = 5*time.Second, 12*time.Second, 3*time.Second
	}
	if len(ch.Roots) > 0 {
		c.TLS = &tls.Config{RootCAs: x509.NewCertPool()}
		c.TLS.RootCAs.AppendCertsFromPEM(ch.Roots)
	}
	resolver := wild.ResolverAt(ch.NameServer)
	c.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
		return resolver.LookupNetIP(ctx, "ip", name)
	}
	return c
}

const wildDelay = 5 * time.Millisecond

var wildManners = pace.Manners{MinDelay: wildDelay, Slowness: -1, FirstPause: 50 * time.Millisecond, LastPause: time.Second, Forgive: time.Second}

// start starts a crawler as a process of its own.
func (ch *child) start(t *testing.T) (*exec.Cmd, io.Reader) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(ch)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), childKey+"="+string(text))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// TestKilled crawls the wild web with a process that is killed at random moments, and
// started again. The servers see no more than one that was not killed: what was told
// as done is not asked for again, nothing that was found is lost, and no pause is cut
// short.
func TestKilled(t *testing.T) {
	t.Parallel()
	hosts, most := 12, 4
	switch {
	case testing.Short():
		t.Skip("it takes some time")
	case corpus.All():
		hosts, most = 40, 20
	}
	web, err := wild.Start(t.Context(), wild.Options{Hosts: hosts, Scale: 0.01, Token: "TestBot", Kinds: quickKinds(), Texts: quickTexts()})
	if err != nil {
		t.Skip(err)
	}
	defer web.Close()
	began := time.Now()
	ch := &child{Dir: filepath.Join(t.TempDir(), "crawl"), NameServer: web.NameServer(), Allowed: web.Allowed(), Seeds: web.Seeds()}
	told := make(map[string]time.Time) // when what was told as done was requested
	var kills []time.Time
	for len(kills) < most {
		cmd, out := ch.start(t)
		timer := time.AfterFunc(time.Duration(200+rand.IntN(1500))*time.Millisecond, func() { cmd.Process.Kill() })
		text, _ := io.ReadAll(out)
		err := cmd.Wait()
		timer.Stop()
		if strings.Contains(string(text), "error") {
			t.Fatalf("after %d kills: %s", len(kills), text)
		}
		if err == nil {
			break // it has finished
		}
		kills = append(kills, time.Now())
		readTold(t, ch.Dir, told)
		ch.Seeds = nil
	}
	t.Logf("%d kills, %d told", len(kills), len(told))
	cmd, out := ch.start(t)
	text, _ := io.ReadAll(out)
	if err := cmd.Wait(); err != nil || !strings.Contains(string(text), "finished") {
		t.Fatalf("at last: %v, %s", err, text)
	}
	// What was told is not asked for again.
	asked := make(map[string][]time.Time)
	for r := range web.Requests() {
		asked[r.URL] = append(asked[r.URL], began.Add(r.Start))
	}
	for url, at := range told {
		if later := slices.IndexFunc(asked[url], func(t time.Time) bool { return t.After(at.Add(100 * time.Millisecond)) }); later >= 0 {
			t.Errorf("%s was told as done at %v, and asked for at %v", url, at, asked[url])
		}
	}
	// What is known of traps is in memory, and begins anew with each run; and a page
	// that takes long is under way at many kills.
	options := wild.CheckOptions{
		MinDelay: wildDelay, MaxOpen: 4, Whole: true, Sitemaps: true, Slack: 10 * time.Second, Kills: kills, Grace: 10 * time.Second,
		MaxTrapped: 200 * (1 + len(kills)), MaxTries: 10 + len(kills),
	}
	for i, v := range web.Check(options) {
		if i == 20 {
			break
		}
		t.Error(v)
	}
	checkFolder(t, ch.Dir)
}

// readTold adds the URLs of the results that were fetched to those that were told.
func readTold(t *testing.T, dir string, told map[string]time.Time) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		return // it was killed before
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // the last line may be torn
		}
		var r crawl.Result
		var plain struct {
			URL       string    `json:"url"`
			FetchedAt time.Time `json:"fetched_at"`
		}
		if err := json.Unmarshal(line, &plain); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		r.URL, r.FetchedAt = plain.URL, plain.FetchedAt
		if !r.FetchedAt.IsZero() {
			told[r.URL] = r.FetchedAt
		}
	}
}

// checkFolder reads all that a crawl has left.
func checkFolder(t *testing.T, dir string) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: filepath.Join(dir, "store")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	archives, err := filepath.Glob(filepath.Join(dir, "archive", "*.warc.gz*"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	responses := 0
	for _, name := range archives {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r := warc.NewReader(f)
		for {
			record, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			if record.Type() == warc.TypeResponse {
				responses++
			}
		}
		f.Close()
	}
	if n := s.Counts().Done; int64(responses) < n/2 {
		t.Errorf("%d responses are archived, of %d pages", responses, n)
	}
}
