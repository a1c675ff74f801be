package feed_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A fake is a crawl folder without a crawl: it has the files that the crawler would
// write for the visits that a test makes up.
type fake struct {
	t       testing.TB
	dir     string
	archive *warc.Writer
	visits  int
}

func newFake(t testing.TB) *fake {
	t.Helper()
	f := &fake{t: t, dir: filepath.Join(t.TempDir(), "crawl")}
	f.open()
	t.Cleanup(func() { f.archive.Close() })
	return f
}

func (f *fake) open() {
	f.t.Helper()
	var err error
	if f.archive, err = warc.Open(filepath.Join(f.dir, "archive"), warc.Options{}); err != nil {
		f.t.Fatal(err)
	}
}

// A result is a line of the results, without omitted fields.
type result map[string]any

// results returns the name of the results file.
func (f *fake) results() string { return filepath.Join(f.dir, "results.jsonl") }

// tell adds a line to the results.
func (f *fake) tell(r result) {
	f.t.Helper()
	line, err := json.Marshal(r)
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(string(line) + "\n")
}

// write adds a text to the results.
func (f *fake) write(text string) {
	f.t.Helper()
	out, err := os.OpenFile(f.results(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err == nil {
		_, err = out.WriteString(text)
		out.Close()
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// visited archives the visit of a page, and returns its result.
func (f *fake) visited(url, header, body string) result {
	f.t.Helper()
	f.visits++
	at := time.Date(2026, 1, 31, 12, 0, f.visits, 0, time.UTC)
	c, err := f.archive.Write(&warc.Exchange{
		URL: url, Time: at,
		Request:  warc.Message{Head: []byte("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")},
		Response: warc.Message{Head: []byte("HTTP/1.1 200 OK\r\n" + header + "\r\n"), Body: []byte(body)},
	})
	if err == nil {
		err = f.archive.Sync()
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return result{
		"url": url, "status": 200, "fetched_at": at, "media_type": "text/html", "index": true, "depth": 1,
		"archive": c.File, "offset": c.Offset,
	}
}

// with returns the result with some fields changed.
func (r result) with(changed result) result {
	r = maps.Clone(r)
	maps.Copy(r, changed)
	return r
}

// update feeds the index, and returns the status.
func (f *fake) update(o feed.Options) feed.Status {
	f.t.Helper()
	x := f.feeder(o)
	if err := x.Update(f.t.Context()); err != nil {
		f.t.Error(err)
	}
	if n, err := x.Behind(); n != 0 || err != nil {
		f.t.Errorf("%d lines are left, %v", n, err)
	}
	if err := x.Close(); err != nil {
		f.t.Error(err)
	}
	return x.Status()
}

func (f *fake) feeder(o feed.Options) *feed.Feeder {
	f.t.Helper()
	x, err := feed.Open(f.dir, o)
	if err != nil {
		f.t.Fatal(err)
	}
	return x
}

// find returns the URLs that a search finds, sorted.
func (f *fake) find(query string) []string {
	f.t.Helper()
	return find(f.t, filepath.Join(f.dir, "index"), query)
}

func find(t testing.TB, dir, query string) (urls []string) {
	t.Helper()
	x, err := index.Open(dir, index.Options{ReadOnly: true})
	fatal.If(t, err)
	defer x.Close()
	r, err := x.Search(t.Context(), index.Query{Text: query, Size: 1000})
	fatal.If(t, err)
	for _, h := range r.Hits {
		urls = append(urls, h.URL)
	}
	slices.Sort(urls)
	return urls
}

// finds fails the test unless a search finds exactly these URLs.
func (f *fake) finds(query string, want ...string) {
	f.t.Helper()
	if got := f.find(query); !slices.Equal(got, want) {
		f.t.Errorf("%s: found %q, want %q", query, got, want)
	}
}

// u returns the URL of a page of the fakes.
func u(name any) string { return fmt.Sprintf("https://example.com/%v", name) }
