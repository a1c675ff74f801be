// Package page reads what a page says about itself to robots: META tags such as
// <meta name="robots" content="noindex">, X-Robots-Tag headers, rel on links.
//
//	doc, err := page.Read(resp.Body, page.Options{Header: resp.Header, URL: resp.Request.URL})
//	...
//	d := doc.For("ExampleBot")
//	if !d.Index {
//		fmt.Println(d)
//	}
//
// prints
//
//	may not be indexed (line 4: noindex), links may be followed
//
// # Reading
//
// [Read] goes through the page once, as a stream, and keeps only the tags that
// matter. It takes time linear in the page and at most a few MiB, however
// long the page, a tag or a text of it is: see [Options] for the limits. HTML is read
// as a robot without scripts reads it. What is in comments, scripts, style
// sheets, templates and the like is not markup; what is in noscript is. A
// directive counts in the head and in the body.
//
// A [Doc] has all directives with their sources, those for other robots and
// those that nobody knows too, and what the page tells indexers: title,
// description, keywords, canonical address, character encoding. Its links are
// kept on demand.
//
// # Deciding
//
// [Doc.For] gives the [Decision] for one robot, which goes by one or more
// product tokens. Directives for everybody count for it, and those for any of
// its tokens. Where directives contradict each other the most restrictive one
// wins, as search engines say today. [Reading1996] settles contradictions as
// the first META tags did: ALL beats everything, and FOLLOW beats NOFOLLOW.
//
//	d = doc.In(page.Reading1996).For("ExampleBot")
//
// [Decision.Why] has the directives that decided a question. [Decision.Link]
// tells whether a link may be followed, [Decision.Under] puts the decision
// together with the verdict of robots.txt.
//
// What String and MarshalJSON return is safe for a terminal. The text of the
// page in the fields of a Doc is as it is.
package page

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options says what is known about a page beside its text, and how to read it.
// The zero Options read any page to a limit of 16 MiB and keep no links.
type Options struct {
	// Header is that of the HTTP response. X-Robots-Tag, Link, Refresh, tdm-reservation,
	// tdm-policy and the charset of Content-Type are read. What the page is read as does not
	// depend on it: give no body where it is not HTML, and one whose
	// Content-Encoding is undone.
	Header http.Header

	// Status is that of the HTTP response, or 0 where there was none. Only 2xx
	// has a page, but not 204, 205 and 206: any other one permits nothing, see
	// [Doc.Err].
	Status int

	// URL is the address of the page. Links and canonical addresses are
	// resolved against it; without it, relative ones stay relative.
	URL *url.URL

	// Meta has META tags that are known from elsewhere, such as those that
	// a script has made. They count like those of the page.
	Meta []Meta

	// MaxSize is the number of bytes that are read at most. 0 stands for
	// DefaultMaxSize, a negative number for no limit.
	MaxSize int64

	// MaxLinks is the number of links that are kept at most. 0 keeps none,
	// and saves the time. What is beyond 4 MiB of tags, or of addresses that are
	// resolved, is not kept either.
	MaxLinks int

	// AsWritten leaves the addresses of Links as the page has them, for who
	// resolves them against Doc.Base in another way than package net/url. What
	// browsers drop is dropped: white space around them, line ends in them. They
	// share their memory: clone one that is kept for longer than the others.
	AsWritten bool

	// HeadOnly stops reading where the body begins: with the first tag or
	// text that cannot stand in a head. Directives in the body are missed.
	// What is read beyond that place is what was read ahead: at most 4 KiB, or
	// 16 KiB of a page in UTF-16 or ISO-2022-JP.
	HeadOnly bool

	// Reading is how the decisions of the Doc settle contradictions.
	Reading Reading

	// Lint looks for mistakes of authors too: see Doc.Diagnostics. The checks are
	// unknown-directive, bad-value, contradiction, misspelt-name, unseen-tag (in a
	// template, script, style sheet, comment or the like), several-canonicals,
	// description-markup, relative-url (of META URL), unknown-document-state and cut.
	Lint bool

	// Now is the time that unavailable_after is held against. The zero Time
	// stands for the time of the question.
	Now time.Time
}

// DefaultMaxSize is how many bytes of a page are read where Options says
// nothing else: 16 MiB.
const DefaultMaxSize = 16 << 20

// A Meta is a META tag: its name, such as "robots", and its content.
type Meta struct {
	Name, Content string
}

// Read reads a page. Every text is a page, so there is no error but that of
// body, and the Doc then has what was read before it, and permits nothing. A nil body
// stands for one that is not HTML, such as a picture: then the header alone speaks.
func Read(body io.Reader, o Options) (*Doc, error) { return read(body, o, longestTag) }

// read is Read with another limit for the length of a tag or text.
func read(body io.Reader, o Options, limit int) (*Doc, error) {
	doc := &Doc{reading: o.Reading, now: o.Now}
	b := &builder{doc: doc, options: o}
	switch {
	case o.Status == http.StatusNoContent, o.Status == http.StatusResetContent, o.Status == http.StatusPartialContent,
		o.Status != 0 && o.Status/100 != 2:
		doc.Err = statusError(o.Status)
	}
	b.header(o.Header)
	for i, m := range o.Meta {
		b.meta(m.Name, m.Content, Source{Place: GivenMeta, Name: m.Name, Number: i + 1})
	}
	if body == nil {
		b.finish()
		b.lint(nil)
		return doc, nil
	}
	s := scanners.Get().(*scanner)
	defer s.free()
	s.doc, s.options = doc, &b.options
	s.z = s.source.open(body, s.options, s.z.Buffer(), limit)
	s.scan()
	doc.Size = s.source.in.size
	if s.source.in.more {
		doc.Cut |= CutSize
	}
	b.read(s)
	if err := s.source.in.err; err != nil {
		err = fmt.Errorf("read page: %w", err)
		doc.Err = cmp.Or(doc.Err, err)
		return doc, err
	}
	return doc, nil
}

// statusError tells that there is no page.
type statusError int

// Error returns the status with its name, such as "no page: 404 Not Found".
func (e statusError) Error() string {
	return strings.TrimRight(fmt.Sprintf("no page: %d %s", int(e), http.StatusText(int(e))), " ")
}
