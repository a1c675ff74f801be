package crawl

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMemo: entries that were written can be read again, until the journal has them.
func TestMemo(t *testing.T) {
	dir := t.TempDir()
	m, err := openMemo(dir)
	fatal.If(t, err)
	made := func(name string, partition uint8, strikes int) *host {
		h := &host{origin: "https://" + name + ".example", partition: partition}
		for range strikes {
			h.pace.Begin(time.Now())
			h.pace.End(&pace.Pauses{}, time.Now(), pace.Outcome{})
		}
		return h
	}
	a, b, c, d, e := made("a", 1, 7), made("b", 2, 0), made("c", 0, 1), made("d", 3, 8), made("e", 0, 9)
	release := func(h *host) error {
		m.release(h.origin)
		return nil
	}
	for _, err := range []error{
		m.begin(a), m.end(a), release(a), // the journal has this state once the previous file is forgotten
		m.begin(b), release(b), // the queued state does not have the open request
		m.begin(d), m.end(d), m.end(d), // only the memo has this state
		m.begin(e), m.end(e), m.begin(e), // the memo also has the pace before the open request
		m.turn(),
		m.begin(c), m.end(c), m.begin(c),
	} {
		fatal.If(t, err)
	}
	hosts := map[string]*host{a.origin: a, b.origin: b, c.origin: c, d.origin: d, e.origin: e}
	open := map[*host]bool{b: true, c: true, e: true}
	check := func(n int) {
		t.Helper()
		all, _, err := m.read()
		if err != nil || len(all) != n {
			t.Fatalf("%d hosts, %v", len(all), err)
		}
		for _, o := range all {
			var got host
			fatal.If(t, o.restore(&got))
			h := hosts[o.origin]
			if o.open != open[h] || o.partition != h.partition || got.pace.Strikes() != h.pace.Strikes() {
				t.Errorf("%+v with %d strikes", o, got.pace.Strikes())
			}
		}
	}
	check(5)
	fatal.If(t, m.forget())
	check(4) // the memo keeps all hosts but a
	data, err := os.ReadFile(filepath.Join(dir, memoName))
	fatal.If(t, err)
	for n := range data { // torn at each byte
		fatal.If(t, os.WriteFile(filepath.Join(dir, memoName), data[:n], 0o666))
		if all, _, err := m.read(); err != nil || len(all) > 4 {
			t.Fatalf("%d bytes: %d hosts, %v", n, len(all), err)
		}
	}
	fatal.If(t, m.clear())
	check(0)
	m.close()
}

// A witness is a cache of robots.txt that reads the memo at each write to the cache.
type witness struct {
	fetch.Cache
	see func()
}

func (w *witness) Put(ctx context.Context, e *fetch.Entry) error {
	w.see()
	return w.Cache.Put(ctx, e)
}

// TestMemoOfRobots serves a robots.txt whose answer asks to come again in a minute. Until the
// policy is decided the memo has an open request, and then the pause of ten minutes: after a kill
// at any time the next run must not ask at once.
func TestMemoOfRobots(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer s.Close()
	c := New(Config{
		Dir: t.TempDir(), UserAgent: "TestBot/1.0 (+https://example.com/bot)", Workers: 1,
		Pauses:     Pauses{MinDelay: time.Millisecond},
		DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	open := 0
	c.config.Attend = func(*Crawl) func() {
		r := c.current.Load()
		r.visitor.robots.cache = &witness{r.visitor.robots.cache, func() {
			if all, _, err := r.shard.memo.read(); err != nil || len(all) != 1 || !all[0].open {
				t.Errorf("before the verdict the memo has %+v, %v", all, err)
			}
			open++
		}}
		var looking sync.WaitGroup
		looking.Go(func() {
			defer cancel()
			for ctx.Err() == nil {
				all, _, err := r.shard.memo.read()
				if err != nil {
					t.Error(err)
					return
				}
				if len(all) == 0 || all[0].open {
					time.Sleep(time.Millisecond)
					continue
				}
				var h host
				if err := all[0].restore(&h); err != nil {
					t.Error(err)
				} else if w := h.pace.Wait(r.pauses(), time.Now()); time.Until(w.At) < 500*time.Second {
					t.Errorf("after the verdict the memo has %v", w)
				}
				return
			}
			t.Error("the memo has no verdict")
		})
		return looking.Wait
	}
	if _, err := c.Run(ctx, s.URL); err != nil {
		t.Fatal(err)
	}
	if open != 1 {
		t.Errorf("robots.txt was kept %d times", open)
	}
}
