package sitemap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// A format is what a document is, as its first tag tells.
type format uint8

const (
	urlset format = iota // sitemapindex too
	rss                  // 2.0 and those before it, and 1.0
	atom                 // 1.0 and 0.3
)

// A field is an element of an entry that matters.
type field uint8

const (
	none     field = iota
	loc            // the URL
	guid           // of RSS: the URL if there is no other
	lastmod        // when the page was last modified
	issued         // when it was published: lastmod if there is no other
	freq           // changefreq
	priority       // priority
)

// fields are the names of the fields of each format, in lower case.
var fields = [...]map[string]field{
	urlset: {"loc": loc, "lastmod": lastmod, "changefreq": freq, "priority": priority},
	rss:    {"link": loc, "guid": guid, "pubdate": lastmod, "dc:date": lastmod},
	atom:   {"updated": lastmod, "modified": lastmod, "published": issued, "issued": issued},
}

const (
	// maxText is how many bytes of a field are kept: more than any URL has that is
	// read.
	maxText = 4 * maxURL

	// defaultPriority is that of a page of which nothing is said.
	defaultPriority = 0.5
)

// A document is what is known of a document of XML, up to where it has been read.
type document struct {
	format format
	later  bool   // it begins later: a broken program has said something before
	root   []byte // the name of the first element; nil until there was one
	prefix []byte // of the names that are the format's own, with its colon
	closed bool   // the first element has ended

	inEntry bool
	entry   Entry
	element []byte // the name of the entry's element
	begun   int    // the line where it begins
	depth   int    // how many elements are open in it
	bad     []byte // what the entry has for a URL if that is no good
	badErr  error  // why it is not
	guid    []byte // the URL of an entry that has no other
	issued  Entry  // the date of an entry that has no other

	field  field  // that is open, directly in the entry
	opened []byte // the name of its element
	noLink bool   // it is a guid that is no URL
	value  []byte // its text so far, without white space before it
	line0  int    // where that begins

	lowered [maxName]byte
}

// readXML reads a document of XML.
func (r *reader) readXML() error {
	for !r.stopped && !r.tooMany {
		switch r.next() {
		case theEnd:
			return r.endDocument()
		case startTag:
			if err := r.start(); err != nil {
				return err
			}
			if r.empty {
				r.endElement()
			}
		case endTag:
			r.endElement()
		case someText:
			if r.field != none && r.depth == 1 {
				r.addText()
			}
		}
		if r.broken && r.root != nil {
			r.breach("a tag is not closed, or there is a < that begins none")
		}
	}
	return nil
}

// endDocument gives what is left at the end of what could be read.
func (r *reader) endDocument() error {
	switch {
	case r.root == nil:
		return fmt.Errorf("it has no element: %w", ErrNotSitemap)
	case r.closed:
		return nil
	case r.inEntry && r.entry.URL != "":
		r.give(r.entry) // what else it had is lost
	}
	return fmt.Errorf("it ends within <%s>: %w", shown(r.root), io.ErrUnexpectedEOF)
}

// lower returns a name in lower case, of one that is longer than any that matters the
// beginning. It is valid until lower is called again.
func (r *reader) lower(name []byte) []byte {
	b := r.lowered[:copy(r.lowered[:], name)]
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] |= 0x20
		}
	}
	return b
}

// own returns the name of the tag in lower case without the format's own prefix, and
// nothing if it does not have that. What belongs to an extension has another prefix,
// and keeps it.
func (r *reader) own() []byte {
	name, ok := bytes.CutPrefix(r.name, r.prefix)
	if !ok {
		return nil
	}
	return r.lower(name)
}

// begin finds out by the first tag what the document is.
func (r *reader) begin() error {
	local := r.name[bytes.IndexByte(r.name, ':')+1:]
	prefix := r.name[:len(r.name)-len(local)]
	switch name := r.lower(local); {
	case string(name) == "urlset", string(name) == "sitemapindex":
		r.format = urlset
	case string(name) == "rss":
		r.format = rss
	case string(name) == "rdf" && bytes.Contains(r.attributes, []byte("purl.org/rss/")):
		r.format, prefix = rss, nil // RSS 1.0, whose items are not of RDF
	case string(name) == "feed":
		r.format = atom
	case string(name) == "html", string(name) == "head", string(name) == "body":
		return fmt.Errorf("it is a page of HTML: %w", ErrNotSitemap)
	case r.later:
		return nil
	default:
		return fmt.Errorf("it begins with <%s> and not with <urlset> or <sitemapindex>: %w", shown(r.name), ErrNotSitemap)
	}
	r.root, r.prefix = bytes.Clone(r.name), bytes.Clone(prefix)
	return nil
}

// kind returns the kind of entries that are elements of this name.
func (f format) kind(name []byte) (k Kind, ok bool) {
	switch string(name) {
	case "url":
		return Page, f == urlset
	case "sitemap":
		return Sitemap, f == urlset
	case "item":
		return Page, f == rss
	case "entry":
		return Page, f == atom
	}
	return 0, false
}

// start takes the start of an element.
func (r *reader) start() error {
	if r.root == nil {
		return r.begin()
	}
	r.closed = false
	name := r.own()
	if kind, ok := r.format.kind(name); ok {
		if r.inEntry {
			r.breach("<%s> begins within <%s>", r.name, r.element)
			r.endEntry()
		}
		r.startEntry(kind)
		return nil
	}
	if !r.inEntry {
		return nil
	}
	f := fields[r.format][string(name)]
	if f != none && r.field != none && r.depth == 1 {
		r.breach("<%s> begins within <%s>", r.name, r.opened)
		r.endField()
		r.depth = 0
	}
	if r.depth == 0 {
		switch {
		case f != none:
			r.startField(f)
		case r.format == atom && string(name) == "link":
			r.link()
		case r.format == urlset && r.o.Alternates && bytes.HasSuffix(name, []byte(":link")):
			r.alternate()
		}
	}
	r.depth++
	return nil
}

// endElement takes the end of an element.
func (r *reader) endElement() {
	if bytes.EqualFold(r.name, r.root) {
		if r.inEntry {
			r.breach("<%s> ends within <%s>", r.root, r.element)
			r.endEntry()
		}
		r.closed = true
		return
	}
	switch {
	case !r.inEntry:
	case bytes.EqualFold(r.name, r.element):
		if r.depth > 0 {
			r.breach("<%s> ends within another element", r.element)
		}
		r.endEntry()
	case r.depth == 0:
		r.breach("<%s> ends where it has not begun", r.name)
	default:
		if r.depth--; r.depth == 0 && r.field != none {
			if !bytes.Equal(r.name, r.opened) {
				r.breach("<%s> ends as <%s>", r.opened, r.name)
			}
			r.endField()
		}
	}
}

// startEntry begins an entry.
func (r *reader) startEntry(k Kind) {
	r.inEntry, r.depth, r.begun = true, 0, r.line
	r.entry = Entry{Kind: k, Priority: defaultPriority}
	r.element = append(r.element[:0], r.name...)
	r.bad, r.badErr, r.guid, r.issued = r.bad[:0], nil, r.guid[:0], Entry{}
}

// endEntry gives the entry, or tells what is wrong with it.
func (r *reader) endEntry() {
	if r.field != none {
		r.endField()
	}
	r.inEntry = false
	e := &r.entry
	if e.URL == "" && len(r.guid) > 0 {
		e.URL, r.badErr = string(r.guid), nil
	}
	if e.Precision == NoDate {
		e.LastMod, e.Precision = r.issued.LastMod, r.issued.Precision
	}
	switch {
	case e.URL != "":
		r.give(*e)
	case r.badErr != nil:
		r.giveBad(e.Line, r.bad, r.badErr)
	case r.format == urlset: // in a feed there may be such ones
		r.giveBad(r.begun, nil, fmt.Errorf("<%s> has no URL: %w", shown(r.element), ErrURL))
	}
}

// setURL takes a text for the URL of the entry, which the first good one is.
func (r *reader) setURL(text []byte, line int) {
	e := &r.entry
	switch err := urlError(text); {
	case e.URL != "" || len(text) == 0:
	case err == nil:
		e.URL, e.Line = string(text), line
	case r.badErr == nil:
		r.bad, r.badErr, e.Line = append(r.bad[:0], text...), err, line
	}
}

// startField begins a field of the entry.
func (r *reader) startField(f field) {
	r.field, r.value, r.line0 = f, r.value[:0], r.line
	r.opened = append(r.opened[:0], r.name...)
	if f == guid {
		permalink, ok := attribute(r.attributes, "isPermaLink")
		r.noLink = ok && bytes.EqualFold(permalink, []byte("false"))
	}
}

// addText adds text to the field, without white space before its first, as far as it
// matters.
func (r *reader) addText() {
	text := r.text
	if len(r.value) == 0 {
		text = bytes.TrimLeft(text, " \t\r\n")
		r.line0 = r.line - bytes.Count(text, []byte{'\n'})
	}
	switch {
	case len(r.value) > maxText:
	case r.literal:
		r.value = appendLines(r.value, text)
	default:
		r.value = appendText(r.value, text)
	}
}

// endField takes the text of the field for the entry.
func (r *reader) endField() {
	text, e := trim(r.value), &r.entry
	switch r.field {
	case loc:
		r.setURL(text, r.line0)
	case guid:
		if !r.noLink && len(r.guid) == 0 && urlError(text) == nil {
			r.guid = append(r.guid, text...)
			if e.Line == 0 {
				e.Line = r.line0
			}
		}
	case lastmod:
		if e.Precision == NoDate {
			e.LastMod, e.Precision = parseDate(text)
		}
	case issued:
		if r.issued.Precision == NoDate {
			r.issued.LastMod, r.issued.Precision = parseDate(text)
		}
	case freq:
		if e.ChangeFreq == "" {
			e.ChangeFreq = parseFreq(r.lower(text))
		}
	case priority:
		if p, ok := parsePriority(text); ok {
			e.Priority = p
		}
	}
	r.field = none
}

// link takes a link of Atom: the URL of the entry is the one that is an alternate to
// it (RFC 4287, section 4.2.7.2).
func (r *reader) link() {
	if rel, ok := attribute(r.attributes, "rel"); !ok || bytes.EqualFold(trim(rel), []byte("alternate")) {
		if href, ok := attribute(r.attributes, "href"); ok {
			r.value = appendText(r.value[:0], href)
			r.setURL(trim(r.value), r.line)
		}
	}
}

// alternate gives the version of the page in another language that a link leads to.
func (r *reader) alternate() {
	rel, _ := attribute(r.attributes, "rel")
	href, ok := attribute(r.attributes, "href")
	if !ok || !bytes.EqualFold(trim(rel), []byte("alternate")) {
		return
	}
	r.value = appendText(r.value[:0], href)
	if url := trim(r.value); urlError(url) != nil {
		r.giveBad(r.line, url, urlError(url))
	} else {
		r.give(Entry{URL: string(url), Kind: Alternate, Priority: defaultPriority, Line: r.line})
	}
}

// frequencies are the values of changefreq (protocol, "XML tag definitions").
var frequencies = [...]string{"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}

// parseFreq returns the value of a changefreq that is written in lower case, or "".
func parseFreq(text []byte) string {
	for _, name := range frequencies {
		if string(text) == name {
			return name
		}
	}
	return ""
}

// parsePriority returns the value of a priority, which may have a comma for its point.
// What is more than 1 is 1.
func parsePriority(text []byte) (float64, bool) {
	if i := bytes.IndexByte(text, ','); i >= 0 {
		text[i] = '.'
	}
	p, err := strconv.ParseFloat(string(text), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(p) {
		return 0, false
	}
	return max(0, min(p, 1)), true
}
