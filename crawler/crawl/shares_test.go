package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const partitions = 256

// A team is a crawl of several workers in this process. The test assigns the partitions.
type team struct {
	t       *testing.T
	workers []*teamWorker
	owner   [partitions]int // -1: nobody
	bound   int             // of the inboxes, in place of the usual one, or 0
	uploads time.Duration   // how often the workers upload, in place of the usual time, or 0
}

type teamWorker struct {
	*crawl.Worker
	dir     string
	stop    context.CancelFunc
	ended   chan struct{}
	summary *crawl.Summary
	err     error
}

func newTeam(t *testing.T) *team {
	tm := &team{t: t}
	for p := range tm.owner {
		tm.owner[p] = -1
	}
	return tm
}

// join starts a worker. It owns nothing.
func (tm *team) join(c crawl.Config, seeds ...string) *teamWorker {
	tm.t.Helper()
	w := &teamWorker{Worker: crawl.NewWorker(c).BoundInboxes(tm.bound).UploadEvery(tm.uploads), dir: c.Dir,
		ended: make(chan struct{})}
	ctx, stop := context.WithCancel(context.WithoutCancel(tm.t.Context()))
	w.stop = stop
	go func() {
		defer close(w.ended)
		w.summary, w.err = w.Run(ctx, seeds...)
	}()
	tm.t.Cleanup(func() { stop(); <-w.ended })
	select {
	case <-w.Joined:
	case <-w.ended:
		tm.t.Fatalf("the worker ends at once: %v", w.err)
	}
	tm.workers = append(tm.workers, w)
	return w
}

// assign moves partitions to their new owners.
func (tm *team) assign(owner func(p int) int) {
	tm.t.Helper()
	ctx := context.WithoutCancel(tm.t.Context())
	errs := make([]error, partitions)
	var all sync.WaitGroup
	for p := range partitions {
		to := owner(p)
		if to == tm.owner[p] {
			continue
		}
		all.Go(func() {
			if from := tm.owner[p]; from >= 0 {
				errs[p] = tm.workers[from].Drain(ctx, p)
			}
			if errs[p] == nil && to >= 0 {
				errs[p] = tm.workers[to].Acquire(ctx, p)
			}
			tm.owner[p] = to
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		tm.t.Fatal(err)
	}
}

// isQuiet reports whether nothing is left to do. sums is the same twice only if nothing happened
// between.
func (tm *team) isQuiet() (quiet bool, sums string) {
	var sent, received [partitions]uint64
	quiet = true
	for i, w := range tm.workers {
		busy, s, r := w.Left()
		quiet = quiet && !busy
		for p := range partitions {
			sent[p] = max(sent[p], s[p])
			if tm.owner[p] == i {
				received[p] = r[p]
			}
		}
	}
	for p := range partitions {
		quiet = quiet && received[p] >= sent[p]
	}
	return quiet, fmt.Sprint(sent, received)
}

// finish waits until nothing is left to do, and ends the workers.
func (tm *team) finish() {
	tm.t.Helper()
	before, last, since := "", "", time.Now()
	for {
		quiet, sums := tm.isQuiet()
		if quiet && sums == before {
			break
		}
		if before = ""; quiet {
			before = sums
		}
		if sums != last {
			last, since = sums, time.Now()
		}
		if time.Since(since) > 3*time.Minute {
			tm.t.Fatalf("the workers are not through, and no link moves, quiet %v: sent and received %s", quiet, sums)
		}
		for _, w := range tm.workers {
			select {
			case <-w.ended:
				tm.t.Fatalf("a worker has ended: %+v, %v", w.summary, w.err)
			case <-tm.t.Context().Done():
				tm.t.Fatal("the test ends")
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	for _, w := range tm.workers {
		w.stop()
		if <-w.ended; w.err != nil {
			tm.t.Errorf("a worker ends with %v", w.err)
		}
	}
}

// union returns the URLs that the workers have in their results as fetched, each once.
func (tm *team) union() map[string]time.Time {
	all := make(map[string]time.Time)
	for _, w := range tm.workers {
		for url, at := range readFetched(tm.t, w.dir) {
			if before, ok := all[url]; ok && !before.Equal(at) {
				tm.t.Errorf("%s was fetched by two workers, at %v and %v", url, before, at)
			}
			all[url] = at
		}
	}
	return all
}

// served waits until the web has served that many requests.
func (tm *team) served(web *testweb.Web, goal int) {
	tm.t.Helper()
	if asks(web, goal) {
		return
	}
	for i, w := range tm.workers {
		tm.t.Logf("worker %d: %+v", i, w.Status(100))
	}
	tm.t.Fatalf("the workers ask for nothing after %d requests, want %d", web.Served(), goal)
}

// asks waits until the web has served that many requests. It returns false if nobody asks for
// anything for a minute.
func asks(web *testweb.Web, goal int) bool {
	last, since := web.Served(), time.Now()
	for last < goal {
		time.Sleep(time.Millisecond)
		if n := web.Served(); n != last {
			last, since = n, time.Now()
		}
		if time.Since(since) > time.Minute {
			return false
		}
	}
	return true
}

// aloneConfig returns the configuration of a crawl that several workers are compared with.
func aloneConfig(t *testing.T, web *testweb.Web) *crawl.Config {
	ch := newTask(web, filepath.Join(t.TempDir(), "alone"))
	ch.Hurried = hurried()
	return ch.crawler()
}

// sharedConfig returns the configuration of one of several workers of a web.
func sharedConfig(t *testing.T, web *testweb.Web, url string, workers int) crawl.Config {
	ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
	ch.Hurried = hurried()
	c := ch.crawler()
	c.NATS, c.Name, c.PerAddress = url, "shared", wildOpen/workers
	return *c
}

// TestShares crawls a web with two workers, then with three. Their partitions change meanwhile. The
// servers see one polite robot, and the results are those of a crawl that is alone.
func TestShares(t *testing.T) {
	t.Parallel()
	o := testweb.Options{Hosts: 12, Pages: 120, Scale: 0.01, Token: "TestBot", TLS: true, Kinds: quickKinds(),
		Texts: sharedTexts(), Seed: 7}
	web := startWild(t, o)
	node := natstest.Cluster(t, 1)[0]
	server := node.Direct()
	tm := newTeam(t)
	tm.join(sharedConfig(t, web, server, 3), web.Seeds()...)
	tm.join(sharedConfig(t, web, server, 3))
	tm.assign(func(p int) int { return p % 2 })
	tm.served(web, 60) // of 199 with the texts of the whole corpus, and more without
	tm.join(sharedConfig(t, web, server, 3))
	tm.assign(func(p int) int { return p % 3 })
	tm.served(web, 120)
	tm.assign(func(p int) int { return (p + 1) % 3 })
	tm.finish()
	check := wildCheck
	check.MaxTrapped = 3 * 200 // part of the knowledge about traps is in memory, and partitions moved twice
	wantPolite(t, web, check)
	left := uint64(0)
	for name, messages := range node.Streams(t) {
		if strings.Contains(name, "-in-") {
			left += messages
		}
	}
	// Each inbox keeps its last message.
	if seen := uint64(len(web.Seeds()) + o.Hosts); left == 0 || left > seen {
		t.Errorf("%d messages are left in the inboxes of %d hosts", left, seen)
	}

	alone := startWild(t, o)
	c := aloneConfig(t, alone)
	_, err := crawl.NewQuick(*c).Run(t.Context(), alone.Seeds()...)
	fatal.If(t, err)
	want, got := readFetched(t, c.Dir), tm.union()
	t.Logf("%d pages by %d workers, %d by one", len(got), len(tm.workers), len(want))
	comparePages(t, web, got, alone, want)
}

// TestSharesDropped drops partitions of a worker, whose requests end at once, and has another
// worker acquire them.
func TestSharesDropped(t *testing.T) {
	t.Parallel()
	web := startWild(t, testweb.Options{Hosts: 8, Pages: 80, Scale: 0.01, Token: "TestBot", TLS: true,
		Kinds: quickKinds(), Texts: sharedTexts(), Seed: 3})
	server := natstest.Start(t)
	tm := newTeam(t)
	config := func() crawl.Config {
		c := sharedConfig(t, web, server, 2)
		// An answer that was not written may have asked for a pause.
		c.Pauses.FirstPause, c.Pauses.LastPause = longestRetryAfter, longestRetryAfter
		return c
	}
	a := tm.join(config(), web.Seeds()...)
	b := tm.join(config())
	tm.assign(func(int) int { return 0 })
	tm.served(web, 60)
	var cuts []time.Time
	for p := range partitions {
		if p%3 == 0 {
			a.Drop(p)
			tm.owner[p] = -1
		}
	}
	time.Sleep(served) // until the servers have seen all requests of before
	cuts = append(cuts, time.Now())
	tm.assign(func(p int) int {
		if p%3 == 0 {
			return 1
		}
		return 0
	})
	tm.finish()
	check := wildCheck
	check.MaxTrapped = 2 * 200
	check.Kills, check.Grace = cuts, 10*time.Second // a dropped page is fetched again
	wantPolite(t, web, check)
	tm.union()
	wantAll(t, web, a.dir, b.dir)
	if len(readFetched(t, b.dir)) == 0 {
		t.Error("the second worker has fetched nothing")
	}
}

// TestSharesLostTwice loses the last answers of a worker, and moves its partition twice since: to a
// worker that hands it over in order, and to one whose first attempt fails after its claim. Each
// owner keeps the first pause, which nobody had written down.
func TestSharesLostTwice(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(tm *team, p int){
		"handed over": func(tm *team, p int) {
			fatal.If(t, tm.workers[1].Acquire(t.Context(), p))
			fatal.If(t, tm.workers[1].Drain(t.Context(), p))
			fatal.If(t, tm.workers[2].Acquire(t.Context(), p))
		},
		"claimed again": func(tm *team, p int) {
			if err := tm.workers[2].FailAfterDeath(t.Context(), p); !errors.Is(err, context.Canceled) {
				t.Errorf("an attempt that fails ends with %v", err)
			}
			fatal.If(t, tm.workers[2].Acquire(t.Context(), p))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, chain(60))
			p := crawl.PartitionOf(s.URL)
			server := natstest.Start(t)
			tm := newTeam(t)
			config := func() crawl.Config {
				c := newCrawler(t)
				c.NATS, c.Name, c.Pauses.FirstPause, c.Pauses.LastPause = server, "shared", time.Hour, time.Hour
				return *c
			}
			a := tm.join(config(), s.URL+"/0")
			tm.join(config())
			c := tm.join(config())
			tm.assign(func(int) int { return 0 })
			for s.count() < 10 {
				time.Sleep(time.Millisecond)
			}
			a.Drop(p)
			move(tm, p)
			known, err := c.HostStatus(t.Context(), s.URL, 1)
			fatal.If(t, err)
			if len(known) != 1 || known[0].Wait != "interrupted" || time.Until(known[0].Next) < 30*time.Minute {
				t.Errorf("the last owner knows of the host: %+v", known)
			}
		})
	}
}

// TestSharesLostRobots loses the last answers of a worker, one of which may have been a robots.txt
// with a Crawl-delay. The next owner asks the host for the robots.txt of another one, and leaves a
// first pause before it asks for the host's own.
func TestSharesLostRobots(t *testing.T) {
	t.Parallel()
	const pause = 300 * time.Millisecond
	var mu sync.Mutex
	var asked []string
	var at []time.Time
	var port string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		if host == "b.test" {
			mu.Lock()
			asked, at = append(asked, r.URL.Path), append(at, time.Now())
			mu.Unlock()
		}
		w.Header().Set("Content-Type", "text/plain")
		switch host + r.URL.Path {
		case "a.test/robots.txt":
			http.Redirect(w, r, "http://b.test:"+port+"/moved.txt", http.StatusMovedPermanently)
		case "b.test/robots.txt":
			fmt.Fprint(w, "User-agent: *\nCrawl-delay: 0.2\n")
		}
	}))
	defer s.Close()
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	tm := newTeam(t)
	c := names(t, *newCrawler(t), natstest.Start(t), "lost")
	c.Pauses.FirstPause = pause
	a, b := "http://a.test:"+port+"/", "http://b.test:"+port+"/"
	w := tm.join(c, a, b)
	of := crawl.PartitionOf(b)
	tm.assign(func(p int) int {
		if p == of {
			return -1
		}
		return 0
	})
	waits := func() bool {
		return slices.ContainsFunc(w.Status(10).Hosts, func(h crawl.HostStatus) bool { return h.Wait == "redirect" })
	}
	for !waits() { // for the host that nobody owns
		time.Sleep(time.Millisecond)
	}
	fatal.If(t, w.AcquireAfterDeath(t.Context(), of))
	tm.owner[of] = 0
	tm.finish()
	mu.Lock()
	defer mu.Unlock()
	if want := []string{"/moved.txt", "/robots.txt", "/"}; !slices.Equal(asked, want) {
		t.Fatalf("asked for %q, want %q", asked, want)
	}
	if gap := at[1].Sub(at[0]); gap < pause {
		t.Errorf("robots.txt was asked %v after the request before it, and the first pause is %v", gap, pause)
	}
	if gap := at[2].Sub(at[1]); gap < 200*time.Millisecond {
		t.Errorf("the page was asked %v after robots.txt, whose Crawl-delay is 200 ms", gap)
	}
}

// TestSharesFenced has a worker claim the partitions of another one without its knowledge.
func TestSharesFenced(t *testing.T) {
	t.Parallel()
	s := newSite(t, chain(60))
	u, err := url.Parse(s.URL)
	fatal.If(t, err)
	o := newSite(t, chain(60))
	p := crawl.PartitionOf(s.URL)
	if crawl.PartitionOf(o.URL) != p { // both are at one address
		t.Fatalf("%s and %s are of two partitions", u, o.URL)
	}
	server := natstest.Start(t)
	tm := newTeam(t)
	config := func() crawl.Config {
		c := newCrawler(t)
		c.NATS, c.Name, c.Pauses.FirstPause = server, "shared", 50*time.Millisecond
		return *c
	}
	a := tm.join(config(), s.URL+"/0", o.URL+"/0")
	b := tm.join(config())
	tm.assign(func(int) int { return 0 })
	for s.count() < 10 {
		time.Sleep(time.Millisecond)
	}
	fatal.If(t, b.Acquire(t.Context(), p))
	tm.owner[p] = 1
	tm.finish()
	if a.err != nil || b.err != nil || len(tm.union()) != 2*61 {
		t.Errorf("%v, %v, %d pages", a.err, b.err, len(tm.union()))
	}
}

// names has a crawl find all hosts of the domain test at a server.
func names(t *testing.T, c crawl.Config, server, name string) crawl.Config {
	c.NATS, c.Name, c.Scope.Reach = server, name, crawl.Web
	c.Pauses.FirstPause = 50 * time.Millisecond
	c.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return c
}

// TestRemoteHop has a robots.txt that redirects to a host of another worker, which asks it.
func TestRemoteHop(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	var port string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		mu.Lock()
		asked = append(asked, host+r.URL.Path)
		mu.Unlock()
		switch host + r.URL.Path {
		case "a.test/robots.txt":
			http.Redirect(w, r, "http://b.test:"+port+"/moved.txt", http.StatusMovedPermanently)
		case "b.test/moved.txt":
			http.Redirect(w, r, "http://c.test:"+port+"/moved.txt", http.StatusMovedPermanently)
		case "c.test/moved.txt":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "User-agent: *\nDisallow: /closed\n")
		case "e.test/robots.txt":
			http.Redirect(w, r, "http://c.test:"+port+"/huge.txt", http.StatusMovedPermanently)
		case "c.test/huge.txt":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, strings.Repeat("# a comment\n", 30_000))
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<a href=/closed>closed</a> <a href=/open>open</a>")
		}
	}))
	defer s.Close()
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	server := natstest.Start(t)
	tm := newTeam(t)
	first := names(t, *newCrawler(t), server, "hops")
	first.Patience = -1 // a robots.txt that cannot be read ends the visits of its host
	a, e := "http://a.test:"+port+"/", "http://e.test:"+port+"/"
	w := tm.join(first, a, e)
	tm.join(names(t, *newCrawler(t), server, "hops"))
	of := map[int]int{crawl.PartitionOf(a): 0, crawl.PartitionOf(e): 0, crawl.PartitionOf("http://b.test/"): 1,
		crawl.PartitionOf("http://c.test/"): 1}
	if len(of) != 4 {
		t.Fatalf("the hosts are in %d partitions", len(of))
	}
	tm.assign(func(p int) int {
		if owner, ok := of[p]; ok && owner == 0 {
			return owner
		}
		return -1
	})
	hosts := func() (waits int) {
		for _, h := range w.Status(10).Hosts {
			if h.Wait == "redirect" {
				waits++
			}
		}
		return waits
	}
	for hosts() < 2 { // both wait for a host that nobody owns
		time.Sleep(time.Millisecond)
	}
	tm.assign(func(p int) int { return of[p] })
	tm.finish()
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(asked)
	want := []string{"a.test/", "a.test/open", "a.test/robots.txt", "b.test/moved.txt", "c.test/huge.txt",
		"c.test/moved.txt", "e.test/robots.txt"}
	if !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
	if r := readResults(t, first.Dir)[e]; r["reason"] != "unreachable" {
		t.Errorf("the host with a robots.txt that is too long to pass on: %v", r)
	}
}

// TestSharesAlive has a worker that may make no requests for a while, and then only short ones.
func TestSharesAlive(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	var mu sync.Mutex
	asked := make(map[string]int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		n := asked[r.URL.Path]
		mu.Unlock()
		if r.URL.Path == "/" && n == 1 {
			select {
			case <-r.Context().Done(): // closed by the worker
			case <-hold:
			}
		}
	}))
	defer s.Close()
	defer close(hold)
	server := natstest.Start(t)
	tm := newTeam(t)
	c := newCrawler(t)
	c.NATS, c.Name = server, "alive"
	w := tm.join(*c, s.URL+"/")
	var alive atomic.Bool
	calls := make(chan struct{})
	w.SetAlive(func(time.Time) bool {
		select {
		case calls <- struct{}{}:
		default:
		}
		return alive.Load()
	}, 300*time.Millisecond)
	tm.assign(func(int) int { return 0 })
	<-calls
	<-calls
	mu.Lock()
	if len(asked) > 0 {
		t.Errorf("asked for %v while it was not alive", asked)
	}
	mu.Unlock()
	alive.Store(true)
	tm.finish()
	if asked["/"] != 2 {
		t.Errorf("asked for %v, want the page once more after its deadline", asked)
	}
}

// TestSharesHostPages moves the partition of a host while its pages are fetched: its limit of pages
// holds over both workers.
func TestSharesHostPages(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	const most = 12
	s := newSite(t, chain(60))
	server := natstest.Start(t)
	tm := newTeam(t)
	for i := range 2 {
		c := newCrawler(t)
		c.NATS, c.Name, c.Budget.HostPages = server, "hostpages", most
		c.Pauses.MinDelay = 10 * time.Millisecond
		if i == 0 {
			tm.join(*c, s.URL+"/0")
		} else {
			tm.join(*c)
		}
	}
	for i, pages := range []int{3, 6, 9} {
		tm.assign(func(int) int { return i % 2 })
		for s.count() < pages {
			time.Sleep(time.Millisecond)
		}
	}
	tm.assign(func(int) int { return 1 })
	tm.finish()
	pages := 0
	for path, n := range s.asked {
		if path != "/robots.txt" {
			pages += n
		}
	}
	if pages != most {
		t.Errorf("%d pages were fetched from the host, want %d: %v", pages, most, s.asked)
	}
}

// TestSharesJoin has folders join a crawl as workers and alone.
func TestSharesJoin(t *testing.T) {
	t.Parallel()
	s := newSite(t, chain(3))
	server := natstest.Start(t)
	config := func(dir string) crawl.Config {
		c := newCrawler(t)
		if c.NATS, c.Name = server, "joined"; dir != "" {
			c.Dir = dir
		}
		return *c
	}
	refused := func(what, want string, run func(ctx context.Context, seeds ...string) (*crawl.Summary, error)) {
		t.Helper()
		if _, err := run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
	}
	first := config("")
	first.Budget.Pages = 1
	_, err := crawl.NewFleetWorker(first, nil).Alone().Run(t.Context(), s.URL+"/0")
	fatal.If(t, err)
	first.Budget.Pages = 0
	refused("a worker of a crawl of another folder", "belongs to another folder", crawl.NewWorker(config("")).Run)
	other := config("")
	other.Scope.Reach = crawl.Web
	tm := newTeam(t)
	tm.join(first)
	refused("a worker with another scope", "--scope host", crawl.NewWorker(other).Run)
	tm.join(config(""))
	refused("a folder that is alone", "several workers share", crawl.NewFleetWorker(config(""), nil).Alone().Run)
	tm.assign(func(p int) int { return p % 2 })
	tm.finish()
	refused("a worker that goes on alone", "several workers share", crawl.NewFleetWorker(first, nil).Alone().Run)
	if got := tm.union(); len(got) != 4 {
		t.Errorf("%d pages: %v", len(got), got)
	}
	last := config("")
	last.TakeOver = true
	refused("a folder that takes it over alone", "several workers share", crawl.NewFleetWorker(last, nil).Alone().Run)
	again := newTeam(t)
	w := again.join(config(""))
	again.assign(func(int) int { return 0 })
	if again.finish(); w.summary.Pages != 0 || w.summary.Counts.Done != 4 || w.summary.Finished {
		t.Errorf("one worker: %+v", w.summary)
	}
}

// chain returns pages of which each links to the next.
func chain(n int) map[string]string {
	pages := map[string]string{"/robots.txt": ""}
	for i := range n {
		pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf("<title>%d</title><p>%[1]d<a href=/%d>next</a>", i, i+1)
	}
	return pages
}

func (s *site) count() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, asked := range s.asked {
		n += asked
	}
	return n
}

// TestSharesKilled kills a worker while it finds links for another one, and starts it again. After
// the last kill the other one acquires its partitions. Nothing is lost, and no page that has a
// result is fetched again.
func TestSharesKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some time")
	}
	rounds := ofWhole(t, 5, 2)
	web := startWild(t, testweb.Options{Hosts: 6 * rounds, Pages: 60 * rounds, Scale: 0.01, Token: "TestBot",
		TLS: true, Kinds: quickKinds(), Texts: sharedTexts(), Seed: 11})
	server := natstest.Start(t)
	tm := newTeam(t)
	c := sharedConfig(t, web, server, 2)
	c.Pauses.FirstPause, c.Pauses.LastPause = longestRetryAfter, longestRetryAfter
	tm.join(c, web.Seeds()...)
	tm.assign(func(p int) int {
		if p%2 == 0 {
			return 0
		}
		return -1
	})
	var kills []time.Time
	dirs := []string{tm.workers[0].dir, filepath.Join(t.TempDir(), "killed")}
	fetched := make(map[string]time.Time)
	for range rounds {
		ch := newTask(web, dirs[1])
		ch.Pause = longestRetryAfter
		ch.NATS, ch.Seeds, ch.Hurried = server, nil, hurried()
		p := ch.start(t)
		asks(web, web.Served()+60)
		p.Process.Kill()
		p.Wait()
		if text := p.out.String(); strings.Contains(text, "error") {
			t.Fatal(text)
		}
		time.Sleep(served)
		kills = append(kills, time.Now())
		now := readFetched(t, ch.Dir)
		for url, before := range fetched {
			if at := now[url]; !before.Equal(at) {
				t.Errorf("%s was in the results as fetched at %v, and is now at %v", url, before, at)
			}
		}
		fetched = now
	}
	tm.workers[0].BePatient(3 * time.Second) // the killed worker may have been asked for a robots.txt
	tm.assign(func(int) int { return 0 })
	tm.finish()
	check := wildCheck
	check.Kills, check.Grace = kills, 10*time.Second
	check.MaxTries, check.MaxTrapped = 10+len(kills), 200*(2+len(kills))
	wantPolite(t, web, check)
	for url, at := range tm.union() {
		if before := fetched[url]; !before.IsZero() && !before.Equal(at) {
			t.Errorf("%s was fetched at %v, has a result, and was fetched again at %v", url, before, at)
		}
		fetched[url] = at
	}
	wantAll(t, web, dirs...)
	t.Logf("%d pages in %d folders", len(fetched), len(dirs))
}

// TestInboxHostile puts batches into an inbox that no worker of this version has sent. The owner
// says what is wrong, loses nothing, and goes on with its other partitions.
func TestInboxHostile(t *testing.T) {
	t.Parallel()
	s := newSite(t, chain(3))
	server := natstest.Start(t)
	for _, hostile := range []struct{ what, batch, want string }{
		{"empty", "", "not in version 1"},
		{"of a later version", "\x02whatever", "another version of this program"},
		{"of another program", "\x01hello", "damaged, or of another program"},
		{"cut", "\x01\x01\x00", "damaged, or of another program"},
		{"huge", "\x01" + strings.Repeat("\x01", 200<<10), "damaged, or of another program"},
		{"for another partition", crawl.Letter("http://elsewhere.example/"), "is of partition"},
		{"not a URL", crawl.Letter("mailto:a"), "damaged, or of another program"},
		{"too long a URL", crawl.Letter("http://127.0.0.1/" + strings.Repeat("a", 5000)),
			"damaged, or of another program"},
		{"not canonical", crawl.Letter("http://127.0.0.1/a/../b"), "damaged, or of another program"},
	} {
		t.Run(hostile.what, func(t *testing.T) {
			t.Parallel()
			name := strings.ReplaceAll("hostile "+hostile.what, " ", "-")
			tm := newTeam(t)
			c := newCrawler(t)
			c.NATS, c.Name = server, name
			w := tm.join(*c, s.URL+"/0")
			j, err := journal.Open(t.Context(), journal.Options{URL: server, Name: name, Streams: crawl.FleetStreams})
			fatal.If(t, err)
			defer j.Close()
			p := crawl.PartitionOf(s.URL)
			_, err = j.Send(t.Context(), p, []byte(hostile.batch)).Wait(t.Context())
			fatal.If(t, err)
			good := crawl.Letter(s.URL + "/2")
			at, err := j.Send(t.Context(), p, []byte(good)).Wait(t.Context())
			fatal.If(t, err)
			tm.assign(func(int) int { return 0 })
			for w.Trouble(p) == nil {
				time.Sleep(time.Millisecond)
			}
			if busy, _, received := w.Left(); !busy || received[p] >= at {
				t.Errorf("the worker has nothing left: busy %v, received %d of %d", busy, received[p], at)
			}
			w.stop()
			if <-w.ended; w.err == nil || !strings.Contains(w.err.Error(), hostile.want) ||
				!strings.Contains(w.err.Error(), fmt.Sprintf("inbox of partition %d", p)) {
				t.Errorf("it ends with %v, want %q", w.err, hostile.want)
			}
			owned, err := j.Claim(t.Context(), p)
			fatal.If(t, err)
			ended := errors.New("found")
			err = j.Receive(t.Context(), map[*journal.Partition]uint64{owned: 0}, func(_ *journal.Partition, _ uint64,
				batch []byte) error {
				if string(batch) == good {
					return ended
				}
				return nil
			})
			if !errors.Is(err, ended) {
				t.Errorf("the batch behind is lost: %v", err)
			}
		})
	}
}

// wantAll fails if a page that a whole crawl must fetch is in no results of some folders.
func wantAll(t *testing.T, web *testweb.Web, dirs ...string) {
	t.Helper()
	known := make(map[string]bool)
	for _, dir := range dirs {
		for url := range readResults(t, dir) {
			known[url] = true
		}
	}
	wantKnown(t, web, known)
}

// wantKnown fails if a URL that can be reached under the rules is not in the results of a crawl.
func wantKnown(t *testing.T, web *testweb.Web, known map[string]bool) {
	t.Helper()
	for _, url := range web.Reachable(wildCheck) {
		if !known[url] {
			t.Errorf("%s has no result", url)
		}
	}
}

// comparePages compares the pages that were fetched from two webs with the same content. Only pages
// that a whole crawl must fetch count: how soon a crawl notices a trap depends on the order of its
// visits, and a new owner of a partition knows less of its pages.
func comparePages(t *testing.T, web *testweb.Web, got map[string]time.Time, other *testweb.Web,
	want map[string]time.Time) {
	t.Helper()
	name := func(text string) string {
		u, err := url.Parse(text)
		fatal.If(t, err)
		return u.Scheme + "://" + u.Hostname() + u.RequestURI()
	}
	pages := func(web *testweb.Web, urls map[string]time.Time) map[string]bool {
		all := make(map[string]bool)
		for _, text := range web.Reachable(wildCheck) {
			if _, ok := urls[text]; ok {
				all[name(text)] = true
			}
		}
		return all
	}
	g, w := pages(web, got), pages(other, want)
	for page := range g {
		if !w[page] {
			t.Errorf("%s is not in the results of one crawl", page)
		}
	}
	for page := range w {
		if !g[page] {
			t.Errorf("%s is in the results of one crawl only", page)
		}
	}
	t.Logf("%d pages that must be fetched, of %d", len(w), len(want))
}

// sharedTexts returns the robots.txt files of a web that several workers visit.
func sharedTexts() []string { return quickTexts() }

// TestSharesRobots moves the partition of a host after each of its pages, to workers whose folders
// know nothing of it. Its robots.txt can be had only once. After the first page the copy on the
// servers stays as it is, gets old, or is damaged. Without a copy nobody may ask for a page.
func TestSharesRobots(t *testing.T) {
	t.Parallel()
	all := []string{"/1", "/2", "/3"}
	for name, want := range map[string]struct {
		pages []string
		texts int
	}{"fresh": {all, 1}, "old": {all, 2}, "damaged": {all[:1], 2}, "of another host": {all[:1], 2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var asked []string
			texts := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				if r.URL.Path != "/robots.txt" {
					asked = append(asked, r.URL.Path)
					n, _ := strconv.Atoi(r.URL.Path[1:])
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprintf(w, "<a href=/%d>next</a><a href=/no>never</a>", min(n+1, len(all)))
				} else if texts++; texts > 1 {
					w.WriteHeader(http.StatusServiceUnavailable)
				} else {
					fmt.Fprint(w, "User-agent: *\nDisallow: /no\n")
				}
			}))
			defer s.Close()
			server := natstest.Start(t)
			tm := newTeam(t)
			for i := range all {
				c := newCrawler(t)
				c.NATS, c.Name, c.Patience = server, "copies", -1
				c.Pauses.MinDelay, c.Pauses.FirstPause = 200*time.Millisecond, 10*time.Millisecond
				tm.join(*c, []string{s.URL + "/1"}[:max(0, 1-i)]...)
			}
			count := func() int {
				mu.Lock()
				defer mu.Unlock()
				return len(asked)
			}
			for i := range all {
				tm.assign(func(p int) int {
					if p != crawl.PartitionOf(s.URL) {
						return -1
					}
					return i
				})
				for quiet := false; count() <= i && !quiet; quiet, _ = tm.isQuiet() {
					time.Sleep(time.Millisecond)
				}
				if i == 0 && name != "fresh" {
					tm.assign(func(int) int { return -1 })
					alterCopy(t, server, s.URL, name)
				}
			}
			tm.finish()
			if !slices.Equal(asked, want.pages) || texts != want.texts {
				t.Errorf("asked for %q, and robots.txt %d times, want %q and %d", asked, texts, want.pages, want.texts)
			}
		})
	}
}

// alterCopy alters the copy of robots.txt of an origin on the servers.
func alterCopy(t *testing.T, server, origin, how string) {
	t.Helper()
	j, err := journal.Open(t.Context(), journal.Options{URL: server, Name: "copies", Streams: crawl.FleetStreams})
	fatal.If(t, err)
	defer j.Close()
	v, err := journal.OpenValues(t.Context(), j, "robots", 31*24*time.Hour)
	fatal.If(t, err)
	data, revision, err := v.Get(t.Context(), crawl.CopyKey(origin))
	fatal.If(t, err)
	e, err := fetch.DecodeEntry(data)
	fatal.If(t, err)
	switch how {
	case "old":
		e.CheckedAt, e.FreshUntil = e.CheckedAt.Add(-2*time.Hour), e.CheckedAt.Add(-time.Hour)
	case "of another host":
		e.Origin = "http://other.test"
	}
	data, err = fetch.EncodeEntry(e)
	fatal.If(t, err)
	if how == "damaged" {
		data[len(data)-2]++
	}
	fatal.If(t, v.Put(t.Context(), crawl.CopyKey(origin), data, revision))
	if err := v.Put(t.Context(), crawl.CopyKey(origin), data, revision); !errors.Is(err, journal.ErrFenced) {
		t.Errorf("a put in place of an old copy ends with %v", err)
	}
}

// TestSharesLapsed has the answer about robots.txt fail while the worker may not ask: that is no
// failure of the host, whose queue would be dropped after one.
func TestSharesLapsed(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	hold := make(chan struct{})
	var mu sync.Mutex
	tries := make(map[string]int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		tries[r.URL.Path]++
		n := tries[r.URL.Path]
		mu.Unlock()
		if r.URL.Path == "/robots.txt" && n == 1 {
			asked <- struct{}{}
			<-hold
			panic(http.ErrAbortHandler)
		}
	}))
	defer s.Close()
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	tm := newTeam(t)
	c := newCrawler(t)
	c.NATS, c.Name, c.Patience = natstest.Start(t), "lapsed", -1
	c.Pauses.FirstPause = 10 * time.Millisecond
	w := tm.join(*c, s.URL+"/")
	var alive atomic.Bool
	alive.Store(true)
	w.SetAlive(func(time.Time) bool { return alive.Load() }, time.Minute)
	tm.assign(func(int) int { return 0 })
	<-asked
	alive.Store(false)
	close(hold)
	for w.Status(0).Busy > 0 {
		time.Sleep(time.Millisecond)
	}
	// As after a lapse: the partitions are dropped, and claimed by the next session.
	for p := range partitions {
		w.Drop(p)
		tm.owner[p] = -1
	}
	alive.Store(true)
	tm.assign(func(int) int { return 0 })
	tm.finish()
	if tries["/"] != 1 || tries["/robots.txt"] != 2 {
		t.Errorf("asked for %v, want the page, and robots.txt twice", tries)
	}
}
