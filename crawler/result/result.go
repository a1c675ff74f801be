// Package result defines the results of a crawl: a line of JSON for each URL in the file
// of results, with the reason if a URL was not visited or gave no page.
//
//	line, err := result.Parse(text)
//
// A program that reads the results of a crawl needs no other package. Package crawl writes results
// with it, and the index reads them with it. Names and numbers are stored on disks: they never
// change, and new ones are added at the end.
package result

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Line is the result of one URL: one line of the results.
type Line struct {
	URL       string    `json:"url"`
	Status    int       `json:"status,omitempty"`     // HTTP status; 0 without a response
	Reason    Reason    `json:"reason,omitempty"`     // why the URL was not visited, or gave no page
	FetchedAt time.Time `json:"fetched_at,omitzero"`  // time of the request
	MediaType string    `json:"media_type,omitempty"` // from the server
	Octets    int64     `json:"octets,omitempty"`     // bytes of the body
	Address   string    `json:"address,omitempty"`    // IP address of the server
	// why the body is incomplete, such as "length"; or "links" if not all links were read; or both,
	// with a comma between them; of a sitemap "entries" if it has too many, "length" if it is too
	// long, or "unfinished" if it has no end
	Truncated  string `json:"truncated,omitempty"`
	BadEntries int    `json:"bad_entries,omitempty"` // entries of a sitemap that are not URLs
	// if robots.txt disallows the URL: how the host is proven to be the operator's, "own-network"
	// or "robots-owner.txt"
	RobotsIgnored string `json:"robots_ignored,omitempty"`
	Redirect      string `json:"redirect,omitempty"` // target of the redirect
	Title         string `json:"title,omitempty"`
	Canonical     string `json:"canonical,omitempty"` // canonical URL named by the page
	Index         *bool  `json:"index,omitempty"`     // whether the page may be indexed
	Depth         uint32 `json:"depth"`               // number of links from a seed
	Via           string `json:"via,omitempty"`       // the page with the link
	Archive       string `json:"archive,omitempty"`   // archive file with the response
	Offset        int64  `json:"offset,omitempty"`    // offset of the record in that file, in bytes
	Error         string `json:"error,omitempty"`     // why there is no answer, or what broke its body
	// the closed shape of URLs, if the reason is Repetitive: see crawl.ClosedShape
	Shape string `json:"shape,omitempty"`
}

// MaxLine is the maximum size of a line in bytes: only four URLs, the title and the error
// can be long, and each of their bytes may be escaped.
const MaxLine = 64 << 10

// Text returns the line as JSON, without a line end.
func (l *Line) Text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // many URLs contain "&"
	if err := e.Encode(l); err != nil {
		return nil, err
	}
	return printable.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// Parse reads a line. A reason of a later version becomes one that String calls "unknown", and that
// is never stored; unknown members are ignored.
func Parse(text []byte) (l Line, err error) {
	read := struct {
		*Line
		Reason string `json:"reason"`
	}{Line: &l}
	if err := json.Unmarshal(text, &read); err != nil {
		return Line{}, err
	}
	if l.Reason.UnmarshalText([]byte(read.Reason)) != nil {
		l.Reason = unknown
	}
	return l, nil
}
