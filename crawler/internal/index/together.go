package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// MaxParts limits the parts of a search: a crawl has as many partitions.
const MaxParts = 256

// A Part is one of several indexes that have all pages together.
type Part struct {
	Name  string // for people: its folder or URL
	Asked Asker  // nil if it could not be opened
	Err   error  // why
}

// Missing is a part that did not answer.
type Missing struct {
	Part string `json:"part"`
	Why  string `json:"why"`
}

// String returns the part and the reason in a form that is safe for a terminal.
func (m Missing) String() string {
	return printable.Clipped(m.Part, 200) + ": " + printable.Clipped(m.Why, 500)
}

// Together returns the pages of all parts that match, as one index of all pages would: the parts
// first count their pages and those with each word, and then score with the sums. A page that
// several parts have is taken from the part that fetched it last. It counts several times in the
// scores, and in Total beyond the pages that were looked at.
//
// A part that fails is left out and in [Results.Missing]: the Results are then those of the other
// parts. The error is a *QueryError if the query is invalid. It is the part's own if no part is
// left.
func Together(ctx context.Context, parts []Part, q Query) (*Results, error) {
	a := newAnalyser()
	x, err := a.parse(q)
	if err != nil {
		return nil, err
	}
	if len(parts) > MaxParts {
		return nil, fmt.Errorf("%d indexes are named, and %d at most can be searched together", len(parts), MaxParts)
	}
	t := &together{question: x, query: q, size: cmp.Or(q.Size, usualHits)}
	for _, p := range x.places() {
		t.terms = append(t.terms, p.terms...)
	}
	for _, p := range parts {
		if p.Asked == nil && p.Err == nil {
			p.Err = errors.New("it is not there")
		}
		t.parts = append(t.parts, p)
	}
	for {
		if err := t.leaveOut(); err != nil {
			return nil, err
		}
		results, err := t.search(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			results.Missing = t.missing
			return results, nil
		}
		if !errors.Is(err, errPart) {
			return nil, err
		}
	}
}

// errPart means that a part has failed: its Err has the reason.
var errPart = errors.New("a part does not answer")

// together is a search in several parts.
type together struct {
	question *question
	query    Query
	size     int
	terms    []string // of the question
	parts    []Part   // that have not failed
	missing  []Missing
}

// leaveOut moves the parts that have failed to the missing ones.
func (t *together) leaveOut() error {
	kept := t.parts[:0]
	var first error // with the name of the part
	for _, p := range t.parts {
		if p.Err == nil {
			kept = append(kept, p)
			continue
		}
		if first = p.Err; p.Asked != nil && !strings.Contains(first.Error(), p.Name) {
			first = fmt.Errorf("%s: %w", printable.Clipped(p.Name, 200), first)
		}
		t.missing = append(t.missing, Missing{p.Name, p.Err.Error()})
	}
	t.parts = kept
	switch {
	case len(kept) > 0:
		return nil
	case len(t.missing) == 1:
		return first
	case len(t.missing) > 1:
		var why []string
		for _, m := range t.missing {
			why = append(why, m.String())
		}
		return fmt.Errorf("none of the %s can be searched: %s", language.Count(len(why), "part"),
			strings.Join(why[:min(10, len(why))], "; "))
	}
	return errors.New("no index is named")
}

// ask asks each part that question returns a question for, and checks the answers.
func (t *together) ask(ctx context.Context, question func(i int) *Question) ([]*Answer, error) {
	answers := make([]*Answer, len(t.parts))
	one := func(i int) {
		q := question(i)
		if q == nil {
			return
		}
		q.Format, q.Text, q.Language, q.Site = partFormat, t.query.Text, t.query.Language, t.query.Site
		answer, err := t.parts[i].Asked.Ask(ctx, q)
		if err == nil {
			err = t.check(q, answer)
		}
		answers[i], t.parts[i].Err = answer, err
	}
	if len(t.parts) == 1 {
		one(0)
	} else {
		var wg sync.WaitGroup
		for i := range t.parts {
			wg.Go(func() { one(i) })
		}
		wg.Wait()
	}
	for _, p := range t.parts {
		if p.Err != nil {
			return nil, errPart
		}
	}
	return answers, nil
}

// check returns an error for an answer that is none to a question. The part may be of another
// version, or somebody else.
func (t *together) check(q *Question, a *Answer) error {
	const nonsense = "its answer is none to the question: %s"
	switch {
	case a == nil || a.Format != partFormat:
		return errors.New("it is of another version: use the same version everywhere")
	case q.Count && a.Counts == nil, q.Best > 0 && a.Best == nil, len(a.Versions) != len(q.Versions),
		len(a.Links) != len(q.Links), len(a.Hits) != len(q.Hits):
		return fmt.Errorf(nonsense, "something is missing")
	}
	if q.Count {
		if !slices.Equal(a.Counts.Terms, t.terms) || len(a.Counts.With) != len(t.terms) {
			return errors.New("it reads the words of the query otherwise: use the same version everywhere")
		}
		if err := a.Counts.check(); err != nil {
			return fmt.Errorf(nonsense, err)
		}
	}
	if q.Best > 0 {
		if err := a.Best.check(q.Best); err != nil {
			return fmt.Errorf(nonsense, err)
		}
	}
	for _, counts := range a.Links {
		if len(counts) != 1+len(t.terms) || slices.Max(counts) != counts[0] || counts[0] > 1<<48 {
			return fmt.Errorf(nonsense, "impossible numbers of links")
		}
	}
	for i, h := range a.Hits {
		if h != nil && (h.URL != q.Hits[i] || !h.Snippet.valid()) {
			return fmt.Errorf(nonsense, "a page that was not asked for")
		}
	}
	return nil
}

// check returns an error if these cannot be the best n pages.
func (b *Best) check(n int) error {
	if len(b.Pages) > n || uint64(len(b.Pages)) > b.Total || b.Total > 1<<48 ||
		len(b.Pages) < n && uint64(len(b.Pages)) < b.Total {
		return errors.New("another number of pages")
	}
	if !slices.IsSortedFunc(b.Pages, compareCandidates) {
		return errors.New("pages that are not sorted")
	}
	seen := make(map[string]bool, len(b.Pages))
	for _, p := range b.Pages {
		if err := checkURL(p.URL); err != nil {
			return err
		}
		if math.IsNaN(p.Score) || math.IsInf(p.Score, 0) || seen[p.URL] {
			return errors.New("a page without a score, or twice")
		}
		seen[p.URL] = true
	}
	return nil
}

// valid reports whether the marks are ranges of the text, in order.
func (s Snippet) valid() bool {
	end := 0
	for _, m := range s.Marks {
		if m.Start < end || m.End <= m.Start || m.End > len(s.Text) {
			return false
		}
		end = m.End
	}
	return true
}

// A held candidate is a page with the number of the part that has it.
type held struct {
	Candidate
	part int
}

// search asks the parts. The error is errPart if one of them failed.
func (t *together) search(ctx context.Context) (*Results, error) {
	answers, err := t.ask(ctx, func(int) *Question { return &Question{Count: true} })
	if err != nil {
		return nil, err
	}
	sum := &Counts{Terms: t.terms, With: make([]uint64, len(t.terms))}
	for _, a := range answers {
		sum.Pages += a.Counts.Pages
		for i, n := range a.Counts.With {
			sum.With[i] += n
		}
	}
	words := t.question.weigh(sum)
	best, total, err := t.best(ctx, sum, max(t.query.From+t.size, ranked))
	if err != nil {
		return nil, err
	}
	if err := t.rank(ctx, best, words); err != nil {
		return nil, err
	}
	results := &Results{Query: t.query.Text, Total: total, From: t.query.From, Hits: []Hit{}}
	shown := best[min(t.query.From, len(best)):min(t.query.From+t.size, len(best))]
	found, err := t.hits(ctx, shown)
	if err != nil {
		return nil, err
	}
	for i, h := range found {
		if h == nil { // removed since the part named it
			results.Total--
			continue
		}
		h.Score = shown[i].Score
		results.Hits = append(results.Hits, *h)
	}
	return results, nil
}

// best returns at least n of the best pages of all parts, or all if there are fewer, and the total
// number of pages.
func (t *together) best(ctx context.Context, sum *Counts, n int) (best []held, total int, err error) {
	for ask := n; ; ask = min(2*ask, maxBest) {
		answers, err := t.ask(ctx, func(int) *Question { return &Question{Best: ask, Of: sum} })
		if err != nil {
			return nil, 0, err
		}
		best, total = nil, 0
		for i, a := range answers {
			total += int(a.Best.Total)
			for _, c := range a.Best.Pages {
				best = append(best, held{c, i})
			}
		}
		slices.SortFunc(best, func(a, b held) int {
			return cmp.Or(compareCandidates(a.Candidate, b.Candidate), cmp.Compare(a.part, b.part))
		})
		best = best[:min(ask, len(best))] // beyond, a part may have better ones that it did not name
		whole := len(best) == total
		old, err := t.old(ctx, best)
		if err != nil {
			return nil, 0, err
		}
		best = slices.DeleteFunc(best, func(h held) bool { return old[h] })
		total -= len(old)
		if len(best) >= n || whole || ask == maxBest {
			return best, total, nil
		}
	}
}

// old returns the pages of which another part has a newer version, or the same one and comes first.
func (t *together) old(ctx context.Context, best []held) (map[held]bool, error) {
	if len(t.parts) == 1 {
		return nil, nil
	}
	others := make([][]string, len(t.parts))
	for _, h := range best {
		for i := range t.parts {
			if i != h.part {
				others[i] = append(others[i], h.URL)
			}
		}
	}
	theirs, err := t.versions(ctx, others)
	if err != nil {
		return nil, err
	}
	own := make([][]string, len(t.parts))
	for _, h := range best {
		if slices.ContainsFunc(theirs, func(v map[string]int64) bool { _, ok := v[h.URL]; return ok }) {
			own[h.part] = append(own[h.part], h.URL)
		}
	}
	ours, err := t.versions(ctx, own)
	if err != nil {
		return nil, err
	}
	old := make(map[held]bool)
	for _, h := range best {
		at := ours[h.part][h.URL]
		for i, v := range theirs {
			if other, ok := v[h.URL]; ok && i != h.part && (other > at || other == at && i < h.part) {
				old[h] = true
			}
		}
	}
	return old, nil
}

// versions returns the versions of the URLs that each part has of its list.
func (t *together) versions(ctx context.Context, lists [][]string) ([]map[string]int64, error) {
	found := make([]map[string]int64, len(lists))
	for i, list := range lists {
		slices.Sort(list)
		lists[i], found[i] = slices.Compact(list), make(map[string]int64)
	}
	for slices.ContainsFunc(lists, func(l []string) bool { return len(l) > 0 }) {
		some := make([][]string, len(lists))
		for i, list := range lists {
			some[i], lists[i] = list[:min(maxURLs, len(list))], list[min(maxURLs, len(list)):]
		}
		answers, err := t.ask(ctx, func(i int) *Question { return nonEmpty(&Question{Versions: some[i]}) })
		if err != nil {
			return nil, err
		}
		for i, a := range answers {
			for j, url := range some[i] {
				if v := a.Versions[j]; v != nil {
					found[i][url] = *v
				}
			}
		}
	}
	return found, nil
}

// nonEmpty returns a question about URLs, or nil if it has none.
func nonEmpty(q *Question) *Question {
	if len(q.Versions)+len(q.Hits) == 0 {
		return nil
	}
	return q
}

// rank adds the second half to the scores of the best pages, and sorts them.
func (t *together) rank(ctx context.Context, best []held, words []rankedWord) error {
	first := best[:min(ranked, len(best))]
	var urls []string
	for i := range best {
		best[i].Score = withoutOrder(best[i].Score)
		if i < len(first) {
			urls = append(urls, best[i].URL)
		}
	}
	if len(urls) == 0 {
		return nil
	}
	answers, err := t.ask(ctx, func(int) *Question { return &Question{Links: urls} })
	if err != nil {
		return err
	}
	for i := range first {
		sum := make([]uint64, 1+len(t.terms))
		for _, a := range answers {
			for j, n := range a.Links[i] {
				sum[j] += n
			}
		}
		first[i].Score += linkScore(sum, words) + addressScore(first[i].URL, words)
	}
	slices.SortFunc(first, func(a, b held) int { return compareCandidates(a.Candidate, b.Candidate) })
	return nil
}

// hits returns the hits of pages from their parts, which may have removed them meanwhile.
func (t *together) hits(ctx context.Context, pages []held) ([]*Hit, error) {
	lists := make([][]string, len(t.parts))
	for _, p := range pages {
		lists[p.part] = append(lists[p.part], p.URL)
	}
	answers, err := t.ask(ctx, func(i int) *Question { return nonEmpty(&Question{Hits: lists[i]}) })
	if err != nil {
		return nil, err
	}
	found := make([]*Hit, len(pages))
	next := make([]int, len(t.parts))
	for i, p := range pages {
		found[i] = answers[p.part].Hits[next[p.part]]
		next[p.part]++
	}
	return found, nil
}
