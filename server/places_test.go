package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/robotsexclusion/robots/fetch"
)

// TestPlaces has a few clients take all that they get, in turn: each must get a place, whatever the
// others have.
func TestPlaces(t *testing.T) {
	client := func(i int) netip.Prefix { return netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}), 32) }
	for most := 1; most <= 300; most++ {
		p := newPlaces(most)
		held := make([]int, 12)
		for i := range held {
			for p.take(client(i)) {
				held[i]++
			}
			if left := most - p.taken(); left > 0 && held[i] == 0 {
				t.Fatalf("%d places: client %d gets none, and %d are free", most, i, left)
			}
		}
		if most > 2 && held[0] > most/2+1 {
			t.Errorf("%d places: a client alone gets %d", most, held[0])
		}
		for i, n := range held {
			for range n {
				p.give(client(i))
			}
		}
		if p.taken() != 0 || len(p.held) != 0 {
			t.Fatalf("%d places: %d are taken at the end, by %v", most, p.taken(), p.held)
		}
	}
}

// TestGreedyClients has one client take as many requests, bodies and fetches as it gets; another
// client is answered.
func TestGreedyClients(t *testing.T) {
	ask := func(s *Server, client string, r *http.Request) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r.RemoteAddr = client + ":1"
		s.ServeHTTP(w, r)
		return w
	}
	slowBody := func(release chan bool) *http.Request {
		return httptest.NewRequest(http.MethodPost, "/v1/lint",
			readFunc(func([]byte) (int, error) { <-release; return 0, http.ErrBodyReadAfterClose }))
	}
	for name, c := range map[string]struct {
		config Config
		greedy func(i int, release chan bool) *http.Request
		other  func() *http.Request
	}{
		"bodies": {Config{MaxBodies: 8}, func(_ int, release chan bool) *http.Request { return slowBody(release) },
			func() *http.Request {
				return httptest.NewRequest(http.MethodPost, "/v1/lint", strings.NewReader(`{"robots":""}`))
			}},
		"requests": {Config{MaxRequests: 8, MaxBodies: 100},
			func(_ int, release chan bool) *http.Request { return slowBody(release) },
			func() *http.Request {
				return httptest.NewRequest(http.MethodGet, matchOf("https://fast.example/"), nil)
			}},
		"fetches": {Config{MaxFetches: 8}, func(i int, _ chan bool) *http.Request {
			return httptest.NewRequest(http.MethodGet, matchOf(fmt.Sprintf("https://slow-%d.example/", i)), nil)
		}, func() *http.Request {
			return httptest.NewRequest(http.MethodGet, matchOf("https://fast.example/"), nil)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan bool)
				c.config.Client = &fetch.Client{Cache: new(fetch.Memory),
					Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
						if r.URL.Host != "fast.example" {
							<-release
						}
						return oneText("").RoundTrip(r)
					})}
				s := New(c.config)
				var all sync.WaitGroup
				var mu sync.Mutex
				refused := 0
				for i := range 40 {
					all.Go(func() {
						if w := ask(s, "192.0.2.1", c.greedy(i, release)); w.Code == http.StatusServiceUnavailable {
							mu.Lock()
							defer mu.Unlock()
							refused++
						}
					})
				}
				synctest.Wait()
				mu.Lock()
				if refused != 40-5 {
					t.Errorf("%d of 40 greedy requests are refused, want 35", refused)
				}
				mu.Unlock()
				if w := ask(s, "192.0.2.2", c.other()); w.Code != http.StatusOK {
					t.Errorf("another client: %d %s", w.Code, w.Body)
				}
				close(release)
				all.Wait()
				if n := s.requests.taken() + s.bodies.taken() + s.origins.fetches.taken(); n != 0 {
					t.Errorf("%d places are taken at the end", n)
				}
			})
		})
	}
}

type readFunc func(b []byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }
