// Package result is the form of what a crawl tells: a line of JSON for each URL, as it
// stands in the file of results, with the reason why nothing came of it.
//
//	line, err := result.Parse(text)
//
// It is all that a program needs to read the results of a crawl, and the only place that
// knows their form: package crawl writes with it, and package feed of the index reads.
// Names and numbers are stored on disks. They never change, and new ones are added at the
// end.
package result

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Line is what became of a URL: one line of the results.
type Line struct {
	URL       string    `json:"url"`
	Status    int       `json:"status,omitempty"`     // of HTTP; 0 if there was no answer
	Reason    Reason    `json:"reason,omitempty"`     // why it was not visited, or came to nothing
	FetchedAt time.Time `json:"fetched_at,omitzero"`  // when it was requested
	MediaType string    `json:"media_type,omitempty"` // that the server named
	Octets    int64     `json:"octets,omitempty"`     // of the body
	Address   string    `json:"address,omitempty"`    // of the server
	Truncated string    `json:"truncated,omitempty"`  // why the body is not whole, such as "length"; or "links" if not all links were read; or both, with a comma between them
	Redirect  string    `json:"redirect,omitempty"`   // where it leads
	Title     string    `json:"title,omitempty"`
	Canonical string    `json:"canonical,omitempty"` // what the page names as its address
	Index     *bool     `json:"index,omitempty"`     // whether the page may be indexed
	Depth     uint32    `json:"depth"`               // how many links from a seed
	Via       string    `json:"via,omitempty"`       // the page with the link
	Archive   string    `json:"archive,omitempty"`   // the file of the archive with the answer
	Offset    int64     `json:"offset,omitempty"`    // in that file, of the record with it, in bytes
	Error     string    `json:"error,omitempty"`
	Shape     string    `json:"shape,omitempty"` // of URLs that is closed, where the reason is Repetitive: see crawl.ClosedShape
}

// MaxLine is how many bytes a line has at most: four URLs, the title and the error are all
// that strangers make long, and each byte of them may be escaped.
const MaxLine = 64 << 10

// Text returns the line as JSON, without a line end.
func (l *Line) Text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // "&" is in many URLs
	if err := e.Encode(l); err != nil {
		return nil, err
	}
	return printable.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// Parse reads a line. A reason that this program does not know, as of a later version, is
// [Unknown]; members that it does not know are passed over.
func Parse(text []byte) (l Line, err error) {
	read := struct {
		*Line
		Reason string `json:"reason"`
	}{Line: &l}
	if err := json.Unmarshal(text, &read); err != nil {
		return Line{}, err
	}
	if l.Reason.UnmarshalText([]byte(read.Reason)) != nil {
		l.Reason = Unknown
	}
	return l, nil
}
