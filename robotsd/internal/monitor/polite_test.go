package monitor_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// A restingServer notes how long the addresses of its sites rested between two requests: from the
// end of an answer to the next request.
type restingServer struct {
	mu       sync.Mutex
	open     map[string]int // requests under way, by address
	ended    map[string]time.Time
	shortest time.Duration
	requests int
}

func newRestingServer() *restingServer {
	return &restingServer{open: make(map[string]int), ended: make(map[string]time.Time), shortest: time.Hour}
}

// request notes a request to some addresses, and returns what ends it.
func (s *restingServer) request(addrs ...string) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	for _, addr := range addrs {
		if ended := s.ended[addr]; !ended.IsZero() {
			s.shortest = min(s.shortest, time.Since(ended))
		}
		if s.open[addr]++; s.open[addr] > 1 {
			s.shortest = 0
		}
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, addr := range addrs {
			s.open[addr]--
			s.ended[addr] = time.Now()
		}
	}
}

// TestFirstLooks looks once at sites that share real servers: each site is on a port of its own,
// and one address has several sites. Then it looks at sites whose names have two addresses, in any
// order: whichever the dialler takes, each rests.
func TestFirstLooks(t *testing.T) {
	t.Parallel()
	server := newRestingServer()
	var all []monitor.Site
	for i := range 8 {
		addr := fmt.Sprintf("127.0.0.%d", 1+i%2)
		listener, err := net.Listen("tcp", addr+":0")
		if err != nil {
			addr = "127.0.0.1" // not every system has the others
			if listener, err = net.Listen("tcp", addr+":0"); err != nil {
				t.Fatal(err)
			}
		}
		site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer server.request(addr)()
			http.NotFound(w, r)
		}))
		site.Listener.Close()
		site.Listener = listener
		site.Start()
		defer site.Close()
		all = append(all, monitor.Site{URL: site.URL})
	}
	once(t, monitor.Config{Dir: t.TempDir(), Sites: all,
		Looker: &monitor.Looker{Transport: fetch.DialFilter{AllowPrivate: true}.Transport()}})
	if server.requests != len(all) || server.shortest < 250*time.Millisecond {
		t.Errorf("%d requests for %d sites, and an address rested for %v", server.requests, len(all), server.shortest)
	}
}

// TestAddressesOfSites has sites with several addresses each, of which a look takes any, and others
// than the DNS said. No address has two looks within a quarter of a second, except to an address
// that the DNS did not know.
func TestAddressesOfSites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newRestingServer()
		both := []string{"192.0.2.1", "192.0.2.2"}
		lookups, elsewhere := 0, 0
		looker := serve(func(r *http.Request) (int, string) {
			addr := both[rand.N(2)]
			if strings.HasPrefix(r.URL.Host, "7.") {
				addr = fmt.Sprintf("192.0.2.%d", 3+elsewhere) // another one each time
				elsewhere++
			}
			httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{Conn: connection(addr)})
			end := server.request(addr)
			time.Sleep(rand.N(400 * time.Millisecond))
			end()
			return 404, ""
		})
		looker.Lookup = func(context.Context, string) ([]netip.Addr, error) {
			lookups++
			return []netip.Addr{netip.MustParseAddr("::ffff:" + both[lookups%2]),
				netip.MustParseAddr(both[(lookups+1)%2])}, nil
		}
		watch(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(100)}, 59*time.Minute)
		if server.shortest < 250*time.Millisecond {
			t.Errorf("an address rested for %v", server.shortest)
		}
		if server.requests < 590 {
			t.Errorf("%d looks at 100 sites", server.requests)
		}
		if lookups < 104 || lookups > 106 {
			t.Errorf("%d lookups: want one for each site, and one for each look at the site that moves", lookups)
		}
	})
}

// TestManyAtOneAddress looks once at many sites at one address, each with a pause.
func TestManyAtOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 2000
		server := newRestingServer()
		looker := serve(func(r *http.Request) (int, string) {
			defer server.request("192.0.2.1")()
			return 404, ""
		})
		looker.Lookup = func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
		}
		start := time.Now()
		once(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(n)})
		if server.requests != n || server.shortest < 250*time.Millisecond ||
			time.Since(start) > n*251*time.Millisecond {
			t.Errorf("%d looks, the shortest pause is %v, and all took %v", server.requests, server.shortest,
				time.Since(start))
		}
	})
}

// TestRetryAfter checks that a site that asks for time is left alone for this time, also after a
// restart, and that its failure is reported at once.
func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var asked []time.Duration
		header := "Retry-After: 5400"
		looker := &monitor.Looker{Lookup: noAddress,
			Transport: answers(func(r *http.Request) (int, string, string, error) {
				if r.URL.Path == "/page" {
					t.Error("a page was requested from a site that asks for time")
				}
				asked = append(asked, time.Since(start))
				if len(asked) == 2 {
					header = "Retry-After: " + time.Now().Add(30*24*time.Hour).UTC().Format(http.TimeFormat)
				}
				return 503, header, "", nil
			})}
		var told []string
		c := monitor.Config{Dir: t.TempDir(), Looker: looker,
			Sites: []monitor.Site{{URL: "https://a.example", Pages: []string{"https://a.example/page"}}}}
		c.Looked = func(l monitor.Look) {
			for _, u := range l.Updates {
				told = append(told, fmt.Sprint(u.Step, " ", u.Finding.Kind, " ", time.Since(start) < time.Minute))
			}
		}
		watch(t, c, time.Hour)
		if fmt.Sprint(asked) != "[0s]" || fmt.Sprint(told) != "[begun unreachable true]" {
			t.Errorf("asked at %v, told %q", asked, told)
		}
		failed := ""
		early := c
		early.Looked = func(l monitor.Look) { failed = fmt.Sprint(l.Err) }
		once(t, early)
		if !strings.Contains(failed, "Retry-After") {
			t.Errorf("a look before its time: %s", failed)
		}
		watch(t, c, 30*time.Hour) // a day is the most that counts
		if len(asked) != 3 || asked[1] < 90*time.Minute || asked[1] > 2*time.Hour || asked[2]-asked[1] < 24*time.Hour ||
			asked[2]-asked[1] > 25*time.Hour {
			t.Errorf("asked at %v", asked)
		}
	})
}

// TestRetryAfterOfHeader checks that a site that asks another header for time is left alone as a
// whole, that this is reported at once, and that neither its pages nor the other headers seem to
// have changed.
func TestRetryAfterOfHeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var asked []string
		looker := &monitor.Looker{UserAgent: "ExampleWatch/1.0", Lookup: noAddress,
			Transport: answers(func(r *http.Request) (int, string, string, error) {
				since, agent := time.Since(start), r.Header.Get("User-Agent")
				limited := since > 35*time.Minute && since < 150*time.Minute
				if limited {
					asked = append(asked, fmt.Sprint(agent, " ", r.URL.Path))
				}
				switch {
				case r.URL.Path == "/page" && since > 15*time.Minute:
					return 410, "", "", nil
				case agent == "OtherBot/1.0" && since > 15*time.Minute:
					return 200, "", texts["staging"], nil
				case agent == "GPTBot/1.2" && limited:
					return 429, "Retry-After: 7200", "", nil
				}
				return 200, "", texts["live"], nil
			})}
		c := monitor.Config{Dir: t.TempDir(), Looker: looker,
			Sites: []monitor.Site{{URL: "https://a.example", As: []string{"GPTBot/1.2", "OtherBot/1.0"},
				Pages: []string{"https://a.example/page"}}}}
		var told []string
		c.Looked = func(l monitor.Look) {
			for _, u := range l.Updates {
				told = append(told, fmt.Sprint(u.Step, " ", u.Finding.Kind, " ", u.Finding.Subject, " ",
					u.Finding.After))
			}
		}
		watch(t, c, time.Hour)
		watch(t, c, time.Hour+30*time.Minute) // another process
		if got, want := strings.Join(asked, ", "),
			"ExampleWatch/1.0 /robots.txt, ExampleWatch/1.0 /page, GPTBot/1.2 /robots.txt"; got != want {
			t.Errorf("after the limit the requests are %s, want %s", got, want)
		}
		watch(t, c, 2*time.Hour)
		want := []string{"begun page https://a.example/page 410", "begun vantage OtherBot/1.0 ",
			"begun vantage GPTBot/1.2 429", "ended vantage GPTBot/1.2 429"}
		if !slices.Equal(told, want) {
			t.Errorf("got %q, want %q", told, want)
		}
	})
}
