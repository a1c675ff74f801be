package feed_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestFates feeds each kind of result for one page after the other, and searches for
// the page.
func TestFates(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		changed     result
		text        string // of the page; HTML
		header      string
		found, kept bool // a search finds the page; a search still finds it, if it did before
	}{
		{name: "a page", found: true, kept: true},
		{name: "no type", changed: result{"media_type": ""}, found: true, kept: true},
		{name: "XHTML", changed: result{"media_type": "application/xhtml+xml"}, found: true, kept: true},
		{name: "text", changed: result{"media_type": "text/plain"}, text: "word", found: true, kept: true},
		{name: "of another type", changed: result{"media_type": "text/xml"}},
		{name: "nearly the same", changed: result{"reason": "duplicate"}, found: true, kept: true},
		{name: "noindex", changed: result{"index": false}},
		{name: "noindex in the page", text: "<meta name=robots content=noindex><p>word"},
		{name: "noindex in the header", header: "X-Robots-Tag: noindex\r\n"},
		{name: "noindex for others", header: "X-Robots-Tag: otherbot: noindex\r\n", found: true, kept: true},
		{name: "a sitemap", changed: result{"index": nil}, kept: true},
		{name: "not found", changed: result{"status": 404, "reason": "not-found", "index": nil}},
		{name: "gone", changed: result{"status": 410, "reason": "not-found", "index": nil}},
		{name: "redirected", changed: result{"status": 301, "reason": "redirected", "index": nil}},
		{name: "redirected for ever", changed: result{"status": 301, "reason": "redirects", "index": nil}},
		{name: "forbidden", changed: result{"status": 403, "reason": "client-error", "index": nil}},
		{name: "asked too often", changed: result{"status": 429, "reason": "client-error", "index": nil}, kept: true},
		{name: "unsuitable", changed: result{"reason": "unsuitable", "index": nil}},
		{name: "disallowed", changed: result{"status": 0, "reason": "disallowed", "index": nil}},
		{name: "not modified", changed: result{"status": 304, "reason": "not-modified", "index": nil}, kept: true},
		{name: "as it was", changed: result{"status": 200, "reason": "not-modified"}, kept: true},
		{name: "as it was, but noindex", changed: result{"status": 200, "reason": "not-modified", "index": false}},
		{name: "down", changed: result{"status": 500, "reason": "server-error", "index": nil}, kept: true},
		{name: "unreachable", changed: result{"status": 0, "reason": "unreachable", "index": nil}, kept: true},
		{name: "out of scope", changed: result{"status": 0, "reason": "out-of-scope", "index": nil}, kept: true},
		{name: "a reason that nobody knows", changed: result{"reason": "x"}, kept: true},
		{name: "not archived", changed: result{"archive": "", "offset": 0}, kept: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t)
			if test.text == "" {
				test.text = "<p>word"
			}
			line := f.visited(u("new"), test.header, test.text).with(test.changed)
			f.tell(line)
			want := []string{}
			if test.found {
				want = append(want, u("new"))
			}
			f.update(feed.Options{})
			f.finds("word", want...)
			f.tell(f.visited(u("old"), "", "<p>word before"))
			f.tell(f.visited(u("old"), test.header, test.text+" again").with(test.changed))
			f.update(feed.Options{})
			if test.kept {
				want = append(want, u("old"))
			}
			f.finds("word", want...)
		})
	}
}

// TestWhatIsKept checks all stored data of a page.
func TestWhatIsKept(t *testing.T) {
	f := newFake(t)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte("<title>A title</title><p>word packed"))
	w.Close()
	f.tell(f.visited(u(1),
		"ETag: \"x\"\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\nX-Robots-Tag: ExampleBot: nosnippet\r\n",
		packed.String()))
	status := f.update(feed.Options{Robot: []string{"ExampleBot"}})
	if want := (feed.Status{Indexed: 1, Lines: 1}); status != want {
		t.Errorf("got %+v, want %+v", status, want)
	}
	// The feeder remembers the robot's tokens.
	f.tell(f.visited(u(2), "X-Robots-Tag: ExampleBot: nosnippet\r\n", "<p>word open"))
	f.update(feed.Options{})
	x, err := index.Open(filepath.Join(f.dir, "index"), index.Options{ReadOnly: true})
	fatal.If(t, err)
	defer x.Close()
	r, err := x.Search(t.Context(), index.Query{Text: "word"})
	if err != nil || len(r.Hits) != 2 {
		t.Fatal(r, err)
	}
	for _, h := range r.Hits {
		if h.Snippet.Text != "" {
			t.Errorf("%s is quoted: %s", h.URL, h.Snippet.Text)
		}
		if h.URL == u(1) && (h.Title != "A title" || h.ETag != `"x"` || !strings.HasPrefix(h.Digest, "sha256:") ||
			h.FetchedAt.IsZero()) {
			t.Errorf("got %+v", h)
		}
	}
}

// TestElsewhere has the results and the index in other places than usual.
func TestElsewhere(t *testing.T) {
	f := newFake(t)
	f.tell(f.visited(u(1), "", "<p>word 1"))
	other := filepath.Join(t.TempDir(), "other.jsonl")
	fatal.If(t, os.Rename(f.results(), other))
	o := feed.Options{Index: filepath.Join(t.TempDir(), "index")}
	if got := f.update(o); got != (feed.Status{}) {
		t.Errorf("no results: %+v", got)
	}
	o.Results = other
	if got := f.update(o); got.Indexed != 1 {
		t.Errorf("results: %+v", got)
	}
	// The feeder remembers the place.
	line, err := os.ReadFile(other)
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(other, append(line, line...), 0o666))
	o.Results = ""
	if got := f.update(o); got != (feed.Status{Indexed: 1, Lines: 1}) {
		t.Errorf("more results: %+v", got)
	}
	if got := find(t, o.Index, "word"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

// TestAlike has pages with the same content, and pages that name others as canonical.
func TestAlike(t *testing.T) {
	f := newFake(t)
	told := func(name, text string) { f.t.Helper(); f.tell(f.visited(u(name), "", text)) }
	canonical := func(name string) string { return "<link rel=canonical href='" + u(name) + "?utm_source=x#y'>" }
	gone := func(name string) { f.tell(result{"url": u(name), "status": 404, "reason": "not-found"}) }
	for _, reopened := range []bool{false, true} {
		x := f.feeder(feed.Options{})
		next := func() {
			t.Helper()
			fatal.If(t, x.Update(t.Context()))
			if reopened {
				x.Close()
				x = f.feeder(feed.Options{})
			}
		}
		for _, n := range []string{"a", "b", "copy", "page", "other", "mirror"} {
			gone(n)
		}

		// The first page with the same content stays until it is gone.
		told("a", "<p>word twin")
		next()
		told("b", "<p>word twin")
		next()
		f.finds("twin", u("a"))
		told("b", "<p>word twin")
		told("a", "<p>word twin")
		gone("a")
		told("b", "<p>word twin")
		next()
		f.finds("twin", u("b"))
		told("a", "<p>word twin")
		told("b", "<p>word twin now")
		next()
		f.finds("twin", u("b")) // when a was visited, b was still the same
		told("a", "<p>word twin")
		next()
		f.finds("twin", u("a"), u("b"))

		// A page that names another one is found while that one is not.
		told("copy", canonical("page")+"<p>word named")
		told("mirror", "<meta name=url content='"+u("page")+"'><p>word named mirror")
		told("other", canonical("missing")+"<p>word named other")
		next()
		f.finds("named", u("copy"), u("mirror"), u("other"))
		told("page", canonical("page")+"<p>word named")
		next()
		f.finds("named", u("other"), u("page"))
		told("copy", canonical("page")+"<p>word named in another way")
		next()
		f.finds("named", u("other"), u("page"))
		gone("page")
		told("copy", canonical("page")+"<p>word named")
		next()
		f.finds("named", u("copy"), u("other"))
		// This page has the same bytes as the page that it stands for.
		told("page", canonical("page")+"<p>word named")
		next()
		f.finds("named", u("other"), u("page"))

		// Two pages name each other: one of them stays.
		told("a", canonical("b")+"<p>word mutual 1")
		told("b", canonical("a")+"<p>word mutual 2")
		next()
		if got := f.find("mutual"); len(got) != 1 {
			t.Errorf("of two pages that name each other %q are found", got)
		}
		x.Close()
	}
}

// TestMany has more pages with the same canonical page than one look-up returns.
func TestMany(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	const n = 1100
	for i := range n {
		f.tell(f.visited(u(i), "", fmt.Sprintf("<link rel=canonical href=/page><p>word %d", i)))
	}
	if got := f.update(feed.Options{}); got.Indexed != n {
		t.Errorf("got %+v", got)
	}
	f.tell(f.visited(u("page"), "", "<p>word"))
	if got := f.update(feed.Options{}); got != (feed.Status{Indexed: 1, Left: n, Lines: 1}) {
		t.Errorf("got %+v", got)
	}
	f.finds("word", u("page"))
}

// A hook is called for each line of a log.
type hook func()

func (h hook) Write(line []byte) (int, error) {
	h()
	return len(line), nil
}

func (h hook) log() *slog.Logger { return slog.New(slog.NewTextHandler(h, nil)) }

// TestFollow feeds during the crawl.
func TestFollow(t *testing.T) {
	f := newFake(t)
	read := make(chan struct{})
	x := f.feeder(feed.Options{Pause: time.Millisecond, Log: hook(func() { read <- struct{}{} }).log()})
	defer x.Close()
	ended := make(chan struct{})
	done := make(chan error, 1)
	go func() { done <- x.Follow(t.Context(), ended) }()
	for i := range 10 {
		f.tell(f.visited(u(i), "", "<p>word "+u(i)))
		f.write("garbage\n")
		select {
		case <-read: // during the crawl
		case err := <-done:
			t.Fatal(err)
		}
		if status := x.Status(); status.Indexed != int64(i+1) {
			t.Errorf("after %d pages: %+v", i+1, status)
		}
	}
	f.tell(f.visited(u("last"), "", "<p>word last"))
	close(ended)
	fatal.If(t, <-done)
	if got := f.find("word"); len(got) != 11 {
		t.Errorf("found %q", got)
	}
}

// TestStopped ends the context of a Feeder, which continues later.
func TestStopped(t *testing.T) {
	f := newFake(t)
	for i := range 20 {
		if i == 8 {
			f.write("garbage\n")
		}
		f.tell(f.visited(u(i), "", "<p>word "+u(i)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	x := f.feeder(feed.Options{Log: hook(cancel).log()})
	for range 2 {
		if err := x.Follow(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if got, want := x.Status(), (feed.Status{Indexed: 8, Passed: 1, Lines: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := f.find("word"); len(got) != 8 {
		t.Errorf("found %q", got)
	}
	if n, err := x.Behind(); n != 12 || err != nil {
		t.Errorf("%d lines are left of 12, %v", n, err)
	}
	x.Close()
	x.Close()
	if got, want := f.update(feed.Options{}), (feed.Status{Indexed: 12, Lines: 12}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := f.update(feed.Options{}); got != (feed.Status{}) {
		t.Errorf("there was nothing left to do, but for %+v", got)
	}
}

// TestAnew indexes a results file that was replaced, or is not known to be the same.
func TestAnew(t *testing.T) {
	for name, change := range map[string]func(f *fake) error{
		"other results": func(f *fake) error {
			text, err := os.ReadFile(f.results())
			if err != nil {
				return err
			}
			return os.WriteFile(f.results(), bytes.Replace(text, []byte("12:00:03"), []byte("13:00:03"), 1), 0o666)
		},
		"shorter results": func(f *fake) error { return os.Truncate(f.results(), 0) },
		"no position":     func(f *fake) error { return os.Remove(filepath.Join(f.dir, "index", "position.json")) },
		"a wrong position": func(f *fake) error {
			return os.WriteFile(filepath.Join(f.dir, "index", "position.json"), []byte(`{"offset": -5}`), 0o666)
		},
		"a position of something else": func(f *fake) error {
			return os.WriteFile(filepath.Join(f.dir, "index", "position.json"), []byte(`[]`), 0o666)
		},
		"a position that is a folder": func(f *fake) error {
			name := filepath.Join(f.dir, "index", "position.json")
			return errors.Join(os.Remove(name), os.Mkdir(name, 0o777))
		},
		"no index": func(f *fake) error { return os.RemoveAll(filepath.Join(f.dir, "index")) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			for i := range 3 {
				f.tell(f.visited(u(i), "", "<p>word "+u(i)))
			}
			f.update(feed.Options{})
			fatal.If(t, change(f))
			want := int64(4)
			if name == "shorter results" {
				want = 1
			}
			f.tell(f.visited(u(3), "", "<p>word 3"))
			x := f.feeder(feed.Options{})
			defer x.Close()
			err := x.Update(t.Context())
			if got := x.Status(); got.Indexed != want {
				t.Errorf("got %+v, want %d pages", got, want)
			}
			if (err != nil) != (name == "a position that is a folder") {
				t.Error(err)
			}
			if got := f.find("word"); len(got) != 4 {
				t.Errorf("found %q", got)
			}
		})
	}
}
