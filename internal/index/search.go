package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/searcher"
	bleve "github.com/blevesearch/bleve_index_api"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Results is what a search has found. It is not to be modified.
type Results struct {
	Total int   // pages that match, of which Hits has some
	Hits  []Hit // best first
}

// A Hit is a page that matches. What it has of the page is as it is there: print
// String, or what the methods of Snippet return.
type Hit struct {
	URL       string
	Title     string
	Snippet   Snippet
	Score     float64 // for comparison with others of the same search
	Language  string
	FetchedAt time.Time // zero where it is not known
	ETag      string
	Digest    string
	Why       Why
}

// String returns the title and the URL in one line that a terminal may show.
func (h Hit) String() string {
	if h.Title == "" {
		return printable.Text(h.URL)
	}
	return printable.Text(h.Title) + ": " + printable.Text(h.URL)
}

// Why tells where the words of a query stand on a page.
type Why []Found

// Found tells where one word or phrase of the query stands.
type Found struct {
	Words string      `json:"words"` // as the query has them
	In    []Construct `json:"-"`     // from the one with the most weight; none where the page may not be quoted
}

// String returns what was found where, such as "robots: title, heading, text".
func (f Found) String() string {
	places := "text that may not be shown"
	if len(f.In) > 0 {
		places = strings.Join(f.places(), ", ")
	}
	return printable.Text(f.Words) + ": " + places
}

func (f Found) places() (names []string) {
	for i, c := range f.In {
		if i == 0 || c.String() != f.In[i-1].String() {
			names = append(names, c.String())
		}
	}
	return names
}

// MarshalJSON returns an object with "words" and "in".
func (f Found) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Words string   `json:"words"`
		In    []string `json:"in,omitempty"`
	}{f.Words, f.places()})
}

// String returns all that was found, separated by semicolons.
func (w Why) String() string {
	texts := make([]string, len(w))
	for i, f := range w {
		texts[i] = f.String()
	}
	return strings.Join(texts, "; ")
}

// Search returns the pages that match, best first. The error is a *QueryError
// where the query cannot be asked. What was put a moment ago may be missing; see
// [Index.Sync].
func (x *Index) Search(ctx context.Context, q Query) (*Results, error) {
	a := x.analysers.Get().(*analyser)
	defer x.analysers.Put(a)
	asked, err := a.parse(q)
	if err != nil {
		return nil, err
	}
	if q.Size == 0 {
		q.Size = usualHits
	}
	results := new(Results)
	err = x.read(func(r *scorch.IndexSnapshot) error {
		return a.search(ctx, r, asked, q, results)
	})
	if err != nil {
		return nil, x.failed("search", err)
	}
	return results, nil
}

func (a *analyser) search(ctx context.Context, r *scorch.IndexSnapshot, asked *question, q Query, results *Results) error {
	b := &building{ctx: ctx, reader: r}
	s := b.question(asked)
	if b.err != nil {
		b.close()
		return b.err
	}
	defer s.Close()
	k, err := newRanker(ctx, r, asked)
	if err != nil {
		return err
	}
	defer k.close()
	total, best, err := k.best(s, q.From, q.Size)
	if err != nil {
		return err
	}
	results.Total = total
	for _, m := range best {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.url == "" {
			if m.url, err = r.ExternalID(m.id); err != nil {
				return err
			}
		}
		h := Hit{URL: m.url, Score: m.score}
		stored, err := storedPage(r, m.id)
		if err != nil {
			return err
		}
		if stored != nil {
			err = a.show(&h, stored, asked)
		}
		if err != nil {
			return fmt.Errorf("%w: the page %s cannot be read (%v)", ErrDamaged, printable.Text(m.url), err)
		}
		results.Hits = append(results.Hits, h)
	}
	return nil
}

// storedPage returns what is stored of the page with an internal number, or nil.
func storedPage(r *scorch.IndexSnapshot, id bleve.IndexInternalID) (stored []byte, err error) {
	number := id.Value()
	for _, s := range r.Segments() {
		if n := uint64(s.FullSize()); number >= n {
			number -= n // that of a page is one of its segment, after those of the segments before
			continue
		}
		err = s.VisitDocument(number, func(field string, _ byte, value []byte, _ []uint64) bool {
			if field == storedField {
				stored = bytes.Clone(value)
			}
			return stored == nil
		})
		break
	}
	return stored, err
}

// unscored are the options of searches that only find pages: a ranker scores them.
var unscored = search.SearcherOptions{Score: "none"}

// A building is a search that is put together. After an error it builds no more.
type building struct {
	ctx    context.Context
	reader bleve.IndexReader
	opened []search.Searcher // that are no part of another yet
	err    error
}

// close closes what was built.
func (b *building) close() {
	for _, s := range b.opened {
		s.Close()
	}
}

// built notes a searcher that was made of the last n.
func (b *building) built(s search.Searcher, err error, n int) search.Searcher {
	if err != nil {
		b.err = err
		return nil
	}
	b.opened = append(b.opened[:len(b.opened)-n], s)
	return s
}

// question builds the search for a question.
func (b *building) question(x *question) search.Searcher {
	var must, should, not int
	count := func(n *int, s search.Searcher) {
		if s != nil {
			*n++
		}
	}
	// What belongs together is built one after the other.
	for _, c := range x.clauses {
		if !c.not && !c.common {
			count(&must, b.clause(c))
		}
	}
	for _, f := range x.sites {
		if !f.not {
			count(&must, b.term(siteField, f.term))
		}
	}
	for _, f := range x.langs {
		if !f.not {
			count(&must, b.term(langField, f.term))
		}
	}
	all := b.all(must)
	for _, c := range x.clauses {
		if !c.not && c.common {
			count(&should, b.clause(c))
		}
	}
	some := b.any(should, 0)
	for _, c := range x.clauses {
		if c.not {
			count(&not, b.clause(c))
		}
	}
	for _, f := range x.sites {
		if f.not {
			count(&not, b.term(siteField, f.term))
		}
	}
	for _, f := range x.langs {
		if f.not {
			count(&not, b.term(langField, f.term))
		}
	}
	none := b.any(not, 1)
	if b.err != nil || some == nil && none == nil {
		return all
	}
	n := 1
	for _, s := range []search.Searcher{some, none} {
		if s != nil {
			n++
		}
	}
	s, err := searcher.NewBooleanSearcher(b.ctx, b.reader, all, some, none, unscored)
	return b.built(s, err, n)
}

// all builds the search for pages that the last n all find.
func (b *building) all(n int) search.Searcher {
	last := b.last(n)
	if len(last) < 2 {
		return first(last)
	}
	s, err := searcher.NewConjunctionSearcher(b.ctx, b.reader, last, unscored)
	return b.built(s, err, n)
}

// any builds the search for pages that so many of the last n find.
func (b *building) any(n int, least float64) search.Searcher {
	last := b.last(n)
	if len(last) == 0 {
		return nil
	}
	s, err := searcher.NewDisjunctionSearcher(b.ctx, b.reader, last, least, unscored)
	return b.built(s, err, n)
}

// last returns the last n that were built.
func (b *building) last(n int) []search.Searcher {
	if b.err != nil || n == 0 {
		return nil
	}
	return append([]search.Searcher(nil), b.opened[len(b.opened)-n:]...)
}

func first(list []search.Searcher) search.Searcher {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// clause builds the search for a word or a phrase.
func (b *building) clause(c clause) search.Searcher {
	if b.err != nil {
		return nil
	}
	if len(c.places) > 1 {
		terms := make([][]string, len(c.places))
		for i, p := range c.places {
			if terms[i] = p.terms; len(p.terms) == 0 {
				terms[i] = []string{""}
			}
		}
		s, err := searcher.NewMultiPhraseSearcher(b.ctx, b.reader, terms, 0, false, wordsField, 1, unscored)
		return b.built(s, err, 0)
	}
	for _, t := range c.places[0].terms {
		b.term(wordsField, t)
	}
	if len(c.places[0].terms) == 1 {
		return first(b.last(1))
	}
	return b.any(len(c.places[0].terms), 1)
}

// term builds the search for pages with a term.
func (b *building) term(field, term string) search.Searcher {
	if b.err != nil {
		return nil
	}
	s, err := searcher.NewTermSearcher(b.ctx, b.reader, term, field, 1, unscored)
	return b.built(s, err, 0)
}
