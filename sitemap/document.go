package sitemap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// A format is the format of a document, known from its first tag.
type format uint8

const (
	urlset format = iota // sitemapindex too
	rss                  // 2.0 and those before it, and 1.0
	atom                 // 1.0 and 0.3
)

// A field is an element of an entry that the reader uses.
type field uint8

const (
	none     field = iota
	loc            // the URL
	guid           // of RSS: the URL of an entry without another
	lastmod        // time of the last modification
	issued         // time of publication: used if lastmod is missing
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
	// maxText is the maximum number of bytes kept of a field: more than the longest
	// accepted URL.
	maxText = 4 * maxURL

	// defaultPriority is the priority of a page without one.
	defaultPriority = 0.5
)

// A document is the state of reading an XML document.
type document struct {
	format format
	later  bool   // the document begins later, after the output of a broken program
	root   []byte // the name of the first element; nil before it
	prefix []byte // prefix of the format's own names, with its colon
	closed bool   // the first element has ended

	inEntry bool
	entry   Entry
	element []byte // the name of the entry's element
	begun   int    // the line where it begins
	depth   int    // number of open elements in it
	bad     []byte // the invalid URL of the entry
	badErr  error  // the error of bad
	guid    []byte // the URL of an entry without another
	issued  Entry  // the date of an entry without another

	field  field  // the open field, directly in the entry
	opened []byte // the name of its element
	noLink bool   // the field is a guid that is not a URL
	value  []byte // its text so far, without white space before it
	line0  int    // line where value begins

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

// endDocument yields the pending entry at the end of the readable part.
func (r *reader) endDocument() error {
	switch {
	case r.root == nil:
		return fmt.Errorf("it has no element: %w", ErrNotSitemap)
	case r.closed:
		return nil
	case r.inEntry && r.entry.URL != "":
		r.give(r.entry) // the rest of the entry is lost
	}
	return fmt.Errorf("it ends within <%s>: %w", shown(r.root), io.ErrUnexpectedEOF)
}

// lower returns a name in lower case, truncated if it is longer than any used name. The
// result is valid until the next call of lower.
func (r *reader) lower(name []byte) []byte {
	b := r.lowered[:copy(r.lowered[:], name)]
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] |= 0x20
		}
	}
	return b
}

// own returns the name of the tag in lower case without the format's own prefix, or
// nothing if it lacks that prefix. Elements of an extension have another prefix, and keep
// it.
func (r *reader) own() []byte {
	name, ok := bytes.CutPrefix(r.name, r.prefix)
	if !ok {
		return nil
	}
	return r.lower(name)
}

// begin detects the format by the first tag.
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
		return fmt.Errorf("it begins with <%s> and not with <urlset> or <sitemapindex>: %w", shown(r.name),
			ErrNotSitemap)
	}
	r.root, r.prefix = bytes.Clone(r.name), bytes.Clone(prefix)
	return nil
}

// kind returns the kind of the entries with this element name.
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
	return "", false
}

// start handles the start of an element.
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

// endElement handles the end of an element.
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

// endEntry yields the entry, or reports its error.
func (r *reader) endEntry() {
	if r.field != none {
		r.endField()
	}
	r.inEntry = false
	e := &r.entry
	if e.URL == "" && len(r.guid) > 0 {
		e.URL, r.badErr = string(r.guid), nil
	}
	if e.Precision == noDate {
		e.LastMod, e.Precision = r.issued.LastMod, r.issued.Precision
	}
	switch {
	case e.URL != "":
		r.give(*e)
	case r.badErr != nil:
		r.giveBad(e.Line, r.bad, r.badErr)
	case r.format == urlset: // entries of a feed may lack a URL
		r.giveBad(r.begun, nil, fmt.Errorf("<%s> has no URL: %w", shown(r.element), ErrURL))
	}
}

// setURL sets the URL of the entry, if the text is a valid URL and the entry has none
// yet.
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

// addText adds text to the field, without leading white space, up to the limit.
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

// endField sets the field of the entry to its text.
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
		if e.Precision == noDate {
			e.LastMod, e.Precision = parseDate(text)
		}
	case issued:
		if r.issued.Precision == noDate {
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

// link handles a link of Atom: the URL of an entry is its alternate link (RFC 4287,
// section 4.2.7.2).
func (r *reader) link() {
	if rel, ok := attribute(r.attributes, "rel"); !ok || bytes.EqualFold(trim(rel), []byte("alternate")) {
		if href, ok := attribute(r.attributes, "href"); ok {
			r.value = appendText(r.value[:0], href)
			r.setURL(trim(r.value), r.line)
		}
	}
}

// alternate yields the version of the page in another language that a link names.
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

// parseFreq returns a changefreq in lower case, or "" if the value is unknown.
func parseFreq(text []byte) string {
	for _, name := range frequencies {
		if string(text) == name {
			return name
		}
	}
	return ""
}

// parsePriority returns the value of a priority, which may have a decimal comma. A value
// above 1 becomes 1.
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
