package crawl_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// endless serves pages generated on request, and counts them.
func endless(t *testing.T, page func(r *http.Request) string) (origin string, pages *atomic.Int64) {
	pages = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		pages.Add(1)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page(r))
	}))
	t.Cleanup(s.Close)
	return s.URL, pages
}

// letters returns a random name that is neither a number nor a token.
func letters() string {
	var name [8]byte
	for i := range name {
		name[i] = 'a' + byte(rand.IntN(26))
	}
	return string(name[:])
}

// TestShapeClosed checks that a URL refused because of a closed shape has the shape in the
// results, the log and the status, and that the shape stays closed when the crawl resumes.
func TestShapeClosed(t *testing.T) {
	t.Parallel()
	origin, pages := endless(t, func(r *http.Request) string {
		return fmt.Sprintf("<p>Welcome back.<p><a href='/d?token=%s'>on</a> <a href='/d?token=%s'>on</a>", letters(),
			letters())
	})
	dir := t.TempDir()
	var log bytes.Buffer
	run := func(budget int64) *crawl.Summary {
		c := newCrawler(t)
		c.Dir, c.Archive, c.Budget.Pages, c.Log = dir, nil, budget, slog.New(slog.NewTextHandler(&log, nil))
		summary, err := crawl.New(*c).Run(t.Context(), origin)
		fatal.If(t, err)
		return summary
	}
	var summary *crawl.Summary
	for summary == nil || summary.Spent {
		if summary = run(50); pages.Load() > 400 {
			t.Fatalf("%d pages, and no end", pages.Load())
		}
	}
	if !strings.Contains(log.String(), `msg="a shape of URLs is closed"`) ||
		!strings.Contains(log.String(), "shape=/d?token pages=") {
		t.Errorf("the log does not tell it:\n%s", log.String())
	}
	closed := 0
	for _, r := range readResults(t, dir) {
		if r["reason"] == "repetitive" {
			if closed++; r["shape"] != "/d?token" {
				t.Errorf("%v has no shape", r)
			}
		}
	}
	if closed == 0 || summary.Reasons[result.Repetitive] < int64(closed) {
		t.Errorf("%d results have it, of %v", closed, summary.Reasons)
	}
	i, err := crawl.Inspect(dir)
	fatal.If(t, err)
	defer i.Close()
	host := strings.TrimPrefix(origin, "http://")
	if s, err := i.HostStatus(t.Context(), host, 0); err != nil || len(s) != 1 || len(s[0].Closed) != 1 ||
		s[0].Closed[0].Shape != "/d?token" {
		t.Errorf("the status is %+v, %v", s, err)
	}
	t.Logf("%d pages in runs of 50", pages.Load())
}

// TestWildcardHosts crawls a site with an unlimited number of hosts that all have the same
// page. The crawl ends.
func TestWildcardHosts(t *testing.T) {
	t.Parallel()
	var port string
	origin, pages := endless(t, func(r *http.Request) string {
		return fmt.Sprintf("<p>Welcome.<p><a href='http://%s.trap.test:%s/'>on</a> <a href='http://%s.trap.test:%[2]s/'>on</a>", letters(), port, letters())
	})
	port = origin[strings.LastIndexByte(origin, ':')+1:]
	c := newCrawler(t)
	c.Archive, c.Scope.Reach, c.Workers = nil, crawl.Web, 4
	c.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	c.DialFilter = fetch.DialFilter{AllowPrivate: true}
	summary, err := crawl.New(*c).Run(t.Context(), "http://www.trap.test:"+port+"/")
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if n := pages.Load(); n > 400 {
		t.Errorf("%d pages, want 400 at most", n)
	}
	t.Logf("%d pages of %d hosts, %v", pages.Load(), summary.Counts.Hosts, summary.Reasons)
}

// TestHops checks that pages with new text in ever new places end after the maximum number of
// links, and that the pages of a list do not.
func TestHops(t *testing.T) {
	t.Parallel()
	const pagesOfList = 60
	listed := new(atomic.Int64)
	origin, pages := endless(t, func(r *http.Request) string {
		text := ""
		for range 50 {
			text += " " + letters()
		}
		n := 1
		if r.URL.Path == "/list" {
			listed.Add(1)
			fmt.Sscan(r.URL.Query().Get("page"), &n)
			if n < pagesOfList {
				return fmt.Sprintf("<p>%s<p><a href='/list?page=%d'>on</a>", text, n+1)
			}
			return text
		}
		return fmt.Sprintf("<p>%s<p><a href='/%s/%s'>on</a> <a href='/list?page=1'>list</a>", text, letters(),
			letters())
	})
	c := newCrawler(t)
	c.Archive = nil
	summary, err := crawl.New(*c).Run(t.Context(), origin)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if listed.Load() != pagesOfList {
		t.Errorf("%d pages of the list, want %d", listed.Load(), pagesOfList)
	}
	if n := pages.Load() - listed.Load(); n != 21 || summary.Reasons[result.TooDeep] == 0 {
		t.Errorf("%d pages, want 21; %v", n, summary.Reasons)
	}
}

// TestHostPages checks the default limit of pages per host.
func TestHostPages(t *testing.T) {
	for _, test := range []struct{ pages, want int64 }{{0, crawl.DefaultHostPages}, {7, 7}, {-1, 1<<63 - 1}} {
		b := crawl.Budget{HostPages: test.pages}
		if got := b.MaxHostPages(); got != test.want {
			t.Errorf("%d: got %d, want %d", test.pages, got, test.want)
		}
	}
	t.Parallel()
	origin, pages := endless(t, func(*http.Request) string {
		return fmt.Sprintf("<p>%s<p><a href='/%s'>on</a> <a href='/%s'>on</a> <a href='/%s'>on</a>", letters(),
			letters(), letters(), letters())
	})
	c := newCrawler(t)
	c.Archive, c.Budget.HostPages = nil, 30
	summary, err := crawl.New(*c).Run(t.Context(), origin)
	if err != nil || !summary.Finished || pages.Load() != 30 || summary.Reasons[result.HostBudget] == 0 {
		t.Errorf("%d pages, %+v, %v", pages.Load(), summary, err)
	}
}

// TestQueryEncoding checks that the query of a link is requested in the encoding of its page,
// as browsers do, and the path in UTF-8.
func TestQueryEncoding(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=windows-1251")
			io.WriteString(w,
				"<a href='/\xef?q=\xef\xf0&x=&#233;'>a</a><a href='/two?q=\xef\xf0'>the same</a><a href='/two?q=%EF%F0'>again</a>")
		default:
			asked <- r.RequestURI
		}
	}))
	defer s.Close()
	c := newCrawler(t)
	if _, err := crawl.New(*c).Run(t.Context(), s.URL); err != nil {
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

// TestBroken checks that a body that breaks off, or cannot be decoded, does not count as a
// visit. The URL is retried a limited number of times, and then has a result. A page that is
// complete on the second attempt counts as usual.
func TestBroken(t *testing.T) {
	t.Parallel()
	var cut, garbled, late atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		breakOff := func() {
			w.Header().Set("Content-Length", "100000")
			io.WriteString(w, "<title>Half</title><a href=/never>n</a>")
			w.(http.Flusher).Flush() // otherwise none of the body is sent
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
	c.Pauses.FirstPause = 10 * time.Millisecond
	summary, err := crawl.New(*c).Run(t.Context(), s.URL)
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
		if text, _ := r["error"].(string); !strings.Contains(text, "download "+s.URL+path+": ") {
			t.Errorf("%s: the error is %q, want what broke", path, text)
		}
	}
	if r := results[s.URL+"/late"]; r["title"] != "Whole" || r["reason"] != nil {
		t.Errorf("the page that came whole at last: %v", r)
	}
	if summary.Reasons[result.Broken] != 2 || summary.Counts.Done != 2 {
		t.Errorf("%+v, want 2 broken and 2 done", summary)
	}
}

// TestCutLinks checks the results of a page with more links than the maximum and of a page
// that is too long.
func TestCutLinks(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/": "<a href=/long>l</a><a href=/a>a</a><a href=/b>b</a>", "/a": "a", "/b": "b", "/robots.txt": "",
		"/long": strings.Repeat("<a href=/>x</a>", 10) + strings.Repeat(" ", 1000),
	})
	c := newCrawler(t)
	c.MaxLinks, c.Limits.MaxBody = 2, 500
	summary, err := crawl.New(*c).Run(t.Context(), s.URL)
	fatal.If(t, err)
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
