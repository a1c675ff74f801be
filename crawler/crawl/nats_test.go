package crawl_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestNATS keeps the journal of a crawl on a shared server. A crawl is stopped and continued. Then
// a crawl in another folder takes over from the first one while that still runs: the first one
// must notice, and the second one must have all of its work.
func TestNATS(t *testing.T) {
	t.Parallel()
	const pages = 120
	var mu sync.Mutex
	asked := make(map[string]int)
	half := make(chan struct{})
	taken := make(chan struct{}) // closed by the first request of the crawl that takes over
	var takesOver atomic.Bool
	take := sync.OnceFunc(func() { close(taken) })
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if takesOver.Load() && r.URL.Path == "/robots.txt" {
			take() // only the second crawl has not read it yet
		}
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/page/%d", &n); err != nil || n > pages {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		asked[r.URL.Path]++
		isHalf := len(asked) == pages/2 && asked[r.URL.Path] == 1
		mu.Unlock()
		if isHalf {
			close(half)
			<-taken // or on a slow machine the first crawl may end before
		}
		fmt.Fprintf(w, "<title>%d</title> <a href=/page/%d>a</a> <a href=/page/%d>b</a>", n, 2*n, 2*n+1)
	}))
	defer site.Close()
	defer take()
	server := natstest.Cluster(t, 1)[0]
	url := server.Direct()
	run := func(dir string, budget int64, takeOver bool) (*crawl.Summary, error) {
		c := &crawl.Config{
			Dir: dir, NATS: url, Name: "shared", TakeOver: takeOver,
			UserAgent:  "TestBot/1.0 (+https://example.com/bot)",
			DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
			Pauses:     crawl.Pauses{MinDelay: 20 * time.Millisecond, Slowness: -1, AddressGap: -1, AddressBudget: -1},
			Budget:     crawl.Budget{Pages: budget},
		}
		var seeds []string
		if !takeOver {
			seeds = append(seeds, site.URL+"/page/1")
		}
		return crawl.New(*c).Run(context.WithoutCancel(t.Context()), seeds...)
	}
	first := t.TempDir()
	if summary, err := run(first, pages/4, false); err != nil || summary.Counts.Queued == 0 {
		t.Fatalf("%+v, %v", summary, err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := run(first, 0, false)
		ended <- err
	}()
	select {
	case <-half:
	case err := <-ended:
		t.Fatalf("the first crawl ended early: %v", err)
	}
	takesOver.Store(true)
	second := t.TempDir()
	summary, err := run(second, 0, true)
	if fenced := <-ended; !errors.Is(fenced, journal.ErrFenced) {
		t.Errorf("the crawl whose partitions were taken over ends with %v, want %v", fenced, journal.ErrFenced)
	}
	if err != nil || !summary.Finished || summary.Counts.Queued != 0 || summary.Counts.Seen != 2*pages+1 {
		t.Errorf("%+v, %v", summary, err)
	}
	if _, err := run(first, 0, false); err == nil || !strings.Contains(err.Error(), "belongs to another folder") {
		t.Errorf("the first folder goes on: %v", err)
	}
	if summary, err := run(second, 0, false); err != nil || summary.Pages > 0 {
		t.Errorf("the second folder, once more: %+v, %v", summary, err)
	}
	streams := server.Streams(t)
	if len(streams) < 16 {
		t.Errorf("the server has the streams %v", streams)
	}
	for name := range streams {
		if strings.Contains(name, "-in-") {
			t.Errorf("the crawl is alone, and has the inboxes %s", name)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(asked) != pages {
		t.Errorf("%d pages were asked for, want %d", len(asked), pages)
	}
	twice := 0
	for _, n := range asked {
		twice += n - 1
	}
	// Both crawls request the pages that the first one had not committed.
	if twice > 20 {
		t.Errorf("%d pages were asked for twice", twice)
	}
}

// TestNATSStrangers runs crawls that know nothing of each other with one server.
func TestNATSStrangers(t *testing.T) {
	t.Parallel()
	site := func() *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				return
			}
			fmt.Fprintf(w, "<title>%s</title> <a href=/a>a</a> <a href=/b>b</a>", r.URL.Path)
		}))
		t.Cleanup(s.Close)
		return s
	}
	a, b := site(), site()
	url := natstest.Start(t)
	const agent = "TestBot/1.0 (+https://example.com/bot)"
	config := func(c crawl.Config) crawl.Config {
		c.NATS, c.UserAgent = url, cmp.Or(c.UserAgent, agent)
		c.DialFilter = fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
		c.Pauses = crawl.Pauses{MinDelay: -1, Slowness: -1, AddressGap: -1, AddressBudget: -1}
		return c
	}
	run := func(c crawl.Config, seeds ...string) (*crawl.Summary, error) {
		return crawl.NewQuick(config(c)).Run(t.Context(), seeds...)
	}
	one, two := t.TempDir(), t.TempDir()
	s, err := run(crawl.Config{Dir: one, Budget: crawl.Budget{Pages: 1}}, a.URL)
	if err != nil || s.Counts.Queued == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	s, err = run(crawl.Config{Dir: two}, b.URL)
	if err != nil || !s.Finished || s.Counts.Seen != 3 || s.Counts.Hosts != 1 {
		t.Errorf("a stranger has the crawl of another: %+v, %v", s, err)
	}
	lines, err := os.ReadFile(filepath.Join(two, "results.jsonl"))
	if err != nil || strings.Contains(string(lines), a.URL) {
		t.Errorf("the results of the stranger are\n%s%v", lines, err)
	}
	i, err := crawl.Inspect(one)
	fatal.If(t, err)
	status, err := i.Status(t.Context(), 0)
	fatal.If(t, errors.Join(err, i.Close()))
	name := status.Journal
	if !strings.HasPrefix(name, "crawl-") {
		t.Fatalf("the name is %q", name)
	}

	web := crawl.Scope{Reach: crawl.Web}
	for _, refused := range []struct {
		what, want string
		config     crawl.Config
		seeds      []string
	}{
		{"the name of another crawl", "belongs to another folder", crawl.Config{Name: name}, []string{a.URL}},
		{"a name that the server lacks", "the NATS server has no crawl none, but ",
			crawl.Config{Name: "none", TakeOver: true}, nil},
		{"a take-over without a name", name, crawl.Config{TakeOver: true}, nil},
		{"another robot", "--user-agent '" + agent, crawl.Config{Name: name, TakeOver: true,
			UserAgent: "OtherBot/1.0 (+https://example.com/bot)"}, nil},
		{"another address of the robot's people", "--user-agent '" + agent, crawl.Config{Name: name, TakeOver: true,
			UserAgent: "TestBot/1.0 (+https://example.org/)"}, nil},
		{"another reach", "--scope host", crawl.Config{Name: name, TakeOver: true, Scope: web}, nil},
		{"other patterns", "--scope host", crawl.Config{Name: name, TakeOver: true,
			Scope: crawl.Scope{Exclude: []string{"/a"}}}, nil},
		{"other seeds", "did not start from", crawl.Config{Name: name, TakeOver: true}, []string{a.URL, b.URL}},
		{"another name of a folder", "is named", crawl.Config{Dir: one, Name: "other"}, nil},
		{"a folder without its server", "--nats", crawl.Config{Dir: one}, nil},
		{"the owner with another scope", "--scope host", crawl.Config{Dir: one, Scope: web}, nil},
		{"the owner as another robot", "--user-agent", crawl.Config{Dir: one, UserAgent: "B/1 (+https://b.example/)"},
			nil},
	} {
		c := config(refused.config)
		if c.Dir == "" {
			c.Dir = t.TempDir()
		}
		if refused.what == "a folder without its server" {
			c.NATS = ""
		}
		s, err := crawl.New(c).Run(t.Context(), refused.seeds...)
		if err == nil || !strings.Contains(err.Error(), refused.want) {
			t.Errorf("%s: %+v, %v; want an error with %q", refused.what, s, err, refused.want)
		}
	}
	// The crawl was not disturbed.
	if s, err := run(crawl.Config{Dir: one, UserAgent: "TestBot/1.1 (+https://example.com/bot)"}); err != nil ||
		!s.Finished || s.Counts.Seen != 3 || s.Pages != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	three := t.TempDir()
	s, err = run(crawl.Config{Dir: three, Name: name, TakeOver: true,
		UserAgent: "TestBot/1.1 (+https://example.com/bot)"}, a.URL)
	if err != nil || s.Counts.Seen != 3 || s.Pages != 0 {
		t.Errorf("taken over: %+v, %v", s, err)
	}
}

// TestNATSOld continues folders of the version before, in which all crawls of a server had one
// journal. The first folder gets it.
func TestNATSOld(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			fmt.Fprint(w, "<title>x</title> <a href=/a>a</a> <a href=/b>b</a>")
		}
	}))
	defer site.Close()
	url := natstest.Start(t)
	config := crawl.Config{
		NATS: url, UserAgent: "TestBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		Pauses:     crawl.Pauses{MinDelay: -1, Slowness: -1, AddressGap: -1, AddressBudget: -1},
		Budget:     crawl.Budget{Pages: 1},
	}
	first, second := t.TempDir(), t.TempDir()
	config.Dir = first
	fatal.If(t, crawl.RunOld(t.Context(), config, site.URL))
	config.Dir = second
	fatal.If(t, crawl.RunOld(t.Context(), config, site.URL))
	config.Dir = t.TempDir()
	config.Name = "crawl"
	if _, err := crawl.New(config).Run(t.Context(), site.URL); err == nil || !strings.Contains(err.Error(),
		"an earlier version of robots wrote them") {
		t.Errorf("a new folder: %v", err)
	}
	config.Name, config.Budget = "", crawl.Budget{}
	config.Dir = first
	if s, err := crawl.New(config).Run(t.Context()); err != nil || !s.Finished || s.Counts.Seen != 3 {
		t.Errorf("the first old folder: %+v, %v", s, err)
	}
	config.Dir = second
	if _, err := crawl.New(config).Run(t.Context()); err == nil || !strings.Contains(err.Error(),
		"belongs to another folder") {
		t.Errorf("the second old folder: %v", err)
	}
	config.Dir, config.Name, config.TakeOver = t.TempDir(), "crawl", true
	if s, err := crawl.New(config).Run(t.Context()); err != nil || !s.Finished || s.Counts.Seen != 3 {
		t.Errorf("the old journal, taken over: %+v, %v", s, err)
	}
}
