package crawl

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
)

// A ring is a set of hosts whose paths are redirects, texts of robots.txt, or pages. In the
// targets of redirects {0} means the first host.
type ring struct {
	names *strings.Replacer
	hosts []*httptest.Server

	mu    sync.Mutex
	asked []string // requests for robots.txt, with the number of the host
	pages map[string]int
	last  []time.Time
	early int // requests that came too early
}

const ringDelay = 20 * time.Millisecond

func newRing(t *testing.T, answers ...map[string]string) *ring {
	r := &ring{pages: make(map[string]int), last: make([]time.Time, len(answers))}
	var names []string
	for i := range answers {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			r.mu.Lock()
			defer r.mu.Unlock()
			if time.Since(r.last[i]) < ringDelay {
				r.early++
			}
			defer func() { r.last[i] = time.Now() }()
			text, ok := answers[i][req.URL.Path]
			if !ok {
				r.pages[fmt.Sprint(i, req.URL.Path)]++
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, `<a href="/closed">a</a>`)
				return
			}
			r.asked = append(r.asked, fmt.Sprint(i, req.URL.Path))
			if to, ok := strings.CutPrefix(text, "to "); ok {
				http.Redirect(w, req, r.names.Replace(to), http.StatusFound)
				return
			}
			if tag := req.Header.Get("If-None-Match"); tag != "" {
				w.Header().Set("ETag", `"other"`)
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, text)
		}))
		t.Cleanup(s.Close)
		r.hosts = append(r.hosts, s)
		names = append(names, fmt.Sprintf("{%d}", i), s.URL)
	}
	r.names = strings.NewReplacer(names...)
	return r
}

// crawl returns a crawl with the pauses that ring expects.
func (r *ring) crawl(t *testing.T) *Crawl {
	return New(Config{
		Dir: t.TempDir(), UserAgent: "TestBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true}, Workers: 4,
		Pauses: Pauses{MinDelay: ringDelay, Slowness: -1, AddressGap: -1, AddressBudget: -1},
	})
}

// TestHopChains checks that redirects of robots.txt are followed, one request in a turn and
// five at most, to other hosts, to the same host, and in circles. The text applies to the
// first host.
func TestHopChains(t *testing.T) {
	const closed = "User-agent: *\nDisallow: /closed\n"
	for name, test := range map[string]struct {
		hosts  []map[string]string
		asked  string // requests for robots.txt, only of the first host, in order
		closed int    // requests for the closed page of the first host
	}{
		"same host": {[]map[string]string{{"/robots.txt": "to /a", "/a": "to /b", "/b": closed}},
			"0/robots.txt 0/a 0/b", 0},
		"five": {[]map[string]string{{"/robots.txt": "to {1}/a", "/c": "to {1}/d"},
			{"/a": "to {2}/b", "/d": "to {2}/e"}, {"/b": "to {0}/c", "/e": closed}},
			"0/robots.txt 1/a 2/b 0/c 1/d 2/e", 0},
		"six": {[]map[string]string{{"/robots.txt": "to {1}/a", "/b": "to {1}/c", "/d": "to {1}/e", "/f": closed},
			{"/a": "to {0}/b", "/c": "to {0}/d", "/e": "to {0}/f"}},
			"0/robots.txt 1/a 0/b 1/c 0/d 1/e", 1},
		"circle": {[]map[string]string{{"/robots.txt": "to {1}/a"}, {"/a": "to {0}/robots.txt"}},
			"0/robots.txt 1/a 0/robots.txt 1/a 0/robots.txt 1/a", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRing(t, test.hosts...)
			summary, err := r.crawl(t).Run(t.Context(), r.hosts[0].URL)
			if err != nil || !summary.Finished {
				t.Fatalf("%+v, %v", summary, err)
			}
			if got := strings.Join(r.asked, " "); got != test.asked {
				t.Errorf("it asked for %s, want %s", got, test.asked)
			}
			if r.pages["0/"] != 1 || r.pages["0/closed"] != test.closed || r.early > 0 {
				t.Errorf("it visited %v, want /closed %d times; %d requests were early", r.pages, test.closed, r.early)
			}
		})
	}
}

// TestHopMutual crawls hosts whose robots.txt redirect to each other.
func TestHopMutual(t *testing.T) {
	t.Parallel()
	r := newRing(t, map[string]string{"/robots.txt": "to {1}/robots.txt"},
		map[string]string{"/robots.txt": "to {0}/robots.txt"})
	summary, err := r.crawl(t).Run(t.Context(), r.hosts[0].URL, r.hosts[1].URL)
	if err != nil || !summary.Finished || r.pages["0/"] != 1 || r.pages["1/"] != 1 || len(r.asked) != 12 ||
		r.early > 0 {
		t.Errorf("%+v, %v: it asked for %v and %v, %d times early", summary, err, r.asked, r.pages, r.early)
	}
}

// TestHopDead checks that a redirect to an unreachable host makes the first host unreachable.
func TestHopDead(t *testing.T) {
	t.Parallel()
	r := newRing(t, map[string]string{"/robots.txt": "to {1}/a"}, nil)
	r.hosts[1].Close()
	c := r.crawl(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var done sync.WaitGroup
	done.Go(func() { c.Run(ctx, r.hosts[0].URL) })
	defer done.Wait()
	defer cancel()
	for {
		hosts, _ := c.HostStatus(ctx, r.hosts[0].URL, 0)
		if len(hosts) == 1 && hosts[0].Robots != nil && hosts[0].Wait == "unreachable" {
			if hosts[0].Robots.State != fetch.Unreachable || len(r.pages) > 0 {
				t.Errorf("%+v, %v", hosts[0].Robots, r.pages)
			}
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%+v", hosts)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestHopForgets checks that a server that confirms a different text from the one in the
// request gets a second request, in a separate turn.
func TestHopForgets(t *testing.T) {
	t.Parallel()
	r := newRing(t, map[string]string{"/robots.txt": "User-agent: *\nDisallow: /closed\n"})
	c := r.crawl(t)
	c.config.Attend = func(*Crawl) func() {
		long := time.Now().Add(-48 * time.Hour).UTC()
		policy := robots.Parse([]byte("User-agent: *\nDisallow: /\n"))
		origin := r.hosts[0].URL
		err := c.current.Load().visitor.robots.cache.Put(t.Context(), &fetch.Entry{
			Origin: origin, State: fetch.OK, CheckedAt: long, FreshUntil: long, URL: origin +
				"/robots.txt", Status: 200,
			File: &fetch.File{FetchedAt: long, ConfirmedAt: long, URL: origin + "/robots.txt",
				SHA256: strings.Repeat("0", 64), ETag: `"one"`, Policy: policy},
		})
		if err != nil {
			t.Error(err)
		}
		return func() {}
	}
	summary, err := c.Run(t.Context(), r.hosts[0].URL)
	if err != nil || strings.Join(r.asked, " ") != "0/robots.txt 0/robots.txt" || r.pages["0/"] != 1 ||
		r.pages["0/closed"] != 0 || r.early > 0 {
		t.Errorf("%+v, %v: it asked for %v and %v, %d times early", summary, err, r.asked, r.pages, r.early)
	}
}

// TestHopReplay checks that a fetch starts again if a request differs from the one that a step
// answered.
func TestHopReplay(t *testing.T) {
	h := &host{origin: "http://a.example"}
	first := step{url: "http://a.example/robots.txt", conditional: true, status: 304, etag: `"other"`}
	for _, conditional := range []bool{true, false} {
		tr := &robotsTransport{host: h, hop: &hop{of: h, steps: []step{first}}}
		r, _ := http.NewRequest("GET", first.url, nil)
		if conditional {
			r.Header.Set("If-None-Match", `"one"`)
		}
		resp, err := tr.RoundTrip(r)
		if conditional && (err != nil || resp.StatusCode != 304 || resp.Header.Get("ETag") != first.etag ||
			tr.next != nil) {
			t.Errorf("got %v, %v", resp, err)
		}
		if !conditional && (err == nil || tr.next == nil || len(tr.next.steps) > 0 || tr.next.url != first.url) {
			t.Errorf("got %v, %v, next %+v", resp, err, tr.next)
		}
	}
}
