package page

import (
	"strings"
	"time"
)

// A Doc has the statements of a page about itself. Do not modify it. It is safe for concurrent use.
// The zero Doc says nothing.
type Doc struct {
	// Directives are all directives for robots: those of headers first, in the order of the
	// headers, then those of META tags in the order of the page. A META tag is for robots if its
	// name is robots or looks like the name of a robot, or if all its words are directives;
	// [Doc.For] finds the tag of a robot in any case. Directives also has tdm-reservation, of a
	// header and of a META tag, which is for all robots.
	Directives []Directive

	Title       string   // of the first title element, white space made one blank
	Description string   // META DESCRIPTION, of the first tag that has one
	Keywords    []string // META KEYWORDS, at most 1,000 phrases

	// Dynamic says that the page changes, so that a robot should visit it again (META
	// DOCUMENT-STATE, 1996).
	Dynamic bool

	// Original is the absolute URL of the original, if the page is a mirror or a generated
	// copy (META URL), or empty.
	Original string

	// Canonicals has the canonical addresses that the page names, at most 100: first those of Link
	// headers, then those of link elements in the head. Link elements in the body do not count,
	// because visitors may write there.
	Canonicals []Reference

	// TDMPolicy is the absolute URL of the conditions for mining a page that reserves the
	// right to do so (TDM Reservation Protocol, tdm-policy). It is empty if the page names
	// no URL or reserves nothing.
	TDMPolicy string

	// Base is the address that relative addresses of the page are relative to: that of the
	// first base element, or Options.URL. It is empty if neither is known.
	Base string

	// Links has the links of the page, at most Options.MaxLinks: those of the elements that
	// Link.Element lists, and the targets of META refresh and of a Refresh header. A ping
	// attribute is not a link: a browser sends a POST request there and shows no answer.
	Links []Link

	// NoSnippet has the sections that a snippet must not show (data-nosnippet), at most
	// 1,000.
	NoSnippet []Section

	Charset Charset
	Size    int64 // bytes read
	Cut     Cut   // the limits that hid a part of the page

	// Diagnostics are the mistakes that Options.Lint looks for, in the order of the page, at
	// most 1,000.
	Diagnostics []Diagnostic

	// Err says why the page was not read to its end, or why there is no page: the error of the
	// body, or a status other than 2xx. Such a page permits nothing, so no robot may index it
	// or follow its links.
	Err error

	reading Reading
	now     time.Time
	others  []namedMeta // META tags of other names, which may be those of robots
}

// A Reference is an address that a page names.
type Reference struct {
	URL    string `json:"url"` // absolute where it could be resolved
	Source Source `json:"source"`
}

// Canonical returns the canonical address of the page, if it names one. Of several different
// ones, none counts.
func (d *Doc) Canonical() (url string, ok bool) {
	for i, r := range d.Canonicals {
		if i > 0 && r.URL != url {
			return "", false
		}
		url, ok = r.URL, true
	}
	return url, ok
}

// A Section is a part of the page that has the attribute data-nosnippet: a
// span, div or section element.
type Section struct {
	Element string `json:"element"` // span, div or section
	Line    int    `json:"line"`    // of its start tag, from 1 on
	Offset  int64  `json:"offset"`  // of its first byte, see Source
	End     int64  `json:"end"`     // of the byte after its last one
}

// Cut is a set of the limits that hid a part of a page.
type Cut uint8

// The limits.
const (
	CutSize Cut = 1 << iota // Options.MaxSize: the rest was not read
	CutTag                  // a tag had more than 64 KiB: only a part of its attributes was read
	CutText                 // the title had more than 4 KiB: it is cut
	// the tags that matter had more than 1 MiB together: the last ones were skipped, except for
	// those that name robots, which have another MiB
	CutTags
	// there were more than 10,000 directives, 1,000 keywords or sections, or 100 canonical
	// addresses
	CutList
	CutLinks // Options.MaxLinks, more than 4 MiB of links, or of their addresses when they are resolved
)

var cuts = [...]string{"size", "tag", "text", "tags", "list", "links"}

// String returns the names of the limits, such as "size, links", or "none".
func (c Cut) String() string {
	var names []string
	for i, name := range cuts {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}
