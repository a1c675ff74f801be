// Package search puts package index beside SQLite's full-text index: the same questions
// about the same pages, of manuals and sites that none of us wrote.
package search

import (
	"context"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// A question is a query with the pages that answer it.
type question struct {
	set, query string
	answers    []string // patterns of path.Match
}

func questions(t testing.TB) (all []question) {
	data, err := os.ReadFile("questions.txt")
	fatal.If(t, err)
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			t.Fatalf("questions.txt: %q has %d fields", line, len(fields))
		}
		all = append(all, question{fields[0], fields[1], strings.Fields(fields[2])})
	}
	return all
}

// rank returns the place of the first answer among the names, from 1 on, or 0.
func (q *question) rank(t testing.TB, names []string) int {
	for i, name := range names {
		for _, pattern := range q.answers {
			if ok, err := path.Match(pattern, name); err != nil {
				t.Fatal(err)
			} else if ok {
				return i + 1
			}
		}
	}
	return 0
}

// A score adds up how well an engine answered.
type score struct {
	asked      int
	reciprocal float64
	first      int // answers in the first place
	three      int // among the first three
}

func (s *score) add(rank int) {
	s.asked++
	if rank == 0 {
		return
	}
	s.reciprocal += 1 / float64(rank)
	if rank == 1 {
		s.first++
	}
	if rank <= 3 {
		s.three++
	}
}

// mean returns the mean reciprocal rank.
func (s *score) mean() float64 { return s.reciprocal / float64(s.asked) }

// TestRank holds the ranking of package index to that of SQLite on the same pages: in
// each set of questions the mean reciprocal rank is at least as high.
func TestRank(t *testing.T) {
	all := documents(t)
	theirs := newSQLiteIndex(t, all)
	ours := newIndex(t, all)
	sets := map[string]*[2]score{}
	for _, q := range questions(t) {
		found := false
		for _, d := range all {
			found = found || q.rank(t, []string{d.name()}) == 1
		}
		if !found {
			t.Errorf("%s: no page answers it", q.query)
		}
		s := sets[q.set]
		if s == nil {
			s = new([2]score)
			sets[q.set] = s
		}
		names := ours.search(t, q.query)
		a, b := q.rank(t, names), q.rank(t, theirs.search(t, q.query))
		s[0].add(a)
		s[1].add(b)
		t.Logf("%-6s %-40s index %2d, SQLite %2d", q.set, q.query, a, b)
		if a != 1 && testing.Verbose() {
			t.Logf("       first: %s", strings.Join(names[:min(3, len(names))], " "))
		}
	}
	for name, s := range sets {
		t.Logf("%s, %d questions: mean reciprocal rank %.3f, SQLite %.3f; first %d and %d, among three %d and %d",
			name, s[0].asked, s[0].mean(), s[1].mean(), s[0].first, s[1].first, s[0].three, s[1].three)
		if s[0].mean() < s[1].mean() {
			t.Errorf("%s: the mean reciprocal rank is %.3f, below SQLite's %.3f", name, s[0].mean(), s[1].mean())
		}
	}
}

// An ownIndex is one of package index.
type ownIndex struct {
	index *index.Index
	names map[string]string // by URL
}

func newIndex(t testing.TB, all []*document) *ownIndex {
	x, err := index.Open(filepath.Join(t.TempDir(), "index"), index.Options{})
	fatal.If(t, err)
	t.Cleanup(func() { x.Close() })
	o := &ownIndex{x, make(map[string]string, len(all))}
	for _, d := range all {
		u, err := url.Parse(d.url())
		fatal.If(t, err)
		p, _, err := index.Read(d.url(), d.html, page.Options{URL: u}, index.Source{})
		fatal.If(t, err)
		fatal.If(t, x.Put(p))
		o.names[d.url()] = d.name()
	}
	fatal.If(t, x.Sync())
	return o
}

// search returns the names of the best pages.
func (o *ownIndex) search(t testing.TB, query string) (names []string) {
	found, err := o.index.Search(context.Background(), index.Query{Text: query})
	fatal.If(t, err)
	for _, hit := range found.Hits {
		names = append(names, o.names[hit.URL])
	}
	return names
}
