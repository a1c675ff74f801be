package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A meter counts concurrent requests.
type meter struct {
	mu            sync.Mutex
	open, highest int
}

// hold keeps a request open for a time, so that it overlaps with others. First it waits, ten
// seconds at most, until so many requests were open at once.
func (m *meter) hold(most int, d time.Duration) {
	m.mu.Lock()
	m.open++
	m.highest = max(m.highest, m.open)
	for end := time.Now().Add(10 * time.Second); m.highest < most && time.Now().Before(end); {
		m.mu.Unlock()
		time.Sleep(time.Millisecond)
		m.mu.Lock()
	}
	m.mu.Unlock()
	time.Sleep(d)
	m.mu.Lock()
	m.open--
	m.mu.Unlock()
}

// TestAddress crawls many hosts at one address. Open requests to the address stay within the
// limit, including those for robots.txt. A host that waits for a place there and turns out to
// be closed passes the place on.
func TestAddress(t *testing.T) {
	t.Parallel()
	const hosts, most = 40, 2
	var requests meter
	var pages atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.hold(0, 5*time.Millisecond)
		if r.URL.Path != "/robots.txt" {
			pages.Add(1)
		}
		if r.URL.Path == "/robots.txt" && strings.HasPrefix(r.Host, "closed") {
			fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
		} else if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	u, err := url.Parse(s.URL)
	fatal.If(t, err)
	c := newCrawler(t)
	c.Workers, c.PerAddress, c.Scope.Reach = 16, most, crawl.Web
	c.Pauses = crawl.Pauses{AddressGap: -1, AddressBudget: -1, MinDelay: time.Millisecond, Slowness: -1}
	c.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr(u.Hostname())}, nil
	}
	var seeds []string
	for i := range hosts {
		for page := range 3 {
			seeds = append(seeds, fmt.Sprintf("http://%s%d.test:%s/%d", []string{"open", "closed"}[i%2], i, u.Port(),
				page))
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	summary, err := crawl.New(*c).Run(ctx, seeds...)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if pages.Load() != hosts/2*3 || summary.Reasons[result.Disallowed] != hosts/2*3 {
		t.Errorf("%d pages, %v", pages.Load(), summary.Reasons)
	}
	if requests.highest > most {
		t.Errorf("%d requests were under way to the address at once, and %d may be", requests.highest, most)
	}
}
