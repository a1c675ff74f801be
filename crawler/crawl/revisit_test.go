package crawl_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A changing is a site with one page that changes at each visit, and others that never change.
type changing struct {
	mu    sync.Mutex
	asked map[string][]time.Time
	bare  int           // requests without a validator for the page that has one
	some  chan struct{} // closed after three requests for the changing page
	full  chan struct{} // closed after 15
}

func (s *changing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := r.URL.Path
	n := len(s.asked[path])
	text := func(word string) { fmt.Fprintf(w, "<title>%s</title><p>%s", path, strings.Repeat(word+" ", 60)) }
	switch path {
	case "/":
		fmt.Fprint(w, "<a href=changes>a</a> <a href=stays>b</a> <a href=validator>c</a>")
	case "/changes":
		text(fmt.Sprintf("word%d", n))
	case "/stays":
		text("always")
		fmt.Fprint(w,
			"<a rel=nofollow href=closed>a</a> <a href=mailto:a@b.example>b</a> <a href=https://elsewhere.example/>c</a>")
	case "/validator":
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
		} else {
			s.bare++
			text("validated")
		}
	default:
		http.NotFound(w, r)
		return
	}
	s.asked[path] = append(s.asked[path], time.Now())
	if path == "/changes" {
		switch n {
		case 2:
			close(s.some)
		case 14:
			close(s.full)
		}
	}
}

// TestVisitsAgain crawls a site continuously, is stopped, and continues. Pages that change must
// be visited more often than others, but not before their interval is over, and with a
// validator if the page has one. The archive must not get the same content twice.
func TestVisitsAgain(t *testing.T) {
	t.Parallel()
	const shortest = 40 * time.Millisecond
	site := &changing{asked: make(map[string][]time.Time), some: make(chan struct{}), full: make(chan struct{})}
	server := httptest.NewServer(site)
	defer server.Close()
	dir := t.TempDir()
	run := func(until <-chan struct{}) *crawl.Summary {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			select {
			case <-until:
				cancel()
			case <-ctx.Done():
			}
		}()
		c := &crawl.Config{
			Dir: dir, UserAgent: "TestBot/1.0 (+https://example.com/bot)",
			DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
			Pauses:     crawl.Pauses{MinDelay: time.Millisecond, Slowness: -1, AddressGap: -1, AddressBudget: -1},
			Archive:    &warc.Options{},
			Revisits:   &crawl.Revisits{First: 2 * shortest, Min: shortest, Max: time.Minute},
		}
		summary, err := crawl.New(*c).Run(ctx, server.URL+"/")
		fatal.If(t, err)
		return summary
	}
	run(site.some)
	summary := run(site.full)
	if summary.Finished || summary.Counts.Seen != 4 {
		t.Errorf("%+v", summary)
	}
	site.mu.Lock()
	defer site.mu.Unlock()
	for path, times := range site.asked {
		for i := 1; i < len(times); i++ {
			if pause := times[i].Sub(times[i-1]); pause < shortest-5*time.Millisecond {
				t.Errorf("%s was visited again after %v", path, pause)
			}
		}
	}
	if changes, stays := len(site.asked["/changes"]), len(site.asked["/stays"]); changes <= stays || stays < 2 {
		t.Errorf("what changes was visited %d times, and what does not %d times", changes, stays)
	}
	// The links of a page that is visited again are counted already.
	for _, why := range []result.Reason{result.Nofollow, result.OtherScheme, result.OutOfScope} {
		if n := summary.Reasons[why]; n != 1 {
			t.Errorf("%d links are refused as %v, want 1", n, why)
		}
	}
	if site.bare != 1 {
		t.Errorf("the page with a validator was asked for %d times without it", site.bare)
	}
	types := make(map[string]int)
	for record := range archived(t, dir) {
		types[record.Type()+" "+record.Header.Get("WARC-Profile")+" "+
			record.Header.Get("WARC-Target-URI")[len(server.URL):]]++
	}
	for what, want := range map[string]int{
		"response  /stays": 1, "response  /validator": 1, "response  /changes": len(site.asked["/changes"]),
		"revisit " + string(warc.IdenticalPayload) + " /stays":     len(site.asked["/stays"]) - 1,
		"revisit " + string(warc.NotModified) + " /validator":      len(site.asked["/validator"]) - 1,
		"revisit " + string(warc.IdenticalPayload) + " /validator": 0,
	} {
		if types[what] != want {
			t.Errorf("the archive has %q %d times, want %d", what, types[what], want)
		}
	}
}

// archived yields the records of a crawl's archive, without those of type warcinfo.
func archived(t *testing.T, dir string) func(func(*warc.Record) bool) {
	return func(yield func(*warc.Record) bool) {
		names, err := filepath.Glob(filepath.Join(dir, "archive", "*.warc.gz*"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no archives: %v", err)
		}
		for _, name := range names {
			f, err := os.Open(name)
			fatal.If(t, err)
			defer f.Close()
			r := warc.NewReader(f)
			for {
				record, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if record.Type() != "warcinfo" && !yield(record) {
					return
				}
			}
		}
	}
}
