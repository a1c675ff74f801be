package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"github.com/robotsexclusion/robots/internal/printable"
)

// partFormat is the form of questions and answers. A change of the scores or of the words is
// another form too, because parts of several versions must not be ranked together.
const partFormat = "1/" + format

// Limits of a question to a part.
const (
	maxBest = 2 * (MaxPassed + MaxHits + ranked) // pages
	maxURLs = 1000                               // in each list
)

// An Asker answers the questions that [Together] has for a part of all pages: an [Index], or a
// [Remote] one.
type Asker interface {
	Ask(ctx context.Context, q *Question) (*Answer, error)
}

// A Question is what Together asks of a part. An Answer has the members that are asked for.
type Question struct {
	Format   string `json:"format"`
	Text     string `json:"text,omitempty"` // this and the next two are those of the Query
	Language string `json:"language,omitempty"`
	Site     string `json:"site,omitempty"`

	Count    bool     `json:"count,omitempty"`    // Counts
	Best     int      `json:"best,omitempty"`     // the number of pages of Best
	Of       *Counts  `json:"of,omitempty"`       // the sums over all parts, which Best needs
	Versions []string `json:"versions,omitempty"` // URLs
	Links    []string `json:"links,omitempty"`    // URLs
	Hits     []string `json:"hits,omitempty"`     // URLs
}

// An Answer is what a part says of its own pages.
type Answer struct {
	Format   string     `json:"format"`
	Counts   *Counts    `json:"counts,omitempty"`
	Best     *Best      `json:"best,omitempty"`
	Versions []*int64   `json:"versions,omitempty"` // fetched at, in milliseconds since 1970; nil: no such page
	Links    [][]uint64 `json:"links,omitempty"`    // by URL: the linking pages, and those with each of Counts.Terms
	Hits     []*Hit     `json:"hits,omitempty"`     // without scores; nil: no such page
}

// Counts has the numbers of pages that scores depend on.
type Counts struct {
	Pages uint64   `json:"pages"`
	Terms []string `json:"terms"` // of the query
	With  []uint64 `json:"with"`  // pages with each of the terms
}

// Best are the best pages of a part by their own words.
type Best struct {
	Total uint64      `json:"total"` // matching pages
	Pages []Candidate `json:"pages"`
}

// A Candidate is a page with the first half of its score.
type Candidate struct {
	URL   string  `json:"url"`
	Score float64 `json:"score"`
}

// Ask answers a question. The error is a *QueryError if the question is invalid.
func (x *Index) Ask(ctx context.Context, q *Question) (answer *Answer, err error) {
	err = x.read(func(r *scorch.IndexSnapshot) (err error) {
		answer, err = (&view{x, r}).Ask(ctx, q)
		return err
	})
	if err != nil && !errors.As(err, new(*QueryError)) {
		err = x.failed("search", err)
	}
	return answer, err
}

// A view is one state of an index.
type view struct {
	index  *Index
	reader *scorch.IndexSnapshot
}

// Ask implements [Asker].
func (v *view) Ask(ctx context.Context, q *Question) (*Answer, error) {
	a := v.index.analysers.Get().(*analyser)
	defer v.index.analysers.Put(a)
	x, err := a.parse(Query{Text: q.Text, Language: q.Language, Site: q.Site})
	if err != nil {
		return nil, err
	}
	if err := x.check(q); err != nil {
		return nil, &QueryError{Text: q.Text, Reason: err.Error()}
	}
	answer := &Answer{Format: partFormat}
	if q.Count {
		if answer.Counts, err = x.count(ctx, v.reader); err != nil {
			return nil, err
		}
	}
	if q.Best > 0 {
		if answer.Best, err = x.best(ctx, v.reader, x.weigh(q.Of), q.Best); err != nil {
			return nil, err
		}
	}
	for _, url := range q.Versions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		version, err := versionOf(ctx, v.reader, url)
		if err != nil {
			return nil, err
		}
		answer.Versions = append(answer.Versions, version)
	}
	words := x.places()
	for _, url := range q.Links {
		if err := ctx.Err(); err != nil { // a long query has a thousand terms to look up here
			return nil, err
		}
		counts, err := linksTo(ctx, v.reader, url, words)
		if err != nil {
			return nil, err
		}
		answer.Links = append(answer.Links, counts)
	}
	for _, url := range q.Hits {
		hit, err := a.found(ctx, v.reader, url, x)
		if err != nil {
			return nil, err
		}
		answer.Hits = append(answer.Hits, hit)
	}
	return answer, ctx.Err()
}

// check returns an error if a part cannot answer a question.
func (x *question) check(q *Question) error {
	terms := 0
	for _, p := range x.places() {
		terms += len(p.terms)
	}
	switch {
	case q.Format != partFormat:
		return fmt.Errorf("the question has the form %s, and this program knows %s: use the same version everywhere",
			printable.Quoted(q.Format, 20), partFormat)
	case q.Best < 0 || q.Best > maxBest, max(len(q.Versions), len(q.Hits)) > maxURLs,
		len(q.Links) > ranked:
		return errors.New("the question asks for too many pages")
	case q.Best > 0 && (q.Of == nil || len(q.Of.With) != terms):
		return fmt.Errorf("the question has no counts for %d terms: use the same version everywhere", terms)
	}
	if q.Of != nil {
		return q.Of.check()
	}
	return nil
}

// check returns an error if counts are impossible.
func (c *Counts) check() error {
	for _, n := range c.With {
		if n > c.Pages {
			return errors.New("more pages have a word than there are pages")
		}
	}
	if c.Pages > 1<<48 {
		return errors.New("there are not so many pages")
	}
	return nil
}

// versionOf returns when the page of a URL was fetched, in milliseconds since 1970, or nil if there
// is no such page.
func versionOf(ctx context.Context, r *scorch.IndexSnapshot, url string) (*int64, error) {
	if n, err := countOf(ctx, r, idField, url); err != nil || n == 0 {
		return nil, err
	}
	stored, err := storedPage(r, url)
	if err != nil {
		return nil, damagedPage(url, err)
	}
	at := stored.FetchedAt.UnixMilli()
	return &at, nil
}

// found returns the hit of a URL, or nil if there is no such page.
func (a *analyser) found(ctx context.Context, r *scorch.IndexSnapshot, url string, x *question) (*Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n, err := countOf(ctx, r, idField, url); err != nil || n == 0 {
		return nil, err
	}
	stored, err := storedPage(r, url)
	if err != nil {
		return nil, damagedPage(url, err)
	}
	hit := a.hit(url, 0, stored, x)
	return &hit, nil
}

func damagedPage(url string, err error) error {
	return fmt.Errorf("%w: the page %s cannot be read (%v)", ErrDamaged, printable.Text(url), err)
}
