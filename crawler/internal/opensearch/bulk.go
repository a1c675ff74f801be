// Package opensearch writes pages in the bulk form of OpenSearch: to a stream, to files, or to a
// server.
//
//	b := opensearch.Stream(os.Stdout)
//	...
//	f, err := feed.Open("crawl", feed.Options{Target: b})
//
// A page has the SHA-256 of its URL as its id, and the time of its fetch as its version
// (version_type external_gte). So the same results may be sent again, and the results of several
// folders in any order: the last version of a page stays. OpenSearch forgets the versions of
// deleted pages after index.gc_deletes, a minute by default.
package opensearch

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/printable"
)

// MaxBatch limits the bytes of a batch. OpenSearch takes 100 MB by default, and works best with 5
// to 15.
const MaxBatch = 5 << 20

// Mapping is the body of the request that creates the index: how OpenSearch reads the documents.
//
//go:embed mapping.json
var Mapping []byte

// A document is a page. The mapping has the same members.
type document struct {
	URL         string     `json:"url"`
	Sites       []string   `json:"sites,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Keywords    string     `json:"keywords,omitempty"`
	Headings    string     `json:"headings,omitempty"`
	Text        string     `json:"text,omitempty"`
	Unshown     string     `json:"unshown,omitempty"`
	Language    string     `json:"language,omitempty"`
	FetchedAt   *time.Time `json:"fetched_at,omitempty"`
	ETag        string     `json:"etag,omitempty"`
	Digest      string     `json:"digest,omitempty"`
	Canonical   string     `json:"canonical,omitempty"`
	MaxSnippet  int        `json:"max_snippet,omitempty"`
	NoSnippet   bool       `json:"no_snippet,omitempty"`
}

// A meta is the metadata of an action.
type meta struct {
	ID      string `json:"_id"`
	Version int64  `json:"version,omitempty"`
	Type    string `json:"version_type,omitempty"`
}

// An item is an action in a batch.
type item struct {
	name  string // of the action
	id    string
	url   string
	lines []byte
}

// A Bulk is a [feed.Target] that writes batches. One goroutine may use it at a time.
type Bulk struct {
	send  func(items []item, body []byte) error
	ended func() error
	items []item
	size  int // of their lines, in bytes

	Older   int // pages of which the server has a newer version
	Refused int // pages that the server refused for good
}

// Stream returns a Bulk that writes one stream.
func Stream(w io.Writer) *Bulk {
	return &Bulk{send: func(_ []item, body []byte) error {
		_, err := w.Write(body)
		return err
	}}
}

// Folder returns a Bulk that writes each batch to a file of a folder, and the mapping beside them.
// The folder must be empty, or missing.
func Folder(dir string) (*Bulk, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("the folder %s has %s in it: name an empty one, or one that does not exist",
			printable.Shown(dir), printable.Quoted(entries[0].Name(), 80))
	}
	if err := os.WriteFile(filepath.Join(dir, "mapping.json"), Mapping, 0o666); err != nil {
		return nil, err
	}
	n := 0
	return &Bulk{send: func(_ []item, body []byte) error {
		n++
		return writeFile(filepath.Join(dir, fmt.Sprintf("bulk-%06d.ndjson", n)), body)
	}}, nil
}

// writeFile writes a file that appears when it is complete.
func writeFile(name string, body []byte) error {
	if err := os.WriteFile(name+".new", body, 0o666); err != nil {
		os.Remove(name + ".new")
		return err
	}
	return os.Rename(name+".new", name)
}

// Put implements [feed.Target]: it adds a page or replaces it. Copies are all there.
func (b *Bulk) Put(p *index.Page) (instead string, removed []string, err error) {
	x := p.Plain()
	d := document{
		URL: p.URL, Sites: x.Sites, Title: x.Title, Description: x.Description, Keywords: x.Keywords,
		Headings: x.Headings, Text: x.Text, Unshown: x.Unshown, Language: x.Language, ETag: cut(p.ETag, 256),
		Digest: cut(
			p.Digest,
			256,
		), Canonical: cut(p.Canonical, 8<<10), MaxSnippet: p.MaxSnippet, NoSnippet: p.NoSnippet,
	}
	if !p.FetchedAt.IsZero() {
		at := p.FetchedAt.UTC().Truncate(time.Millisecond)
		d.FetchedAt = &at
	}
	return "", nil, b.add("index", p.URL, p.FetchedAt, d)
}

// Remove implements [feed.Target]. It does not know whether the page was there.
func (b *Bulk) Remove(url string, at time.Time) (bool, error) {
	return true, b.add("delete", url, at, nil)
}

// Sync implements [feed.Target]: it writes what is pending.
func (b *Bulk) Sync() error {
	if len(b.items) == 0 {
		return nil
	}
	err := b.send(b.items, joined(b.items))
	b.items, b.size = b.items[:0], 0
	return err
}

// joined returns the lines of items.
func joined(items []item) (body []byte) {
	for _, i := range items {
		body = append(body, i.lines...)
	}
	return body
}

// Close implements [feed.Target].
func (b *Bulk) Close() error {
	if b.ended != nil {
		return b.ended()
	}
	return nil
}

// ID returns the id of the page of a URL.
func ID(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:])
}

// add adds an action to the batch, after the batch was written if it is full.
func (b *Bulk) add(name, url string, at time.Time, doc any) error {
	m := meta{ID: ID(url)}
	if ms := at.UnixMilli(); !at.IsZero() && ms > 0 {
		m.Version, m.Type = ms, "external_gte"
	}
	var lines bytes.Buffer
	e := json.NewEncoder(&lines) // each value is one line, which has no other line end in it
	if err := e.Encode(map[string]meta{name: m}); err != nil {
		return err
	}
	if doc != nil {
		if err := e.Encode(doc); err != nil {
			return err
		}
	}
	if lines.Len() > MaxBatch {
		return fmt.Errorf("the page %s is longer than a batch", printable.Clipped(url, 200))
	}
	if b.size+lines.Len() > MaxBatch {
		if err := b.Sync(); err != nil {
			return err
		}
	}
	b.size += lines.Len()
	b.items = append(b.items, item{name, m.ID, url, lines.Bytes()})
	return nil
}

// cut returns a text if it is short enough: a part of it would be another one.
func cut(text string, most int) string {
	if len(text) > most {
		return ""
	}
	return text
}
