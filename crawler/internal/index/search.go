package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
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

	// Missing are the parts of [Together] that did not answer: the Results are those of the others.
	Missing []Missing `json:"missing,omitempty"`
}

// A Hit is a matching page. Its fields are unescaped text of the page: [Results.Write]
// prints them safely.
type Hit struct {
	URL       string    `json:"url"`
	Title     string    `json:"title,omitempty"`
	Snippet   Snippet   `json:"snippet"`
	Score     float64   `json:"score"` // comparable with the scores of the same search only
	Language  string    `json:"language,omitempty"`
	FetchedAt time.Time `json:"fetched_at,omitzero"` // zero if unknown
	ETag      string    `json:"etag,omitempty"`
	Digest    string    `json:"digest,omitempty"`
	Why       []Found   `json:"why,omitempty"` // the places of the query's words
}

// Found lists the constructs with one word or phrase of the query.
type Found struct {
	Words string   `json:"words"`        // as written in the query
	In    []string `json:"in,omitempty"` // by decreasing weight; empty if the page may not be quoted
}

// String returns the words and their constructs, such as "robots: title, heading,
// text".
func (f Found) String() string {
	places := "text that may not be shown"
	if len(f.In) > 0 {
		places = strings.Join(f.In, ", ")
	}
	return printable.Text(f.Words) + ": " + places
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
	for _, m := range r.Missing {
		fmt.Fprintf(w, "missing: %s\n", m)
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
func (x *Index) Search(ctx context.Context, q Query) (results *Results, err error) {
	var wrong *QueryError
	err = x.read(func(r *scorch.IndexSnapshot) (err error) {
		results, err = Together(ctx, []Part{{Name: x.dir, Asked: &view{x, r}}}, q)
		return err
	})
	switch {
	case errors.As(err, &wrong):
		return nil, wrong
	case err != nil:
		return nil, x.failed("search", err)
	}
	return results, nil
}

// storedPage returns the stored data of the page of a URL.
func storedPage(r *scorch.IndexSnapshot, url string) (stored *resultData, err error) {
	stored = new(resultData)
	d, err := r.Document(url)
	if err != nil || d == nil {
		return stored, err
	}
	d.VisitFields(func(f bleve.Field) {
		if f.Name() == storedField {
			err = json.Unmarshal(f.Value(), stored)
		}
	})
	return stored, err
}
