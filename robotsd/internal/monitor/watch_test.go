package monitor_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// serve returns a Looker of sites that answer as a function says.
func serve(answer func(r *http.Request) (status int, text string)) *monitor.Looker {
	return &monitor.Looker{Lookup: noAddress, Transport: answers(func(r *http.Request) (int, string, string, error) {
		status, text := answer(r)
		if status == 0 {
			return 0, "", "", errors.New("no route to host")
		}
		return status, "", text, nil
	})}
}

// noAddress is the DNS of sites that have no addresses.
func noAddress(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("no such host") }

func sites(n int) (all []monitor.Site) {
	for i := range n {
		all = append(all, monitor.Site{URL: fmt.Sprintf("https://%d.example", i)})
	}
	return all
}

// watch runs a monitor for some time in a bubble.
func watch(t *testing.T, c monitor.Config, d time.Duration) {
	t.Helper()
	m, err := monitor.New(c)
	fatal.If(t, err)
	defer m.Close()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	m.Run(ctx)
	synctest.Wait() // for fetches that were cancelled
}

// once has a monitor look at each site once.
func once(t *testing.T, c monitor.Config) {
	t.Helper()
	m, err := monitor.New(c)
	fatal.If(t, err)
	defer m.Close()
	m.Once(t.Context())
}

// TestRun checks that each site is looked at in its interval, and that an address rests between two
// looks.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, addresses = 60, 7
		var mu sync.Mutex
		looks, last, under := make(map[string][]time.Time), make(map[string]time.Time), 0
		looker := serve(func(r *http.Request) (int, string) {
			addr := addressOf(r.URL.Host, addresses)
			if trace := httptrace.ContextClientTrace(r.Context()); trace != nil {
				trace.GotConn(httptrace.GotConnInfo{Conn: connection(addr)})
			}
			mu.Lock()
			under++
			if under > 5 {
				t.Errorf("%d looks at a time", under)
			}
			if rested := time.Since(last[addr]); !last[addr].IsZero() && rested < 250*time.Millisecond {
				t.Errorf("%s rested for %s", addr, rested)
			}
			looks[r.URL.Host] = append(looks[r.URL.Host], time.Now())
			mu.Unlock()
			select {
			case <-time.After(100 * time.Millisecond):
			case <-r.Context().Done():
			}
			mu.Lock()
			under--
			last[addr] = time.Now()
			mu.Unlock()
			return 404, ""
		})
		looker.Lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr(addressOf(host, addresses))}, nil
		}
		watch(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(n), Concurrency: 5}, time.Hour)
		for host, times := range looks {
			if len(times) < 6 || len(times) > 7 {
				t.Errorf("%s was looked at %d times in an hour", host, len(times))
			}
			for i := 1; i < len(times); i++ {
				if gap := times[i].Sub(times[i-1]); gap < 8*time.Minute || gap > 12*time.Minute {
					t.Errorf("%s was looked at again after %s", host, gap)
				}
			}
		}
		if len(looks) != n {
			t.Errorf("%d sites were looked at, want %d", len(looks), n)
		}
	})
}

// addressOf returns the address of a site of sites, of so many.
func addressOf(host string, addresses int) string {
	i := 0
	fmt.Sscan(strings.TrimSuffix(host, ".example"), &i)
	return fmt.Sprintf("192.0.2.%d", i%addresses)
}

// A connection is a net.Conn to an address.
type connection string

func (c connection) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.ParseIP(string(c)), Port: 443}
}
func (connection) LocalAddr() net.Addr              { return nil }
func (connection) Read([]byte) (int, error)         { return 0, nil }
func (connection) Write([]byte) (int, error)        { return 0, nil }
func (connection) Close() error                     { return nil }
func (connection) SetDeadline(time.Time) error      { return nil }
func (connection) SetReadDeadline(time.Time) error  { return nil }
func (connection) SetWriteDeadline(time.Time) error { return nil }

// TestOutage checks that an outage of the watch's own network is not an incident of its sites, and
// that one of a site is.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		looker := serve(func(r *http.Request) (int, string) {
			since := time.Since(start)
			if since > 30*time.Minute && since < 2*time.Hour || since > 3*time.Hour && r.URL.Host == "7.example" {
				return 0, ""
			}
			return 200, texts["live"]
		})
		var got []string
		held := 0
		subscription := monitor.Subscription{Name: "a", Receiver: receiver(func(e *monitor.Event) error {
			for _, u := range e.Updates {
				got = append(got, fmt.Sprint(e.Origin, " ", u.Step, " ", u.Finding.Kind))
			}
			return nil
		})}
		watch(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(30),
			Subscriptions: []monitor.Subscription{subscription}, Looked: func(l monitor.Look) {
				if l.Held {
					held++
				}
			}}, 4*time.Hour)
		if want := "https://7.example begun unreachable"; strings.Join(got, ", ") != want || held < 30 {
			t.Errorf("got %q, want %q; %d looks were held", got, want, held)
		}
	})
}

// TestOutageSpread has 30 sites with a look at one of them each twenty seconds, so that only a few
// fail within the minute between the first failing look at a site and the second.
func TestOutageSpread(t *testing.T) {
	var o monitor.Outage
	again := make(map[int]string) // the site that is looked at again at a turn
	turn := 0
	// look looks at the next site, and, after three turns, again at those that failed.
	look := func(fails func(origin string) bool) (counted []string) {
		t.Helper()
		origin := fmt.Sprint(turn % 30)
		turn++
		if fails(origin) {
			if o.See(origin, true) {
				t.Errorf("turn %d: the first failing look at site %s is held", turn, origin)
			}
			again[turn+3] = origin
		} else if o.See(origin, false) {
			t.Errorf("turn %d: a look that was answered is held", turn)
		}
		if second, ok := again[turn]; ok {
			if failing := fails(second); !o.See(second, failing) && failing {
				counted = append(counted, second)
			}
		}
		return counted
	}
	for range 60 {
		look(func(string) bool { return false })
	}
	for range 7 { // with more, most of the last sites fail
		if counted := look(func(string) bool { return true }); len(counted) > 0 {
			t.Errorf("the outage is a failure of the sites %v", counted)
		}
	}
	for range 60 {
		look(func(string) bool { return false })
	}
	var counted []string
	for range 60 {
		counted = append(counted, look(func(origin string) bool { n, _ := strconv.Atoi(origin); return n%10 == 0 })...)
	}
	if len(counted) < 2 {
		t.Errorf("only the failures of %v count, while the other sites answer", counted)
	}
	few := new(monitor.Outage)
	for range 2 {
		if few.See("a", true) {
			t.Error("a watch of one site holds its failure")
		}
	}
}

// TestBadCertificates checks that bad certificates of most sites are incidents, and no outage of
// the watch's own network.
func TestBadCertificates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looker := &monitor.Looker{Lookup: noAddress,
			Transport: answers(func(*http.Request) (int, string, string, error) {
				return 0, "", "", &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
			})}
		told := make(map[string]bool)
		subscription := monitor.Subscription{Name: "a", Receiver: receiver(func(e *monitor.Event) error {
			for _, u := range e.Updates {
				told[fmt.Sprint(e.Origin, " ", u.Finding.Kind)] = true
			}
			return nil
		})}
		watch(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(30),
			Subscriptions: []monitor.Subscription{subscription}, Looked: func(l monitor.Look) {
				if l.Held {
					t.Errorf("the look at %s does not count", l.Observation.Origin)
				}
			}}, time.Hour)
		for _, s := range sites(30) {
			if !told[fmt.Sprint(s.URL, " ", monitor.Certificate)] {
				t.Errorf("the bad certificate of %s is not told", s.URL)
			}
		}
	})
}

func TestOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		text := texts["live"]
		var ids []string
		down := true
		c := monitor.Config{Dir: dir, Looker: serve(func(*http.Request) (int, string) { return 200, text }),
			Sites: sites(40)}
		c.Subscriptions = []monitor.Subscription{
			{Name: "all", Receiver: receiver(func(e *monitor.Event) error {
				if down {
					return errors.New("down")
				}
				ids = append(ids, e.ID)
				return nil
			})},
			{Name: "none", Least: monitor.Critical + 1,
				Receiver: receiver(func(*monitor.Event) error { t.Error("an event below the least severity was sent"); return nil })},
		}
		var findings []monitor.Finding
		c.Looked = func(l monitor.Look) {
			if l.Err != nil || l.Held {
				t.Errorf("got %+v", l)
			}
			findings = append(findings, l.Findings...)
		}
		failed := 0
		c.Failed = func(error) { failed++ }
		once(t, c)
		if len(findings) != 0 {
			t.Errorf("the first looks find %v", findings)
		}
		text = texts["staging"]
		once(t, c)
		if len(findings) != 40 || brief(findings[:1]) != "closed-site critical" || failed != 1 || len(ids) != 0 {
			t.Errorf("%d findings, %d failures, events %q", len(findings), failed, ids)
		}
		down = false
		once(t, c)
		if len(ids) != 40 {
			t.Errorf("%d of 40 events were sent after the receiver was down", len(ids))
		}
	})
}

func TestNew(t *testing.T) {
	nothing := receiver(func(*monitor.Event) error { return nil })
	for _, c := range []monitor.Config{
		{Sites: []monitor.Site{{URL: "ftp://a.example"}}},
		{Sites: []monitor.Site{{URL: "https://a.example/x"}, {URL: "https://A.example:443/y"}}},
		{Subscriptions: []monitor.Subscription{{Name: "a"}}},
		{Subscriptions: []monitor.Subscription{{Receiver: nothing}}},
		{Subscriptions: []monitor.Subscription{{Name: "a", Receiver: nothing}, {Name: "a", Receiver: nothing}}},
	} {
		c.Dir = t.TempDir()
		if _, err := monitor.New(c); err == nil {
			t.Errorf("%+v is not an error", c)
		}
	}
}
