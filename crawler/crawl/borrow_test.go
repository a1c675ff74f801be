package crawl_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
)

// TestBorrowAtOnce has the robots.txt of many hosts redirect to one host without pages to
// visit. The frontier forgets that host as soon as its state is in the store, and each hop
// finds that another request to it has just ended.
func TestBorrowAtOnce(t *testing.T) {
	t.Parallel()
	const hosts, delay = 16, 100 * time.Millisecond
	var (
		mu   sync.Mutex
		last time.Time
	)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if gap := time.Since(last); gap < delay {
			t.Errorf("asked again after %v", gap)
		}
		fmt.Fprint(w, "User-agent: *\nAllow: /\n")
		last = time.Now()
	}))
	defer other.Close()
	var seeds []string
	for range hosts {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.Redirect(w, r, other.URL+"/rules", http.StatusFound)
			}
		}))
		defer s.Close()
		seeds = append(seeds, s.URL)
	}
	c := newCrawler(t)
	c.Pauses = crawl.Pauses{AddressGap: -1, AddressBudget: -1, MinDelay: delay, Slowness: -1}
	if summary, err := crawl.New(*c).Run(t.Context(), seeds...); err != nil || summary.Pages != hosts {
		t.Errorf("%+v, %v", summary, err)
	}
}

// TestBorrow has a robots.txt redirect to a host that asks for a pause longer than a request
// for robots.txt may take. The pause does not count against the first host: it waits until the
// other host may be requested, and is crawled then.
func TestBorrow(t *testing.T) {
	t.Parallel()
	const alone = 8 * time.Second
	var (
		mu      sync.Mutex
		asked   = make(map[string]int) // the first host
		refused time.Time              // when the other host asked for a pause
		early   bool
	)
	gone := make(chan struct{}) // closed at that time
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case refused.IsZero():
			refused = time.Now()
			w.Header().Set("Retry-After", fmt.Sprint(alone.Seconds()))
			w.WriteHeader(http.StatusServiceUnavailable)
			close(gone)
		default:
			early = early || time.Since(refused) < alone
			fmt.Fprint(w, "User-agent: *\nDisallow: /closed\n")
		}
	}))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			<-gone
			http.Redirect(w, r, other.URL+"/rules", http.StatusFound)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path]++
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<a href="/page">a</a> <a href="/closed">b</a>`)
	}))
	defer first.Close()
	c := newCrawler(t)
	c.Limits.Timeout, c.Patience = 6*time.Second, -1
	c.Pauses = crawl.Pauses{AddressGap: -1, AddressBudget: -1, MinDelay: time.Millisecond, Slowness: -1}
	summary, err := crawl.New(*c).Run(t.Context(), other.URL, first.URL)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if fmt.Sprint(asked) != fmt.Sprint(map[string]int{"/": 1, "/page": 1}) {
		t.Errorf("the first host was asked for %v: %v", asked, summary.Reasons)
	}
	if early {
		t.Error("the other host was not left alone")
	}
}

// TestBorrowAddress has the robots.txt of hosts at many addresses redirect to hosts at one
// address. Open requests to that address stay within the limit, though none of its hosts has a
// queue.
func TestBorrowAddress(t *testing.T) {
	t.Parallel()
	const hosts, most = 8, 2
	var requests meter
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.hold(most, 20*time.Millisecond)
		fmt.Fprint(w, "User-agent: *\nAllow: /\n")
	}))
	defer other.Close()
	port := other.Listener.Addr().(*net.TCPAddr).Port
	c := newCrawler(t)
	c.Workers, c.PerAddress = hosts, most
	c.Pauses = crawl.Pauses{AddressGap: -1, AddressBudget: -1, MinDelay: time.Millisecond, Slowness: -1}
	c.Lookup = func(_ context.Context, name string) ([]netip.Addr, error) {
		addr := netip.MustParseAddr("127.0.0.1")
		if n, ok := strings.CutPrefix(name, "first"); ok {
			addr = netip.MustParseAddr("127.0.1." + strings.TrimSuffix(n, ".test"))
		}
		return []netip.Addr{addr}, nil
	}
	var seeds []string
	for i := range hosts {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.1.%d:0", 1+i))
		if err != nil {
			t.Skip("this system has one address of loopback: ", err)
		}
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.Redirect(w, r, fmt.Sprintf("http://other%d.test:%d/rules", i, port), http.StatusFound)
			}
		}))
		s.Listener.Close()
		s.Listener = l
		s.Start()
		defer s.Close()
		seeds = append(seeds, fmt.Sprintf("http://first%d.test:%d/", 1+i, l.Addr().(*net.TCPAddr).Port))
	}
	summary, err := crawl.New(*c).Run(t.Context(), seeds...)
	if err != nil || summary.Pages != hosts {
		t.Errorf("%+v, %v", summary, err)
	}
	if requests.highest != most {
		t.Errorf("%d requests were open to one address at once, where %d may be", requests.highest, most)
	}
}
