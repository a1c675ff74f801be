package crawl_test

import (
	"encoding/json"
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
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// tree serves pages that link to two others each. It calls asked before each answer.
func tree(t *testing.T, pages int, asked func(page int)) *httptest.Server {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/page/%d", &n); err != nil || n > pages {
			http.NotFound(w, r)
			return
		}
		asked(n)
		fmt.Fprintf(w, "<title>%d</title>", n)
		for _, next := range []int{2 * n, 2*n + 1} {
			if next <= pages {
				fmt.Fprintf(w, "<a href=/page/%d>a</a>", next)
			}
		}
	}))
	t.Cleanup(site.Close)
	return site
}

// visited returns how often each URL stands in the results of a folder.
func visited(t *testing.T, dir string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
	fatal.If(t, err)
	urls := make(map[string]int)
	for line := range strings.Lines(string(text)) {
		var r struct{ URL string }
		fatal.If(t, json.Unmarshal([]byte(line), &r))
		urls[r.URL]++
	}
	return urls
}

// TestNATSCluster runs two crawls at once on a cluster of three servers with TLS, in which each has
// a user of its own. One of the servers stops in the middle, and comes back. Then another folder
// takes over.
func TestNATSCluster(t *testing.T) {
	t.Parallel()
	const pages = 40
	operator := natstest.NewOperator(t)
	operator.Account(t, "robots", natstest.Unlimited)
	certificates := natstest.NewCertificates(t, time.Now().Add(time.Hour))
	nodes := natstest.Cluster(t, 3, operator.Configure, certificates.Configure(true))
	var urls []string
	for _, n := range nodes {
		urls = append(urls, n.Direct())
	}
	address := func(name string) string {
		var publish, subscribe []string
		if name != "" { // the permissions that doc/nats.md lists
			publish, subscribe = []string{"$JS.API.>", name + ".>"}, []string{"_INBOX.>"}
		}
		return fmt.Sprintf("%s?ca=%s&cert=%s&key=%s&creds=%s", strings.Join(urls, ","), certificates.CA,
			certificates.Cert, certificates.Key,
			operator.Credentials(t, "robots", "user"+name, publish, subscribe, time.Time{}))
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		o := journal.Options{URL: address(""), Name: "first", Partitions: 1, Replicas: 3}
		j, err := journal.Open(t.Context(), o)
		if err == nil {
			j.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	stopped, half := make(chan struct{}), make(chan struct{}, 2)
	goOn := sync.OnceFunc(func() { close(stopped) })
	defer goOn() // or a failure waits for the pages that are held
	config := func(dir, name string, takeOver bool) crawl.Config {
		return crawl.Config{
			Dir: dir, NATS: address(name), Name: name, Replicas: 3, TakeOver: takeOver,
			UserAgent:  "TestBot/1.0 (+https://example.com/bot)",
			DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
			Pauses:     crawl.Pauses{MinDelay: -1, Slowness: -1, AddressGap: -1, AddressBudget: -1},
		}
	}
	type end struct {
		summary *crawl.Summary
		err     error
	}
	var dirs []string
	var sites []*httptest.Server
	var ends []chan end
	for _, name := range []string{"one", "two"} {
		dir, ended := t.TempDir(), make(chan end, 1)
		site := tree(t, pages, func(page int) {
			if page == pages/2 {
				half <- struct{}{}
				<-stopped
			}
		})
		dirs, sites, ends = append(dirs, dir), append(sites, site), append(ends, ended)
		go func() {
			s, err := crawl.NewQuick(config(dir, name, false)).Run(t.Context(), site.URL+"/page/1")
			ended <- end{s, err}
		}()
	}
	for range 2 {
		select {
		case <-half:
		case e := <-ends[0]:
			t.Fatalf("the first crawl ended early: %+v, %v", e.summary, e.err)
		case e := <-ends[1]:
			t.Fatalf("the second crawl ended early: %+v, %v", e.summary, e.err)
		}
	}
	nodes[0].Stop()
	goOn()
	for i, ended := range ends {
		e := <-ended
		if e.err != nil || !e.summary.Finished || e.summary.Counts.Seen != pages {
			t.Fatalf("crawl %d: %+v, %v", i, e.summary, e.err)
		}
		got := visited(t, dirs[i])
		for n := 1; n <= pages; n++ {
			if url := fmt.Sprintf("%s/page/%d", sites[i].URL, n); got[url] != 1 {
				t.Errorf("crawl %d has %s %d times", i, url, got[url])
			}
		}
		if len(got) != pages {
			t.Errorf("crawl %d has results of %d URLs", i, len(got))
		}
	}
	nodes[0].Start(t)
	third := t.TempDir()
	_, err := crawl.NewQuick(config(third, "one", false)).Run(t.Context(), sites[0].URL+"/page/1")
	if err == nil || !strings.Contains(err.Error(), "choose another --name, or continue that crawl here with") {
		t.Errorf("the crawl of another folder: %v", err)
	}
	c := config(third, "one", true)
	c.NATS = address("two")
	if _, err := crawl.NewQuick(c).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "permissions") {
		t.Errorf("a take-over by the user of another crawl: %v", err)
	}
	s, err := crawl.NewQuick(config(third, "one", true)).Run(t.Context())
	if err != nil || !s.Finished || s.Counts.Seen != pages || s.Pages != 0 {
		t.Errorf("taken over: %+v, %v", s, err)
	}
	_, err = crawl.NewQuick(config(dirs[0], "one", false)).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "belongs to another folder") {
		t.Errorf("the folder before: %v", err)
	}
}

// TestNATSFull fills the account of a crawl. The crawl stops with an error that says what to do,
// and goes on when there is room: it has each page, and once.
func TestNATSFull(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	const pages = 1500
	operator := natstest.NewOperator(t)
	operator.Account(t, "robots", natstest.Unlimited)
	node := natstest.Cluster(t, 1, operator.Configure)[0]
	limit := func(bytes int64) {
		limits := natstest.Unlimited
		limits.DiskStorage = bytes
		node.Stop()
		operator.Account(t, "robots", limits)
		node.Start(t)
	}
	limit(100 << 10) // the claims of the partitions take half of that
	var requests atomic.Int64
	site := tree(t, pages, func(int) { requests.Add(1) })
	c := crawl.Config{
		Dir:        t.TempDir(),
		NATS:       node.Direct() + "?creds=" + operator.Credentials(t, "robots", "robot", nil, nil, time.Time{}),
		UserAgent:  "TestBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		Pauses:     crawl.Pauses{MinDelay: -1, Slowness: -1, AddressGap: -1, AddressBudget: -1},
	}
	_, err := crawl.NewQuick(c).Run(t.Context(), site.URL+"/page/1")
	if !errors.Is(err, journal.ErrFull) || !strings.Contains(err.Error(), "the account is full") {
		t.Fatalf("after %d pages: %v", requests.Load(), err)
	}
	if before := requests.Load(); before == 0 || before == pages {
		t.Fatalf("full after %d pages", before)
	}
	limit(1 << 30)
	s, err := crawl.NewQuick(c).Run(t.Context())
	if err != nil || !s.Finished || s.Counts.Seen != pages {
		t.Fatalf("%+v, %v", s, err)
	}
	got := visited(t, c.Dir)
	for n := 1; n <= pages; n++ {
		if url := fmt.Sprintf("%s/page/%d", site.URL, n); got[url] != 1 {
			t.Errorf("%s has %d results", url, got[url])
		}
	}
}
