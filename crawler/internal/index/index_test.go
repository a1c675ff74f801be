package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// newIndex creates an index and closes it at the end of the test.
func newIndex(t testing.TB) *index.Index {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "index"), index.Options{})
}

func open(t testing.TB, dir string, o index.Options) *index.Index {
	t.Helper()
	x, err := index.Open(dir, o)
	fatal.If(t, err)
	t.Cleanup(func() { closed(t, x) })
	return x
}

func put(t testing.TB, x *index.Index, p *index.Page) {
	t.Helper()
	fatal.If(t, x.Put(p))
}

func synced(t testing.TB, x *index.Index) {
	t.Helper()
	fatal.If(t, x.Sync())
}

func closed(t testing.TB, x *index.Index) {
	t.Helper()
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

func search(t testing.TB, x *index.Index, query string) *index.Results {
	t.Helper()
	r, err := x.Search(context.Background(), index.Query{Text: query, Size: 1000})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if r.Total != len(r.Hits) {
		t.Errorf("%s: %d hits of %d", query, len(r.Hits), r.Total)
	}
	return r
}

// count returns the number of pages with "word".
func count(x *index.Index) (int, error) {
	r, err := x.Search(context.Background(), index.Query{Text: "word"})
	if err != nil {
		return 0, err
	}
	return r.Total, nil
}

// urls returns the URLs of the hits, sorted.
func urls(r *index.Results) (list []string) {
	for _, h := range r.Hits {
		list = append(list, h.URL)
	}
	slices.Sort(list)
	return list
}

// page returns a page with a text.
func page(url, text string) *index.Page {
	return &index.Page{URL: url, Passages: []index.Passage{{Text: text}}}
}

// TestReplace replaces and removes pages, and puts pages that must not be indexed.
func TestReplace(t *testing.T) {
	x := newIndex(t)
	const a, b = "https://example.com/a", "https://example.com/b"
	check := func(query string, want ...string) {
		t.Helper()
		synced(t, x)
		if got := urls(search(t, x, query)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	put(t, x, page(a, "old words"))
	put(t, x, page(a, "new words")) // in the same batch
	put(t, x, page(b, "other words"))
	check("old")
	check("words", a, b)
	put(t, x, page(a, "newest words")) // in another batch
	check("new")
	gone := page(b, "other words")
	gone.NoIndex = true
	put(t, x, gone)
	for _, url := range []string{a, "https://example.com/never-there"} {
		fatal.If(t, x.Remove(url))
	}
	put(t, x, page(a, "anew"))
	check("words")
	check("anew", a)
}

// TestStored reads back the data of a page.
func TestStored(t *testing.T) {
	x := newIndex(t)
	at := time.Date(2026, 1, 31, 12, 30, 0, 123456789, time.FixedZone("", 3600))
	put(t, x, &index.Page{
		URL: "https://example.com/where/", Title: " The\n title ",
		Description: "What it is", Keywords: []string{"polite",
			"robots"},
		Language: "en-GB", ETag: `"x"`, Digest: "sha256:1", FetchedAt: at,
	})
	synced(t, x)
	h := search(t, x, "title polite what where").Hits[0]
	if h.Title != "The title" || h.Language != "en" || h.ETag != `"x"` || h.Digest != "sha256:1" ||
		!h.FetchedAt.Equal(at.Truncate(time.Millisecond)) || h.FetchedAt.Location() != time.UTC {
		t.Errorf("got %+v", h)
	}
	if got, want := fmt.Sprint(h.Why), "[title: title polite: keywords what: description where: address]"; got != want {
		t.Errorf("why: got %q, want %q", got, want)
	}
	if h.Snippet.Text != "What it is" {
		t.Errorf("snippet %q", h.Snippet.Text)
	}
}

// TestNoSnippet puts words that can be found but not shown.
func TestNoSnippet(t *testing.T) {
	x := newIndex(t)
	put(t, x, &index.Page{URL: "https://example.com/none", Title: "Shown", Description: "secret", NoSnippet: true,
		Passages: []index.Passage{{Text: "secret zebra"}}})
	put(t, x, &index.Page{URL: "https://example.com/part", Passages: []index.Passage{{Text: "open giraffe"},
		{Text: "secret giraffe", NoSnippet: true}}})
	put(t, x, &index.Page{URL: "https://example.com/short", MaxSnippet: 20,
		Passages: []index.Passage{{Text: "many long words before the lion and many words after it"}}})
	synced(t, x)
	for _, query := range []string{"zebra", "giraffe", "secret", "lion"} {
		for _, h := range search(t, x, query).Hits {
			if strings.Contains(h.Snippet.Text, "secret") {
				t.Errorf("%s: %s is shown as %q", query, h.URL, h.Snippet.Text)
			}
		}
	}
	h := search(t, x, "zebra").Hits[0]
	if h.Title != "Shown" || h.Snippet.Text != "" || fmt.Sprint(h.Why) != "[zebra: text that may not be shown]" {
		t.Errorf("got %+v", h)
	}
	h = search(t, x, "lion").Hits[0]
	if got, want := h.Snippet.Marked("[", "]"), "…[lion] and many…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRefusals makes calls that must fail.
func TestRefusals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	if _, err := index.Open(dir, index.Options{ReadOnly: true}); !errors.Is(err, index.ErrMissing) {
		t.Errorf("no index: %v", err)
	}
	x := open(t, dir, index.Options{})
	for _, url := range []string{"", "/relative", "://", "https://example.com/" + strings.Repeat("x", 10_000)} {
		if x.Put(&index.Page{URL: url}) == nil || x.Remove(url) == nil {
			t.Errorf("%.40q is taken", url)
		}
	}
	if _, err := index.Open(dir, index.Options{}); !errors.Is(err, index.ErrLocked) {
		t.Errorf("opened twice: %v", err)
	}
	refuse := func(x *index.Index, want string) {
		t.Helper()
		const url = "https://example.com/"
		for _, err := range []error{x.Put(page(url, "x")), x.Remove(url), x.Sync()} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		}
	}
	refuse(open(t, dir, index.Options{ReadOnly: true}), "searches only")
	closed(t, x)
	closed(t, x)
	refuse(x, index.ErrClosed.Error())
	if _, err := count(x); !errors.Is(err, index.ErrClosed) {
		t.Errorf("a search after Close: %v", err)
	}
	if _, err := x.Has("https://example.com/"); !errors.Is(err, index.ErrClosed) {
		t.Errorf("a look-up after Close: %v", err)
	}
	other := t.TempDir()
	file := filepath.Join(other, "thesis.tex")
	fatal.If(t, os.WriteFile(file, nil, 0o644))
	if _, err := index.Open(other, index.Options{}); err == nil || !strings.Contains(err.Error(), "thesis.tex") {
		t.Errorf("another folder: %v", err)
	}
	if _, err := index.Open(file, index.Options{}); err == nil {
		t.Error("a file was opened")
	}
}

// TestReaders searches an index while it is written.
func TestReaders(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir, index.Options{})
	read := func() int {
		r, err := index.Open(dir, index.Options{ReadOnly: true})
		if err != nil {
			t.Error(err)
			return -1
		}
		defer closed(t, r)
		n, err := count(r)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	if n := read(); n != 0 {
		t.Errorf("%d pages at first", n)
	}
	early := open(t, dir, index.Options{ReadOnly: true})
	var wg sync.WaitGroup
	const rounds, pages = 12, 7
	for range 3 {
		wg.Go(func() {
			for last := 0; last < rounds*pages && !t.Failed(); {
				n := read()
				if n < last || n%pages != 0 {
					t.Errorf("%d pages after %d", n, last)
				}
				last = n
			}
		})
	}
	for i := range rounds {
		for j := range pages {
			put(t, x, page(fmt.Sprintf("https://example.com/%d/%d", i, j), "a word"))
		}
		synced(t, x)
		if n := read(); n != (i+1)*pages {
			t.Errorf("%d pages in round %d", n, i)
		}
	}
	wg.Wait()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 3 {
		t.Errorf("%d snapshots are left: %v", len(entries)-1, err)
	}
	closed(t, x)
	if n, err := count(early); n != 0 || err != nil {
		t.Errorf("%d pages for a reader that was open before, %v", n, err)
	}
}

// TestConcurrency calls all methods at once, with batches of a few pages.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	x := open(t, filepath.Join(t.TempDir(), "index"), index.Options{Memory: 1000})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 100 {
				url := fmt.Sprintf("https://example.com/%d/%d", g, i%50)
				put(t, x, page(url, fmt.Sprintf("word version%d %s", i/50, strings.Repeat("x ", i))))
				switch i % 20 {
				case 3:
					synced(t, x)
				case 7:
					search(t, x, "word -version7")
				case 11:
					if err := x.Remove(url); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	synced(t, x)
	// For each goroutine, 11 and 31 were removed before they were put again, and 1, 21
	// and 41 were removed last.
	const want = 4 * (50 - 3)
	if got, last := search(t, x, "word").Total, search(t, x, "version1").Total; got != want || last != want {
		t.Errorf("%d pages, %d of them the last version, want %d", got, last, want)
	}
}
