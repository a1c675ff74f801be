package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawl/result"
)

// TestQueryEncoding: the query of a link is asked for in the encoding of its page, as
// browsers do, and the path in UTF-8.
func TestQueryEncoding(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=windows-1251")
			io.WriteString(w, "<a href='/\xef?q=\xef\xf0&x=&#233;'>a</a><a href='/two?q=\xef\xf0'>the same</a><a href='/two?q=%EF%F0'>again</a>")
		default:
			asked <- r.RequestURI
		}
	}))
	defer s.Close()
	c := newCrawler(t)
	if _, err := c.Run(t.Context(), s.URL); err != nil {
		t.Fatal(err)
	}
	close(asked)
	got := make(map[string]int)
	for url := range asked {
		got[url]++
	}
	if fmt.Sprint(got) != "map[/%D0%BF?q=%EF%F0&x=%26%23233%3B:1 /two?q=%EF%F0:1]" {
		t.Errorf("got %v", got)
	}
}

// TestBroken: a body that breaks off, or cannot be decoded, is no visit. It is asked for
// again, a bounded number of times, and then told; what comes whole the second time is
// a page like others.
func TestBroken(t *testing.T) {
	t.Parallel()
	var cut, garbled, late atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		breakOff := func() {
			w.Header().Set("Content-Length", "100000")
			io.WriteString(w, "<title>Half</title><a href=/never>n</a>")
			w.(http.Flusher).Flush() // or nothing of it is sent
			panic(http.ErrAbortHandler)
		}
		switch r.URL.Path {
		case "/":
			io.WriteString(w, "<a href=/cut>1</a><a href=/garbled>2</a><a href=/late>3</a>")
		case "/cut":
			cut.Add(1)
			breakOff()
		case "/garbled":
			garbled.Add(1)
			w.Header().Set("Content-Encoding", "br")
			io.WriteString(w, "<a href=/never>this is not brotli</a>")
		case "/late":
			if late.Add(1) == 1 {
				breakOff()
			}
			io.WriteString(w, "<title>Whole</title>")
		case "/never":
			t.Error("a link of half a page is followed")
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	c := newCrawler(t)
	c.Manners.FirstPause = 10 * time.Millisecond
	summary, err := c.Run(t.Context(), s.URL)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if cut.Load() != 3 || garbled.Load() != 3 || late.Load() != 2 {
		t.Errorf("asked %d, %d and %d times; want 3, 3 and 2", cut.Load(), garbled.Load(), late.Load())
	}
	results := readResults(t, c.Dir)
	for path, truncated := range map[string]string{"/cut": "disconnect", "/garbled": "unspecified"} {
		r := results[s.URL+path]
		if r["reason"] != "broken" || r["truncated"] != truncated || r["index"] != nil || r["status"] != 200.0 {
			t.Errorf("%s: %v", path, r)
		}
	}
	if r := results[s.URL+"/late"]; r["title"] != "Whole" || r["reason"] != nil {
		t.Errorf("the page that came whole at last: %v", r)
	}
	if summary.Reasons[result.Broken] != 2 || summary.Counts.Done != 2 {
		t.Errorf("%+v, want 2 broken and 2 done", summary)
	}
}

// TestCutLinks: a page with more links than are followed is told, and so is one that is too
// long.
func TestCutLinks(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/": "<a href=/long>l</a><a href=/a>a</a><a href=/b>b</a>", "/a": "a", "/b": "b", "/robots.txt": "",
		"/long": strings.Repeat("<a href=/>x</a>", 10) + strings.Repeat(" ", 1000),
	})
	c := newCrawler(t)
	c.MaxLinks, c.Limits.MaxBody = 2, 500
	summary, err := c.Run(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	results := readResults(t, c.Dir)
	if got := results[s.URL+"/"]["truncated"]; got != "links" {
		t.Errorf("a page with three links is truncated %v, want links", got)
	}
	if got := results[s.URL+"/long"]["truncated"]; got != "length,links" {
		t.Errorf("a long page is truncated %v, want length,links", got)
	}
	if s.asked["/b"] != 0 || summary.Pages != 3 {
		t.Errorf("%v were asked for", s.asked)
	}
}
