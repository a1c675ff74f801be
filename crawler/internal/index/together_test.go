package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tests "github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// indexOf returns an index of pages.
func indexOf(t testing.TB, pages []*Page) *Index {
	t.Helper()
	x, err := Open(filepath.Join(t.TempDir(), "index"), Options{})
	fatal.If(t, err)
	t.Cleanup(func() { x.Close() })
	for _, p := range pages {
		fatal.If(t, x.Put(p))
	}
	fatal.If(t, x.Sync())
	return x
}

// partsOf returns the parts of indexes.
func partsOf(list ...Asker) (parts []Part) {
	for i, x := range list {
		parts = append(parts, Part{Name: fmt.Sprint("part ", i), Asked: x})
	}
	return parts
}

// answerOf returns the answer of parts as JSON, which has every bit of the scores.
func answerOf(t testing.TB, parts []Part, q Query) string {
	t.Helper()
	r, err := Together(context.Background(), parts, q)
	if errors.As(err, new(*QueryError)) {
		return err.Error()
	}
	fatal.If(t, err)
	text, err := json.Marshal(r)
	fatal.If(t, err)
	return string(text)
}

// dealt divides pages among parts at random.
func dealt(random *rand.Rand, pages []*Page, parts int) [][]*Page {
	lists := make([][]*Page, parts)
	for _, p := range pages {
		i := random.IntN(parts)
		lists[i] = append(lists[i], p)
	}
	return lists
}

// many returns pages that share few words, so that many have the same score, and more than are
// ranked by links.
func many(random *rand.Rand, n int) (pages []*Page) {
	for len(pages) < n {
		for _, p := range corpus(random) {
			p.URL = strings.Replace(p.URL, "://", fmt.Sprintf("://h%d.", len(pages)), 1)
			if len(pages) > 0 && random.IntN(3) == 0 {
				p.Links = append(p.Links, Link{URL: pages[random.IntN(len(pages))].URL, Text: "polite robots"})
			}
			pages = append(pages, p)
		}
	}
	return pages
}

// TestTogether divides pages among three indexes at random: each answer is that of one index of all
// pages, byte by byte.
func TestTogether(t *testing.T) {
	t.Parallel()
	rounds, queries := tests.Cases(3, 12), 150
	if testing.Short() {
		rounds, queries = 3, 40
	}
	compared, found := 0, 0
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		pages := many(random, []int{5, 60, 700}[seed%3])
		var parts []Asker
		for _, list := range dealt(random, pages, 3) {
			parts = append(parts, indexOf(t, list))
		}
		whole := partsOf(indexOf(t, pages))
		for range queries {
			q := Query{Text: ask(random).String(), From: random.IntN(5) * random.IntN(80), Size: 1 + random.IntN(40)}
			got, want := answerOf(t, partsOf(parts...), q), answerOf(t, whole, q)
			if got != want {
				t.Fatalf("seed %d, %+v:\ngot  %s\nwant %s", seed, q, got, want)
			}
			compared++
			found += strings.Count(got, `"score"`)
		}
	}
	if found < compared {
		t.Errorf("%d queries found only %d pages", compared, found)
	}
	t.Logf("%d queries with %d hits were compared", compared, found)
}

// TestTogetherTies searches for pages whose scores differ in nothing, and whose order among equals
// collides: they are sorted by URL, also where a part names only some of them.
func TestTogetherTies(t *testing.T) {
	t.Parallel()
	collide := make(map[int][]*Page)
	var pages []*Page
	for i := 0; len(pages) < 3*ranked; i++ {
		p := &Page{
			URL:      fmt.Sprintf("https://example.com/%d", i),
			Passages: []Passage{{Text: "word"}},
			Language: english,
		}
		order := orderOf(p.URL).terms[orderTerm].Frequency() >> 10
		collide[order] = append(collide[order], p)
		if len(collide[order]) > 1 || i%4000 == 0 {
			pages = append(pages, p)
			if len(collide[order]) == 2 {
				pages = append(pages, collide[order][0])
			}
		}
	}
	slices.SortFunc(pages, func(a, b *Page) int { return cmp.Compare(a.URL, b.URL) })
	pages = slices.CompactFunc(pages, func(a, b *Page) bool { return a.URL == b.URL })
	random := rand.New(rand.NewPCG(1, 1))
	random.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	var parts []Asker
	for _, list := range dealt(random, pages, 3) {
		parts = append(parts, indexOf(t, list))
	}
	whole := partsOf(indexOf(t, pages))
	for n := ranked - 6; n < ranked+40; n += 1 + n/ranked*5 {
		for _, q := range []Query{{Text: "word", Size: n}, {Text: "word", From: n, Size: 7}} {
			if got, want := answerOf(t, partsOf(parts...), q), answerOf(t, whole, q); got != want {
				t.Fatalf("%+v:\ngot  %s\nwant %s", q, got, want)
			}
		}
	}
}

// FuzzTogether searches with any query in pages that a seed makes and divides.
func FuzzTogether(f *testing.F) {
	f.Add(uint64(1), `polite "robots wait" -son lang:en`, uint8(0), uint8(3))
	f.Add(uint64(2), "the the and robot site:a.test", uint8(9), uint8(200))
	f.Add(uint64(3), `de "de" роботы -site:b.test`, uint8(200), uint8(1))
	f.Fuzz(func(t *testing.T, seed uint64, query string, from, size uint8) {
		random := rand.New(rand.NewPCG(seed, 9))
		pages := many(random, random.IntN(40))
		var parts []Asker
		for _, list := range dealt(random, pages, 1+random.IntN(4)) {
			parts = append(parts, indexOf(t, list))
		}
		q := Query{Text: query, From: int(from), Size: int(size)}
		if got, want := answerOf(t, partsOf(parts...), q), answerOf(t, partsOf(indexOf(t, pages)), q); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

// TestTogetherVersions searches in parts that have the same pages in several versions: each page is
// found once, in the version that was fetched last, and not by the words of an older one.
func TestTogetherVersions(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Time { return time.Date(2026, 11, 30, 12, 0, second, 0, time.UTC) }
	page := func(i, second int, text string) *Page {
		return &Page{
			URL:       fmt.Sprintf("https://example.com/%04d", i),
			Title:     text,
			Passages:  []Passage{{Text: "word " + text}},
			FetchedAt: at(second),
			Language:  english,
		}
	}
	var a, b, c, newest []*Page
	for i := range 400 {
		first, second := page(i, 1, "early"), page(i, 2, "late")
		switch i % 4 {
		case 0: // one version
			a, newest = append(a, first), append(newest, first)
		case 1: // an old one in a part that comes first
			a, c, newest = append(a, first), append(c, second), append(newest, second)
		case 2: // an old one in a part that comes last
			b, c, newest = append(b, second), append(c, first), append(newest, second)
		case 3: // the same twice, after a kill
			a, b, newest = append(a, second), append(b, second), append(newest, second)
		}
	}
	parts := partsOf(indexOf(t, a), indexOf(t, b), indexOf(t, c))
	for query, want := range map[string]int{"word": 400, "early": 100, "late": 300, "word -late": 100,
		"early late": 0} {
		seen := make(map[string]bool)
		for from := 0; from < 400; from += 130 {
			r, err := Together(context.Background(), parts, Query{Text: query, From: from, Size: 130})
			fatal.If(t, err)
			for _, h := range r.Hits {
				i := slices.IndexFunc(newest, func(p *Page) bool { return p.URL == h.URL })
				if seen[h.URL] || h.Title != newest[i].Title || !h.FetchedAt.Equal(newest[i].FetchedAt) {
					t.Errorf("%s: found %+v", query, h)
				}
				seen[h.URL] = true
			}
		}
		if len(seen) != want {
			t.Errorf("%s: %d pages, want %d", query, len(seen), want)
		}
	}
	r, err := Together(context.Background(), parts, Query{Text: "word", Size: MaxHits})
	if err != nil || r.Total != 400 || len(r.Hits) != 400 {
		t.Errorf("%d of %d pages: %v", len(r.Hits), r.Total, err)
	}
}

// asked is a part that alters answers.
type asked func(ctx context.Context, q *Question) (*Answer, error)

func (a asked) Ask(ctx context.Context, q *Question) (*Answer, error) { return a(ctx, q) }

// TestTogetherMissing searches in parts of which one fails at some step, or gives answers that none
// of our programs gives: the answer is that of the other parts, and names the part.
func TestTogetherMissing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 5))
	lists := dealt(random, many(random, 60), 3)
	a, b, c := indexOf(t, lists[0]), indexOf(t, lists[1]), indexOf(t, lists[2])
	q := Query{Text: "robots", Size: 50}
	want := answerOf(t, partsOf(a, b), q)
	if want == answerOf(t, partsOf(a, b, c), q) {
		t.Fatal("the third part has no page")
	}
	alter := func(change func(q *Question, a *Answer)) Asker {
		return asked(func(ctx context.Context, q *Question) (*Answer, error) {
			answer, err := c.Ask(ctx, q)
			if err == nil {
				change(q, answer)
			}
			return answer, err
		})
	}
	counts := func(how func(c *Counts)) Asker { return alter(func(_ *Question, a *Answer) { change(a.Counts, how) }) }
	best := func(how func(b *Best)) Asker { return alter(func(_ *Question, a *Answer) { change(a.Best, how) }) }
	links := func(how func(l *[]uint64)) Asker {
		return alter(func(_ *Question, a *Answer) { change(first(a.Links), how) })
	}
	hits := func(how func(h **Hit)) Asker {
		return alter(func(_ *Question, a *Answer) { change(first(a.Hits), how) })
	}
	fails := func(at func(*Question) bool) Asker {
		return asked(func(ctx context.Context, q *Question) (*Answer, error) {
			if at(q) {
				return nil, errors.New("no answer\x1b[31m")
			}
			return c.Ask(ctx, q)
		})
	}
	for name, part := range map[string]Asker{
		"counts":    fails(func(q *Question) bool { return q.Count }),
		"best":      fails(func(q *Question) bool { return q.Best > 0 }),
		"versions":  fails(func(q *Question) bool { return q.Versions != nil }),
		"links":     fails(func(q *Question) bool { return q.Links != nil }),
		"hits":      fails(func(q *Question) bool { return q.Hits != nil }),
		"nil":       asked(func(context.Context, *Question) (*Answer, error) { return nil, nil }),
		"empty":     alter(func(_ *Question, a *Answer) { *a = Answer{Format: partFormat} }),
		"version":   alter(func(_ *Question, a *Answer) { a.Format = "2/9" }),
		"terms":     counts(func(c *Counts) { c.Terms = []string{"robots"} }),
		"fewer":     counts(func(c *Counts) { c.With = nil }),
		"more":      counts(func(c *Counts) { c.With[0] = c.Pages + 1 }),
		"overflow":  counts(func(c *Counts) { c.Pages = math.MaxUint64 }),
		"total":     best(func(b *Best) { b.Total = 0 }),
		"cut":       best(func(b *Best) { b.Pages = b.Pages[1:] }),
		"order":     best(func(b *Best) { slices.Reverse(b.Pages) }),
		"twice":     best(func(b *Best) { b.Pages[1] = b.Pages[0] }),
		"score":     best(func(b *Best) { b.Pages[0].Score = math.Inf(1) }),
		"no URL":    best(func(b *Best) { b.Pages[0].URL = "\x1b[31m" }),
		"links cut": links(func(l *[]uint64) { *l = nil }),
		"link":      links(func(l *[]uint64) { (*l)[1] = math.MaxUint64 }),
		"other":     hits(func(h **Hit) { (*h).URL = "https://example.com/other" }),
		"marks":     hits(func(h **Hit) { (*h).Snippet.Marks = []Mark{{5, 1 << 30}} }),
	} {
		for at := range 3 {
			parts := slices.Insert(partsOf(a, b), at, Part{Name: "the \x1b[31m bad one", Asked: part})
			r, err := Together(context.Background(), parts, q)
			if err != nil || len(r.Missing) != 1 || r.Missing[0].Part != parts[at].Name {
				t.Errorf("%s: missing %v: %v", name, r, err)
				continue
			}
			var shown strings.Builder
			r.Write(&shown, true, false)
			if text := shown.String(); strings.Contains(text, "\x1b") ||
				!strings.Contains(text, `missing: the \x1b[31m bad one: `) {
				t.Errorf("%s: %s", name, text)
			}
			r.Missing = nil
			if got, err := json.Marshal(r); err != nil || string(got) != want {
				t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, got, want)
			}
		}
	}
}

// change changes what is there.
func change[T any](there *T, how func(*T)) {
	if there != nil {
		how(there)
	}
}

// first returns the first of a list, or nil.
func first[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// TestTogetherNone searches where no part can be searched, and with what cannot be asked.
func TestTogetherNone(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "index")
	x, err := Open(damaged, Options{})
	fatal.If(t, err)
	fatal.If(t, x.Put(&Page{URL: "https://example.com/", Title: "word"}))
	fatal.If(t, x.Close())
	numbers, err := snapshots(damaged)
	fatal.If(t, err)
	fatal.If(t, os.Truncate(filepath.Join(snapshotPath(damaged, numbers[0]), boltName), 0))
	_, err = Open(damaged, Options{ReadOnly: true})
	if !errors.Is(err, ErrDamaged) {
		t.Fatal(err)
	}
	whole := indexOf(t, []*Page{{URL: "https://example.com/b", Title: "word"}})
	ctx := context.Background()
	bad := Part{Name: damaged, Err: err}
	if r, err := Together(ctx, []Part{bad, {Name: "b", Asked: whole}, {Name: "c"}}, Query{Text: "word"}); err != nil ||
		r.Total != 1 || len(r.Missing) != 2 || !strings.Contains(r.Missing[0].Why, "damaged") {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := Together(ctx, []Part{bad}, Query{Text: "word"}); !errors.Is(err, ErrDamaged) {
		t.Errorf("one that is damaged: %v", err)
	}
	if _, err := Together(ctx, []Part{bad, bad}, Query{Text: "word"}); err == nil ||
		!strings.Contains(err.Error(), "none of the 2 parts can be searched") {
		t.Errorf("two that are damaged: %v", err)
	}
	if _, err := Together(ctx, nil, Query{Text: "word"}); err == nil {
		t.Error("no part")
	}
	if _, err := Together(ctx, make([]Part, MaxParts+1), Query{Text: "word"}); err == nil {
		t.Error("too many parts")
	}
	if _, err := Together(ctx, partsOf(whole), Query{Text: " "}); !errors.As(err, new(*QueryError)) {
		t.Errorf("no words: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Together(ended, partsOf(whole, whole), Query{Text: "word"}); !errors.Is(err, context.Canceled) {
		t.Errorf("an end: %v", err)
	}
	for _, q := range []Question{
		{}, {Format: "9", Text: "word"}, {Format: partFormat}, {Format: partFormat, Text: strings.Repeat("w ", 2000)},
		{Format: partFormat, Text: "word", Best: 5},
		{Format: partFormat, Text: "word", Best: maxBest + 1, Of: &Counts{}},
		{Format: partFormat, Text: "word", Best: -1},
		{Format: partFormat, Text: "word", Links: make([]string, ranked+1)},
		{Format: partFormat, Text: "word", Best: 1, Of: &Counts{Pages: 1, With: []uint64{2}}},
		{Format: partFormat, Text: "word", Best: 1, Of: &Counts{Pages: 1 << 60, With: []uint64{2}}},
	} {
		if _, err := whole.Ask(ctx, &q); !errors.As(err, new(*QueryError)) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}
