package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
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
	take := sync.OnceFunc(func() { close(taken) })
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.UserAgent(), "SecondBot") {
			take()
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
	url := natstest.Start(t)
	run := func(robot, dir string, budget int64) (*crawl.Summary, error) {
		c := &crawl.Config{
			Dir: dir, NATS: url, UserAgent: robot + "/1.0 (+https://example.com/bot)",
			DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
			Pauses:     pace.Pauses{MinDelay: 20 * time.Millisecond, Slowness: -1, AddressGap: -1, AddressBudget: -1},
			Budget:     crawl.Budget{Pages: budget},
		}
		return crawl.New(*c).Run(context.WithoutCancel(t.Context()), site.URL+"/page/1")
	}
	first := t.TempDir()
	if summary, err := run("TestBot", first, pages/4); err != nil || summary.Counts.Queued == 0 {
		t.Fatalf("%+v, %v", summary, err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := run("TestBot", first, 0)
		ended <- err
	}()
	<-half
	summary, err := run("SecondBot", t.TempDir(), 0)
	if fenced := <-ended; !errors.Is(fenced, journal.ErrFenced) {
		t.Errorf("the crawl whose partitions were taken over ends with %v, want %v", fenced, journal.ErrFenced)
	}
	if err != nil || !summary.Finished || summary.Counts.Queued != 0 || summary.Counts.Seen != 2*pages+1 {
		t.Errorf("%+v, %v", summary, err)
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
