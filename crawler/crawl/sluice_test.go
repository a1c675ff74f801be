package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestInboxBound has a worker find links for a partition that nobody owns: it stops to ask hosts
// soon after the bound of the inboxes, and nothing is lost. When the partition has an owner, all of
// its links are visited. Meanwhile the first worker still takes its own inbox.
func TestInboxBound(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	const pages, links, bound = 50, 20, 8 << 10
	var mu sync.Mutex
	asked := make(map[string]int) // by host and path
	count := func(host string) (n int) {
		mu.Lock()
		defer mu.Unlock()
		for name, times := range asked {
			if strings.HasPrefix(name, host+"/p") {
				n += times
			}
		}
		return n
	}
	var port string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		mu.Lock()
		asked[host+r.URL.Path]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		n := 0
		if _, err := fmt.Sscanf(r.URL.Path, "/p%d", &n); err != nil || host == "b.test" {
			return
		}
		fmt.Fprintf(w, "<p>%d<a href=/p%d>next</a>", n, min(n+1, pages-1))
		for i := range links {
			fmt.Fprintf(w, "<a href=http://b.test:%s/p%d-%s>", port, n*links+i, strings.Repeat(fmt.Sprint(i*n), 20))
		}
	}))
	defer s.Close()
	u, err := url.Parse(s.URL)
	fatal.If(t, err)
	port = u.Port()
	server := natstest.Start(t)
	tm := newTeam(t)
	first, second := "http://a.test:"+port+"/p0", "http://b.test:"+port+"/"
	for i := range 2 {
		c := names(t, *newCrawler(t), server, "bound")
		c.Pauses.MinDelay = 2 * time.Millisecond
		tm.bound = bound
		tm.join(c, []string{first}[:1-i]...)
	}
	a := tm.workers[0]
	give := func(to int) {
		tm.assign(func(p int) int {
			switch p {
			case crawl.PartitionOf(first):
				return 0
			case crawl.PartitionOf(second):
				return to
			}
			return -1
		})
	}
	give(-1)
	for !a.InboxesAreFull() {
		time.Sleep(time.Millisecond)
	}
	for a.Status(0).Busy > 0 {
		time.Sleep(time.Millisecond)
	}
	stopped := count("a.test")
	conn, err := nats.Connect(server)
	fatal.If(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	inbox, err := js.Stream(t.Context(), fmt.Sprint("bound-in-", crawl.PartitionOf(second)%crawl.FleetStreams))
	fatal.If(t, err)
	if bytes := inbox.CachedInfo().State.Bytes; bytes < bound || bytes > 8*bound || stopped >= pages {
		t.Errorf("the worker stopped after %d pages, with %d bytes in the inbox", stopped, bytes)
	}
	// Its own inbox is taken while it waits: a link of the other worker is in its queue.
	before := a.Status(0).Counts.Seen
	_, err = tm.workers[1].Submit(t.Context(), "http://a.test:"+port+"/pother")
	fatal.If(t, err)
	for a.Status(0).Counts.Seen == before {
		time.Sleep(time.Millisecond)
	}
	// A request may have been about to begin in each of its goroutines.
	if got := count("a.test"); !a.InboxesAreFull() || got > stopped+8 {
		t.Errorf("the worker goes on, though the inbox has no owner: %d pages, and then %d", stopped, got)
	}
	give(1)
	tm.finish()
	if got := count("b.test"); got != pages*links {
		t.Errorf("%d pages of the other host were visited, want %d", got, pages*links)
	}
	for name, times := range asked {
		if !strings.HasSuffix(name, "/robots.txt") && times != 1 {
			t.Errorf("%s was asked for %d times", name, times)
		}
	}
}
