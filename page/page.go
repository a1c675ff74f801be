// Package page reads what a page says to robots about itself: META tags such as
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
// [Read] goes through the page once, as a stream, and keeps only the tags that matter. Its time is
// linear in the page. It needs a few MiB at most, for a page, tag or text of any length: see
// [Options] for the limits. It reads HTML like a robot without scripts: it ignores markup in
// comments, scripts, style sheets, templates and the like, and reads the markup in noscript. A
// directive counts in the head and in the body.
//
// A [Doc] has all directives with their sources, including unknown directives and those for other
// robots. It also has the facts for indexers: title, description, keywords, canonical URL,
// character encoding. It keeps links on demand.
//
// # Deciding
//
// [Doc.For] returns the [Decision] for one robot, which has one or more product tokens. Directives
// for all robots apply to it, and those for any of its tokens. If directives contradict each other,
// the most restrictive one wins, as search engines document today. [Reading1996] resolves
// contradictions as the first META tags did: ALL beats everything, and FOLLOW beats NOFOLLOW.
//
//	d = doc.In(page.Reading1996).For("ExampleBot")
//
// [Decision.Why] returns the directives that decided a question. [Decision.Link] reports whether a
// robot may follow a link. [Decision.Under] combines the decision with the answer of robots.txt.
//
// The results of String and MarshalJSON are safe for a terminal. The fields of a
// Doc have the text of the page unescaped.
package page

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
)

// Options are the facts about a page other than its text, and how to read the page. The zero
// Options read any page up to 16 MiB and keep no links.
type Options struct {
	// Header is the header of the HTTP response. Read uses X-Robots-Tag, Link, Refresh,
	// tdm-reservation, tdm-policy and the charset of Content-Type. It does not look at the
	// media type: give Read no body if the response is not HTML. Undo the Content-Encoding
	// of the body before.
	Header http.Header

	// Status is the status code of the HTTP response, or 0 without a response. Only 2xx except 204,
	// 205 and 206 has a page. Any other status permits nothing: see [Doc.Err].
	Status int

	// URL is the address of the page, against which links and canonical addresses are
	// resolved. Without URL, relative addresses stay relative.
	URL *url.URL

	// Meta has more META tags, such as those that a script has made. They count like those
	// of the page.
	Meta []Meta

	// MaxSize is the maximum number of bytes to read. 0 means DefaultMaxSize, a negative number
	// means no limit.
	MaxSize int64

	// MaxLinks is the maximum number of links to keep. 0 keeps none and saves the time.
	// Links beyond 4 MiB of tags, or of resolved addresses, are not kept either.
	MaxLinks int

	// AsWritten leaves the addresses of Links as the page has them, for a caller that
	// resolves them against Doc.Base in another way than package net/url. Read drops the
	// bytes that browsers drop: white space around an address, line ends in it. Addresses
	// share their memory: clone one that you keep for longer than the others.
	AsWritten bool

	// HeadOnly stops reading where the body begins, at the first tag or text that cannot
	// stand in a head. It misses directives in the body. Read has read ahead of that place
	// by 4 KiB at most, or 16 KiB of a page in UTF-16 or ISO-2022-JP.
	HeadOnly bool

	// Reading says how the decisions of the Doc resolve contradictions.
	Reading Reading

	// Lint also looks for mistakes of authors: see Doc.Diagnostics. The checks are
	// unknown-directive, bad-value, contradiction, misspelt-name, misspelt-attribute,
	// unseen-tag (in a template, script, style sheet, comment or the like),
	// several-canonicals, description-markup, relative-url (of META URL),
	// unknown-document-state and cut.
	Lint bool

	// Language is the language of the diagnostics' messages, as [Decision.Sentence] takes
	// it.
	Language string

	// Now is the time that unavailable_after is compared with. The zero Time means the time of the
	// question.
	Now time.Time
}

// DefaultMaxSize is the default of Options.MaxSize: 16 MiB.
const DefaultMaxSize = 16 << 20

// A Meta is a META tag: its name, such as "robots", and its content.
type Meta struct {
	Name, Content string
}

// Read reads a page. Every text is a page, so the only errors are those of body. The Doc then
// has the facts read before the error, and permits nothing. A nil body means a body that is not
// HTML, such as a picture: then only the header counts.
func Read(body io.Reader, o Options) (*Doc, error) { return read(body, o, longestTag) }

// read is Read with another limit of the bytes of a tag or text.
func read(body io.Reader, o Options, limit int) (*Doc, error) {
	doc := &Doc{reading: o.Reading, now: o.Now}
	b := &builder{doc: doc, options: o, language: language.Parse(o.Language)}
	switch {
	case o.Status == http.StatusNoContent, o.Status == http.StatusResetContent, o.Status == http.StatusPartialContent,
		o.Status != 0 && o.Status/100 != 2:
		doc.Err = statusError(o.Status)
	}
	b.header(o.Header)
	for i, m := range o.Meta {
		b.meta(m.Name, m.Content, Source{Place: atGivenMeta, Name: m.Name, Number: i + 1})
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

// A statusError is a status without a page.
type statusError int

var textNoPage = language.New("no page: %[1]s")

// Error returns the status with its name, such as "no page: 404 Not Found".
func (e statusError) Error() string { return e.In(language.English) }

// In returns the same in a language.
func (e statusError) In(l language.Language) string {
	return textNoPage.In(l, strings.TrimRight(fmt.Sprintf("%d %s", int(e), http.StatusText(int(e))), " "))
}
