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
// It reads all formats of the protocol, and detects the format: XML with urlset or
// sitemapindex, text with one URL a line, and feeds of RSS and Atom, each plain or
// compressed with gzip.
//
// # Hostile files
//
// A sitemap is read as a stream, in a window of 64 KiB: a comment, attribute or text of any length
// takes no more memory. Declarations in a DOCTYPE are skipped, so the only entities are those of
// XML and HTML, and nothing is fetched. [Options] limits how much is read.
//
// XML need not be well-formed. A bare & is a literal &, an unclosed element ends where the next
// element of its kind begins, and names may be in letters of any case. The first breach is
// reported, as are the URLs that a robot cannot visit, and reading continues.
//
// Extensions for images, video and news are ignored. The versions of a page in other languages are
// ignored too, unless Options.Alternates is set: by the rules of that extension, each version has
// its own entry.
package sitemap

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// Options limit how much of a sitemap is read. The zero Options suit sitemaps of unknown
// sites.
type Options struct {
	// MaxSize is the maximum number of bytes to read, after decompression. If 0, it is
	// 100 MiB, twice the limit of the protocol: some sites count before compression,
	// others after.
	MaxSize int64

	// MaxEntries is the maximum number of entries to read, including invalid ones. If 0,
	// it is 100,000, twice the limit of the protocol.
	MaxEntries int

	// Alternates asks for the versions of pages in other languages too
	// (xhtml:link), as entries of kind [Alternate].
	Alternates bool
}

const (
	maxSize    = 100 << 20
	maxEntries = 100_000

	// maxURL is the number of characters that a URL must stay below (protocol, "XML tag
	// definitions").
	maxURL = 2048
)

// Kind is the target of an entry.
type Kind string

// The kinds of entries.
const (
	Page      Kind = "page"      // a page of the site
	Sitemap   Kind = "sitemap"   // another sitemap, listed by an index
	Alternate Kind = "alternate" // a version of a page in another language
)

// An Entry is one URL of a sitemap, with the site's data about it. All fields except the
// URL are hints, and many sites have wrong ones.
type Entry struct {
	// URL begins with http:// or https:// in letters of any case, and has a host. The
	// rest is as written, without surrounding white space and with entities replaced.
	URL  string
	Kind Kind

	// LastMod is the time of the last modification of the page, in UTC. LastMod is zero if the
	// date is missing, unreadable, or before 1990: programs without a date write such dates.
	LastMod time.Time

	// Precision is the precision of LastMod (W3C Datetime): "year", "month", "day", "minute",
	// "second", "fraction" (of a second), or "" if LastMod is zero.
	Precision string

	// ChangeFreq is how often the page is likely to change (protocol, "XML tag
	// definitions"): "always", "hourly", "daily", "weekly", "monthly", "yearly", "never",
	// or "" if the sitemap has none of these values.
	ChangeFreq string
	Priority   float64 // among the pages of the site, from 0 to 1; by default 0.5

	Line int // line of the URL, from 1 on
}

// A Fault is an error in a sitemap, and its line.
type Fault struct {
	Line int    // from 1 on
	URL  string // the invalid URL as written, if any; at most 2,048 bytes of it
	Err  error
}

// Error returns the fault with its line.
func (f *Fault) Error() string { return fmt.Sprintf("line %d: %v", f.Line, f.Err) }

// Unwrap returns the error without the line.
func (f *Fault) Unwrap() error { return f.Err }

// The errors of faults.
var (
	// ErrLimit is for a sitemap that is not read to its end because it has more bytes or
	// entries than [Options] allow.
	ErrLimit = errors.New("the rest is not read")

	// ErrNotSitemap is for a file that is not a sitemap, such as an HTML page that says
	// that the sitemap does not exist.
	ErrNotSitemap = errors.New("this is not a sitemap")

	// ErrURL is for an entry without an absolute URL of http or https.
	ErrURL = errors.New("not an absolute URL of http or https")

	// ErrLongURL is for an entry whose URL has 2,048 characters or more, which the
	// protocol does not allow.
	ErrLongURL = errors.New("the URL has 2048 characters or more")
)

// Read returns the entries of a sitemap, in its order. In place of an entry it may
// return an error, which is a [*Fault]; other entries may follow. If the sitemap was not
// read to its end, the last error says why:
//
//   - [io.ErrUnexpectedEOF]: it ends in the middle, like an interrupted download;
//   - [ErrLimit] and [ErrNotSitemap];
//   - the error of r.
//
// Entries are returned as they are read; to stop, leave the loop. The sequence can be
// used once.
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
