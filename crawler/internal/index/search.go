package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/searcher"
	bleve "github.com/blevesearch/bleve_index_api"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Results are the hits of a search. Do not modify them.
type Results struct {
	Query string `json:"query"`          // as in the [Query]
	Total int    `json:"total"`          // matching pages, of which Hits has some
	From  int    `json:"from,omitempty"` // how many pages the Query passes over
	Hits  []Hit  `json:"hits"`           // best first; not nil
}

// A Hit is a matching page. Its fields are unescaped text of the page: print String, or
// the results of Snippet's methods.
type Hit struct {
	URL       string    `json:"url"`
	Title     string    `json:"title,omitempty"`
	Snippet   Snippet   `json:"snippet"`
	Score     float64   `json:"score"` // comparable with the scores of the same search only
	Language  string    `json:"language,omitempty"`
	FetchedAt time.Time `json:"fetched_at,omitzero"` // zero if unknown
	ETag      string    `json:"etag,omitempty"`
	Digest    string    `json:"digest,omitempty"`
	Why       Why       `json:"why,omitempty"`
}

// String returns the title and the URL in one line that is safe for a terminal.
func (h Hit) String() string {
	if h.Title == "" {
		return printable.Text(h.URL)
	}
	return printable.Text(h.Title) + ": " + printable.Text(h.URL)
}

// Why lists the places of a query's words on a page.
type Why []Found

// Found lists the constructs with one word or phrase of the query.
type Found struct {
	Words string      `json:"words"` // as written in the query
	In    []Construct `json:"-"`     // by decreasing weight; empty if the page may not be quoted
}

// String returns the words and their constructs, such as "robots: title, heading,
// text".
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

// String returns all elements, separated by semicolons.
func (w Why) String() string {
	texts := make([]string, len(w))
	for i, f := range w {
		texts[i] = f.String()
	}
	return strings.Join(texts, "; ")
}

// Write writes the hits for people, in colour on request, and with why the places of the
// query's words.
func (r *Results) Write(w io.Writer, why, color bool) {
	on, off := "", ""
	if color {
		on, off = "\x1b[1m", "\x1b[0m"
	}
	for _, h := range r.Hits {
		fmt.Fprintf(w, "%s%s%s\n", on, printable.Shown(cmp.Or(h.Title, h.URL)), off)
		if h.Title != "" {
			fmt.Fprintf(w, "    %s\n", printable.Shown(h.URL))
		}
		if h.Snippet.Text != "" {
			fmt.Fprintf(w, "    %s\n", h.Snippet.Marked(on, off))
		}
		if why {
			for _, found := range h.Why {
				fmt.Fprintf(w, "    - %s\n", found)
			}
		}
		fmt.Fprintln(w)
	}
	switch n := len(r.Hits); {
	case r.Total == 0:
		fmt.Fprintln(w, "no page was found")
	case n == r.Total:
		fmt.Fprintln(w, language.Count(n, "page"))
	case n == 0:
		fmt.Fprintf(w, "%s, of which all are passed over\n", language.Count(r.Total, "page"))
	default:
		fmt.Fprintf(w, "%d to %d of %s\n", r.From+1, r.From+n, language.Count(r.Total, "page"))
	}
}

// Search returns the matching pages, best first. The error is a *QueryError if the
// query is invalid. Recent changes may be missing; see [Index.Sync].
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
	results := &Results{Query: q.Text, From: q.From, Hits: []Hit{}}
	err = x.read(func(r *scorch.IndexSnapshot) error {
		return a.search(ctx, r, asked, q, results)
	})
	if err != nil {
		return nil, x.failed("search", err)
	}
	return results, nil
}

func (a *analyser) search(ctx context.Context, r *scorch.IndexSnapshot, asked *question, q Query,
	results *Results) error {
	b := &queryBuilder{ctx: ctx, reader: r}
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

// storedPage returns the stored data of the page with an internal number, or nil.
func storedPage(r *scorch.IndexSnapshot, id bleve.IndexInternalID) (stored []byte, err error) {
	number := id.Value()
	for _, s := range r.Segments() {
		if n := uint64(s.FullSize()); number >= n {
			number -= n // page numbers continue from segment to segment
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

// unscored are the options of searches that only match pages: a ranker scores them.
var unscored = search.SearcherOptions{Score: "none"}

// A queryBuilder is a search under construction. After an error it builds nothing more.
type queryBuilder struct {
	ctx    context.Context
	reader bleve.IndexReader
	opened []search.Searcher // searchers that are not part of another one yet
	err    error
}

// close closes the searchers that were built.
func (b *queryBuilder) close() {
	for _, s := range b.opened {
		s.Close()
	}
}

// built records a searcher that was made from the last n.
func (b *queryBuilder) built(s search.Searcher, err error, n int) search.Searcher {
	if err != nil {
		b.err = err
		return nil
	}
	b.opened = append(b.opened[:len(b.opened)-n], s)
	return s
}

// question builds the search for a question.
func (b *queryBuilder) question(x *question) search.Searcher {
	var must, should, not int
	count := func(n *int, s search.Searcher) {
		if s != nil {
			*n++
		}
	}
	// Searchers that are combined must be built consecutively.
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

// all combines the last n searchers into one that finds the pages that all of them
// find.
func (b *queryBuilder) all(n int) search.Searcher {
	last := b.last(n)
	if len(last) < 2 {
		return first(last)
	}
	s, err := searcher.NewConjunctionSearcher(b.ctx, b.reader, last, unscored)
	return b.built(s, err, n)
}

// any combines the last n searchers into one that finds the pages that at least least
// of them find.
func (b *queryBuilder) any(n int, least float64) search.Searcher {
	last := b.last(n)
	if len(last) == 0 {
		return nil
	}
	s, err := searcher.NewDisjunctionSearcher(b.ctx, b.reader, last, least, unscored)
	return b.built(s, err, n)
}

// last returns the last n searchers.
func (b *queryBuilder) last(n int) []search.Searcher {
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
func (b *queryBuilder) clause(c clause) search.Searcher {
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

// term builds the search for the pages with a term.
func (b *queryBuilder) term(field, term string) search.Searcher {
	if b.err != nil {
		return nil
	}
	s, err := searcher.NewTermSearcher(b.ctx, b.reader, term, field, 1, unscored)
	return b.built(s, err, 0)
}
