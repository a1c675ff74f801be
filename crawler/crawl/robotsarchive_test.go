package crawl_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestRobotsArchived crawls hosts with many kinds of answers about robots.txt. Each answer must be
// in the archive once, as received, and in its index. No answer may have a result, and a repair
// must neither take one for a page nor request one again.
func TestRobotsArchived(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, "User-agent: *\nDisallow: /closed/\n")
	z.Close()
	page := strings.Repeat("an error page. ", 1000)
	answers := map[string]func(w http.ResponseWriter, r *http.Request){
		"plain": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "User-agent: *\nAllow: /\n") },
		"empty": func(w http.ResponseWriter, r *http.Request) {},
		"packed": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed.Bytes())
		},
		"missing": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, page)
		},
		"moved": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.Redirect(w, r, "/rules.txt", http.StatusFound)
			} else {
				fmt.Fprint(w, "User-agent: *\nAllow: /\n")
			}
		},
		"long": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, strings.Repeat("# comment\n", 70_000)) },
		"broken": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "User-agent: *\n")
		},
		"busy": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"same": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") == `"one"` {
				w.Header().Set("ETag", `"one"`)
				w.WriteHeader(http.StatusNotModified)
			}
		},
	}
	type answer struct {
		status    int
		truncated string
		digest    string // of the payload as received, or empty if it is not compared
	}
	want := map[string]answer{
		"plain/robots.txt":   {200, "", warc.PayloadDigest([]byte("User-agent: *\nAllow: /\n"))},
		"empty/robots.txt":   {200, "", warc.PayloadDigest(nil)},
		"packed/robots.txt":  {200, "", warc.PayloadDigest(packed.Bytes())},
		"missing/robots.txt": {404, "", warc.PayloadDigest([]byte(page))},
		"moved/robots.txt":   {302, "", ""},
		"moved/rules.txt":    {200, "", warc.PayloadDigest([]byte("User-agent: *\nAllow: /\n"))},
		"long/robots.txt":    {200, "length", ""},
		"broken/robots.txt":  {200, "disconnect", warc.PayloadDigest([]byte("User-agent: *\n"))},
		"busy/robots.txt":    {503, "", warc.PayloadDigest(nil)},
		"same/robots.txt":    {304, "", ""},
	}
	const closed = 2 // hosts without any allowed request, as robots.txt is unreachable
	ctx, all := context.WithCancel(t.Context())
	defer all()
	var mu sync.Mutex
	asked := make(map[string]int)
	names := make(map[string]string) // of hosts
	var seeds []string
	for name, rules := range answers {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				fmt.Fprint(w, "a page of ", name)
			} else {
				rules(w, r)
			}
			mu.Lock()
			defer mu.Unlock()
			asked[name+r.URL.Path]++
			if len(asked) == len(want)+len(answers)-closed {
				all() // hosts without a policy are never asked for pages
			}
		}))
		defer s.Close()
		names[strings.TrimPrefix(s.URL, "http://")] = name
		seeds = append(seeds, s.URL)
	}
	c := newCrawler(t)
	c.Patience = -1
	c.Scope.Reach = crawl.List
	for host, name := range names {
		if name == "same" {
			keepOldRobots(t, c.Dir, "http://"+host)
		}
	}
	if _, err := crawl.New(*c).Run(ctx, seeds...); err != nil {
		t.Fatal(err)
	}
	of := func(url string) string {
		host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		return names[host] + "/" + path
	}
	got, times := make(map[string]answer), make(map[string]int)
	for r := range archived(t, c.Dir) {
		what := of(r.URL())
		// The answer that nothing has changed is archived as a visit again.
		want304 := want[what].status == http.StatusNotModified
		if want304 != (r.Type() == "revisit") || !want304 && r.Type() != warc.TypeResponse ||
			!strings.HasSuffix(what, ".txt") {
			continue
		}
		if want304 && r.Header.Get("WARC-Profile") != string(warc.NotModified) {
			t.Errorf("%s has the profile %s", what, r.Header.Get("WARC-Profile"))
		}
		capture, ok, err := r.Capture("")
		if !ok || err != nil {
			t.Fatal(what, err)
		}
		a := answer{capture.Status, r.Header.Get("WARC-Truncated"), capture.Digest}
		if want[what].digest == "" {
			a.digest = ""
		}
		if r.Header.Get("WARC-IP-Address") != "127.0.0.1" || r.Header.Get("WARC-Protocol") != "http/1.1" {
			t.Errorf("%s has the header %v", what, r.Header)
		}
		got[what] = a
		times[what]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("the archive has %v, want %v", got, want)
	}
	maps.DeleteFunc(asked, func(what string, _ int) bool { return !strings.HasSuffix(what, ".txt") })
	if !maps.Equal(times, asked) {
		t.Errorf("the archive has the answers %v, and %v were given", times, asked)
	}
	// A lookup of each answer in the index must lead to its record.
	for url, capture := range lookedUp(t, c.Dir) {
		what := of(url)
		if !strings.HasSuffix(what, ".txt") {
			continue
		}
		times[what]--
		f, err := os.Open(filepath.Join(c.Dir, "archive", capture.File))
		fatal.If(t, err)
		r, err := warc.NewReader(io.NewSectionReader(f, capture.Offset, capture.Length)).Next()
		if err != nil || r.URL() != url || capture.Status != want[what].status {
			t.Errorf("%s: the index leads to %v, %v, status %d", what, r, err, capture.Status)
		}
		f.Close()
	}
	for what, n := range times {
		if n != 0 {
			t.Errorf("%s is %d times less in the index", what, n)
		}
	}
	for url := range readFetched(t, c.Dir) {
		if strings.HasSuffix(url, ".txt") {
			t.Errorf("%s is in the results as a page", url)
		}
	}
	// The repair must restore everything but the archive and the results.
	remove(t, c.Dir, "store", "journal", "checkpoint", "owed")
	if repair := mend(t, repairer(c.Dir), crawl.RepairOptions{Again: true}); len(repair.Lost) > 0 {
		t.Fatalf("%+v", repair)
	}
	_, _, pages := storeSays(t, filepath.Join(c.Dir, "store"))
	for visit := range pages {
		if strings.Contains(visit, ".txt ") {
			t.Errorf("%s is a page after the repair", visit)
		}
	}
	if len(pages) != len(answers)-closed {
		t.Errorf("%d pages are done after the repair, want %d", len(pages), len(answers)-closed)
	}
}

// keepOldRobots records in the folder of a crawl a robots.txt of a host, with a validator, that is
// not fresh any more.
func keepOldRobots(t *testing.T, dir, origin string) {
	t.Helper()
	at, url := time.Now().Add(-48*time.Hour).UTC(), origin+"/robots.txt"
	text := []byte("User-agent: *\nAllow: /\n")
	err := fetch.Dir(filepath.Join(dir, "robots")).Put(t.Context(), &fetch.Entry{
		Origin: origin, State: fetch.OK, CheckedAt: at, FreshUntil: at.Add(time.Hour), URL: url, Status: 200,
		File: &fetch.File{FetchedAt: at, ConfirmedAt: at, URL: url, SHA256: fmt.Sprintf("%x", sha256.Sum256(text)),
			Size: len(text), ETag: `"one"`, Policy: robots.Parse(text)},
	})
	fatal.If(t, err)
}

// lookedUp yields the lines of the index of an archive: the URL of each line, and the place of its
// record.
func lookedUp(t *testing.T, dir string) func(func(string, warc.Capture) bool) {
	t.Helper()
	text := readFile(t, filepath.Join(dir, "archive", "index.cdxj"))
	return func(yield func(string, warc.Capture) bool) {
		for line := range bytes.Lines(text) {
			_, capture, err := warc.ParseCDXJ(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if !yield(capture.URL, capture) {
				return
			}
		}
	}
}
