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
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/crawl/pace"
)

// TestAddress crawls many hosts at one address. No more requests are under way to it than
// may be, those for robots.txt among them; and a host that waits for a place there and
// turns out to be closed leaves it to the next one.
func TestAddress(t *testing.T) {
	t.Parallel()
	const hosts, most = 40, 2
	var mu sync.Mutex
	open, highest, pages := 0, 0, 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		open++
		highest = max(highest, open)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond) // so that they meet
		mu.Lock()
		open--
		if r.URL.Path != "/robots.txt" {
			pages++
		}
		mu.Unlock()
		if r.URL.Path == "/robots.txt" && strings.HasPrefix(r.Host, "closed") {
			fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
		} else if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := newCrawler(t)
	c.Workers, c.PerAddress, c.Scope.Reach = 16, most, crawl.Web
	c.Manners = pace.Manners{MinDelay: time.Millisecond, Slowness: -1}
	c.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr(u.Hostname())}, nil
	}
	var seeds []string
	for i := range hosts {
		for page := range 3 {
			seeds = append(seeds, fmt.Sprintf("http://%s%d.test:%s/%d", []string{"open", "closed"}[i%2], i, u.Port(), page))
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	summary, err := c.Run(ctx, seeds...)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if pages != hosts/2*3 || summary.Reasons[crawl.Disallowed] != hosts/2*3 {
		t.Errorf("%d pages, %v", pages, summary.Named())
	}
	if highest > most {
		t.Errorf("%d requests were under way to the address at once, and %d may be", highest, most)
	}
}
