package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// Many concurrent callers share one request.
func TestFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			step(time.Second)
			text(closed)(w, r)
		})
		var waiting sync.WaitGroup
		for range 100 {
			waiting.Go(func() { check(t, "state", policy(t, c, site).State, fetch.OK) })
		}
		waiting.Wait()
		check(t, "requests", n.count("a.example"), 1)
	})
}

// A caller that stops waiting, even the first one, does not affect the others.
func TestFlightWithoutTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			step(time.Minute / 4)
			text(closed)(w, r)
		})
		why := errors.New("the user went away")
		ctx, cancel := context.WithCancelCause(t.Context())
		var waiting sync.WaitGroup
		waiting.Go(func() {
			_, err := c.Policy(ctx, site)
			if !errors.Is(err, why) {
				t.Errorf("got %v, want %v", err, why)
			}
		})
		synctest.Wait()
		waiting.Go(func() { check(t, "state", policy(t, c, site).State, fetch.OK) })
		synctest.Wait()
		check(t, "waiting", c.Waiting(site), 2)
		cancel(why)
		synctest.Wait()
		check(t, "waiting", c.Waiting(site), 1)
		waiting.Wait()
		check(t, "requests", n.count("a.example"), 1)
	})
}

// When no caller waits any more, the request ends and nothing is cached: the origin does not become
// unreachable.
func TestFlightWithoutAnyone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		var ended atomic.Int64
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			ended.Add(1)
		})
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			var waiting sync.WaitGroup
			for range 3 {
				waiting.Go(func() {
					if _, err := c.Policy(ctx, site); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
					}
				})
			}
			waiting.Wait()
			cancel()
		}
		synctest.Wait()
		check(t, "requests", n.count("a.example"), 2)
		check(t, "ended", ended.Load(), 2)
		n.set("a.example", text(closed))
		r := policy(t, c, site)
		check(t, "state", r.State, fetch.OK)
		check(t, "failures", r.Failures, 0)
	})
}

// A transport that postpones a request ends the fetch, and the cache keeps its entry.
func TestPostponed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://b.example/", http.StatusFound)
		})
		c.Cache = new(fetch.Memory)
		ready := c.Transport
		c.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.URL.Host == "b.example" {
				return nil, fmt.Errorf("b.example is busy: %w", fetch.ErrPostponed)
			}
			return ready.RoundTrip(r)
		})
		if r, err := c.Policy(t.Context(), site); !errors.Is(err, fetch.ErrPostponed) {
			t.Errorf("got %v, %v", r, err)
		}
		if e, err := c.Cache.Get(t.Context(), site); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the cache has %+v, %v", e, err)
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (t roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// With a context that is done, no request is made.
func TestDoneContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := local(t).Policy(ctx, "http://192.0.2.1/")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// Many goroutines, origins and clients use one cache, for the race detector.
func TestConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		hosts := []string{"a.example", "b.example", "c.example", "d.example"}
		for i, host := range hosts {
			n.set(host, []http.HandlerFunc{text(closed, "Cache-Control", "max-age=60"), status(404), status(500),
				hold}[i])
		}
		c.Cache = &fetch.Memory{MaxCost: 7 << 10}
		other := &fetch.Client{Transport: c.Transport, Cache: c.Cache}
		var working sync.WaitGroup
		for i := range 40 {
			working.Go(func() {
				for j := range 30 {
					client := []*fetch.Client{c, other}[(i+j)%2]
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Second)
					r, err := client.Policy(ctx, "http://"+hosts[(i*j)%4]+"/x")
					if err == nil {
						_ = r.String()
						allowed(r.Policy, "/private/x")
					}
					cancel()
					step(time.Duration(i+j) * time.Second)
				}
			})
		}
		working.Wait()
	})
}

// TestSurvey visits many hosts at once. The number of open requests bounds the memory, not the
// number of hosts.
func TestSurvey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		const hosts, workers, limit = 3000, 20, 1 << 20
		memory := &fetch.Memory{MaxCost: limit}
		c.Cache = memory
		for i := range hosts {
			n.set(fmt.Sprintf("%d.example", i), []http.HandlerFunc{text(lines(100)), status(404), status(503),
				nil}[i%4])
		}
		work := make(chan int)
		var working sync.WaitGroup
		states := map[fetch.State]*atomic.Int64{fetch.OK: {}, fetch.Unavailable: {}, fetch.Unreachable: {}}
		for range workers {
			working.Go(func() {
				for i := range work {
					states[policy(t, c, fmt.Sprintf("http://%d.example/", i)).State].Add(1)
				}
			})
		}
		for i := range hosts {
			if open := n.open.Load(); open > 100+workers {
				t.Fatalf("%d connections are open", open)
			}
			work <- i
		}
		close(work)
		working.Wait()
		check(t, "ok", states[fetch.OK].Load(), hosts/4)
		check(t, "unavailable", states[fetch.Unavailable].Load(), hosts/4)
		check(t, "unreachable", states[fetch.Unreachable].Load(), hosts/2)
		kept := int64(0)
		for i := range hosts {
			if e, err := memory.Get(t.Context(), fmt.Sprintf("http://%d.example", i)); err == nil {
				kept += e.Cost()
			}
		}
		check(t, "is bounded", kept <= limit, true)
		c.CloseIdleConnections()
		synctest.Wait()
		check(t, "connections left", n.open.Load(), 0)
	})
}
