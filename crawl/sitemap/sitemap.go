// Package sitemap reads sitemaps: the lists of pages that sites offer to robots
// (https://www.sitemaps.org/protocol.html, version 0.9).
//
//	for entry, err := range sitemap.Read(body, sitemap.Options{}) {
//		if err != nil {
//			log.Print(err) // line 7: "/about.html" is not an absolute URL of http or https
//			continue
//		}
//		...
//	}
//
// It reads all that the protocol allows, and finds out by itself which it is: XML
// with urlset or sitemapindex, text with one URL a line, feeds of RSS and Atom, each
// as it is or compressed with gzip.
//
// # Strangers' files
//
// A sitemap is read as it comes, in a window of 64 KiB: no comment, attribute or
// text takes more memory however long it is. What is declared in a DOCTYPE is
// skipped, so there are no entities but those of XML and HTML, and nothing is
// fetched. [Options] limits how much is read.
//
// XML need not be well-formed. A bare & stands for itself, what is not closed ends
// where the next thing of its kind begins, and names are in letters of any case. The
// first breach is told, as are the URLs that a robot cannot visit, and reading goes
// on.
//
// Of extensions for images, video and news nothing is read. The versions of a page
// in other languages are left out too, if not asked for: by the rules of that
// extension each has an entry of its own.
package sitemap

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// Options say how much of a sitemap is read. The zero Options are fit for strangers'
// sitemaps.
type Options struct {
	// MaxSize is how many bytes are read, after gzip was undone. 0 means 100 MiB,
	// twice what the protocol allows: sites count before they compress, or after.
	MaxSize int64

	// MaxEntries is how many entries are read, those included that are no good. 0
	// means 100,000, twice what the protocol allows.
	MaxEntries int

	// Alternates asks for the versions of pages in other languages too
	// (xhtml:link), as entries of kind [Alternate].
	Alternates bool
}

const (
	maxSize    = 100 << 20
	maxEntries = 100_000

	// maxURL is how many characters a URL has less than (protocol, "XML tag
	// definitions").
	maxURL = 2048
)

// Kind tells what an entry leads to.
type Kind uint8

// The kinds of entries.
const (
	Page      Kind = iota // a page of the site
	Sitemap               // another sitemap, which an index lists
	Alternate             // the version of a page in another language
)

// String returns "page", "sitemap" or "alternate".
func (k Kind) String() string {
	switch k {
	case Page:
		return "page"
	case Sitemap:
		return "sitemap"
	case Alternate:
		return "alternate"
	}
	return "unknown"
}

// An Entry is one URL of a sitemap, with what the site says about it. All but the
// URL are hints, and many sites have wrong ones.
type Entry struct {
	// URL begins with http:// or https:// in letters of any case, and has a host.
	// For the rest it is as written, without white space around it and with its
	// entities replaced.
	URL  string
	Kind Kind

	// LastMod is when the page was last modified, in UTC, and Precision how exactly
	// that is known. It is zero if there is no date, none that can be read, or one
	// before 1990: programs that know no date write such ones.
	LastMod   time.Time
	Precision Precision

	// ChangeFreq says how often the page is likely to change (protocol, "XML tag
	// definitions"): "always", "hourly", "daily", "weekly", "monthly", "yearly", "never", or ""
	// if the sitemap does not say one of these.
	ChangeFreq string
	Priority   float64 // among the pages of the site, from 0 to 1; by default 0.5

	Line int // where the URL stands, from 1 on
}

// A Fault is what is wrong with a sitemap, and where.
type Fault struct {
	Line int    // from 1 on
	URL  string // as written, if it is what is wrong; at most 2,048 bytes of it
	Err  error
}

// Error returns the fault with its line.
func (f *Fault) Error() string { return fmt.Sprintf("line %d: %v", f.Line, f.Err) }

// Unwrap returns what is wrong, without the line.
func (f *Fault) Unwrap() error { return f.Err }

// Errors that faults have.
var (
	// ErrLimit is for a sitemap of which not all is read: it is larger, or has more
	// entries, than [Options] allow.
	ErrLimit = errors.New("the rest is not read")

	// ErrNotSitemap is for what is none, such as a page of HTML that says that there
	// is no sitemap.
	ErrNotSitemap = errors.New("this is no sitemap")

	// ErrURL is for an entry that has no absolute URL of http or https.
	ErrURL = errors.New("not an absolute URL of http or https")

	// ErrLongURL is for an entry whose URL has 2,048 characters or more, which the
	// protocol does not allow.
	ErrLongURL = errors.New("the URL has 2048 characters or more")
)

// Read returns the entries of a sitemap, in its order. Instead of an entry there may
// be an error, which is a [*Fault]; other entries may follow after it. The last one
// tells why the sitemap was not read to its end, if it was not:
//
//   - [io.ErrUnexpectedEOF]: it ends in the middle, as a download that broke off does;
//   - [ErrLimit] and [ErrNotSitemap];
//   - the error of r.
//
// Entries are given as they are read; to stop, leave the loop. It can be done once.
func Read(r io.Reader, o Options) iter.Seq2[Entry, error] {
	if o.MaxSize <= 0 {
		o.MaxSize = maxSize
	}
	if o.MaxEntries <= 0 {
		o.MaxEntries = maxEntries
	}
	return func(yield func(Entry, error) bool) {
		rd := &reader{scanner: scanner{line: 1}, o: o, yield: yield}
		rd.read(r)
	}
}
