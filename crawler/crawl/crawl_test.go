package crawl_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A site is a server that counts requests.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
}

func newSite(t *testing.T, pages map[string]string) *site {
	s := &site{asked: make(map[string]int)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		s.mu.Unlock()
		text, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == "/robots.txt" {
			w.Header().Set("Content-Type", "text/plain")
		} else {
			w.Header().Set("Content-Type", "text/html")
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(s.Close)
	return s
}

func newCrawler(t *testing.T) *crawl.Config {
	return &crawl.Config{
		Dir: t.TempDir(), UserAgent: "TestBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true},
		Pauses:     crawl.Pauses{MinDelay: -1, Slowness: -1, AddressGap: -1, AddressBudget: -1},
		Archive:    &warc.Options{},
		Workers:    8,
	}
}

func TestCrawl(t *testing.T) {
	s := newSite(t, map[string]string{
		"/robots.txt": "User-agent: *\nDisallow: /closed/\n",
		"/":           `<title>Home</title><a href="/a">a</a> <a href="/closed/x">no</a> <a href="b?utm_source=x">b</a> <a rel=nofollow href="/nofollow">n</a> <a href="https://elsewhere.example/">out</a>`,
		"/a":          `<a href="/">home</a> <a href="/c/">c</a> <a href="/missing">m</a> <a href="mailto:x@example.com">mail</a>`,
		"/b":          `<meta name=robots content=nofollow><a href="/hidden">h</a>`,
		"/c/":         `<a href="logout">out</a> <a href="../a#x">a</a>`,
	})
	c := newCrawler(t)
	summary, err := crawl.New(*c).Run(t.Context(), s.URL)
	fatal.If(t, err)
	want := map[string]int{"/robots.txt": 1, "/": 1, "/a": 1, "/b": 1, "/c/": 1, "/missing": 1}
	if fmt.Sprint(s.asked) != fmt.Sprint(want) {
		t.Errorf("asked for %v, want %v", s.asked, want)
	}
	if !summary.Finished || summary.Pages != 5 || summary.Reasons[result.Disallowed] != 1 ||
		summary.Reasons[result.Trap] != 1 || summary.Reasons[result.Nofollow] != 2 ||
		summary.Reasons[result.OutOfScope] != 1 {
		t.Errorf("%+v", summary)
	}
	results := readResults(t, c.Dir)
	if r := results[s.URL+"/closed/x"]; r["reason"] != "disallowed" || r["status"] != nil {
		t.Errorf("closed: %v", r)
	}
	if r := results[s.URL+"/"]; r["status"] != 200.0 || r["title"] != "Home" {
		t.Errorf("home: %v", r)
	}
	archives, _ := filepath.Glob(filepath.Join(c.Dir, "archive", "*.warc.gz"))
	if len(archives) != 1 {
		t.Errorf("archives: %v", archives)
	}
	// A second run has nothing to do.
	again := newCrawler(t)
	again.Dir = c.Dir
	if summary, err = crawl.New(*again).Run(t.Context()); err != nil || !summary.Finished || summary.Pages != 0 {
		t.Errorf("again: %+v, %v", summary, err)
	}
	if fmt.Sprint(s.asked) != fmt.Sprint(want) {
		t.Errorf("asked again for %v, want %v", s.asked, want)
	}
}

func readResults(t *testing.T, dir string) map[string]map[string]any {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "results.jsonl"))
	fatal.If(t, err)
	defer f.Close()
	all := make(map[string]map[string]any)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r map[string]any
		fatal.If(t, json.Unmarshal(lines.Bytes(), &r))
		all[r["url"].(string)] = r
	}
	return all
}
