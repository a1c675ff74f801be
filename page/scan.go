package page

import (
	"bytes"

	"golang.org/x/net/html"
)

const (
	longestTag   = 64 << 10 // octets of a tag, or of a text in one piece
	mostSections = 1000
)

// A scanner goes through a page and keeps the tags that matter. It looks at
// the names of tags only; what they say is read from those that are kept, once
// the encoding of the page is known.
type scanner struct {
	source  *source
	options *Options
	doc     *Doc
	z       *html.Tokenizer
	kept    *kept
	limit   int // of octets of a tag, or of a text in one piece

	begun     bool   // the body of the page has begun
	templates int    // open template elements: what is in them is not in the page
	noscripts int    // open noscript elements
	svgs      int    // open svg elements: they have titles of their own
	verbatim  string // the element whose text, without markup, is next
	titled    bool   // that is the title of the page

	snippet string // the element that data-nosnippet is on
	depth   int    // open elements of this name since, itself included
}

// scan reads the source to its end, or to that of the head.
func (s *scanner) scan() {
	s.z = s.tokenizer()
	s.loop()
	s.endSnippet(nil)
}

func (s *scanner) loop() {
	var raw []byte // the last token, which its length may have ended
	token := html.ErrorToken
	for {
		kind := s.z.Next()
		switch kind {
		case html.ErrorToken:
			if s.z.Err() != html.ErrBufferExceeded {
				return
			}
			if rest := s.z.Raw(); len(rest) > 0 {
				raw, token = rest, kind // a tag that is not whole is no token
			}
			s.goOn(token, raw)
			continue
		case html.StartTagToken, html.SelfClosingTagToken:
			s.verbatim = ""
			raw = s.z.Raw()
			s.start(raw)
		case html.EndTagToken:
			s.verbatim = ""
			raw = s.z.Raw()
			s.end(raw)
		case html.TextToken:
			raw = s.z.Raw()
			s.text(raw)
		default:
			raw = s.z.Raw()
		}
		token = kind
		if s.begun && s.options.HeadOnly {
			return
		}
	}
}

func (s *scanner) tokenizer() *html.Tokenizer {
	z := html.NewTokenizer(s.source)
	z.SetMaxBuf(s.limit)
	return z
}

// start looks at a start tag. The tokenizer gives it in one piece and with
// nothing before it, so its name begins at the second octet.
func (s *scanner) start(raw []byte) {
	switch raw[1] | 0x20 {
	case 'a':
		if s.isLink(raw, "a", "href") || s.isLink(raw, "area", "href") {
			s.keepLink(raw, "")
		}
	case 'b':
		switch {
		case isTag(raw, "base"):
			s.keep(raw)
			return
		case isTag(raw, "basefont"), isTag(raw, "bgsound"):
			return
		}
	case 'd':
		if isTag(raw, "div") {
			s.open(raw, "div")
		}
	case 'f':
		if s.isLink(raw, "frame", "src") {
			s.keepLink(raw, "")
		}
	case 'h':
		if isTag(raw, "html") || isTag(raw, "head") {
			return
		}
	case 'i':
		if isTag(raw, "iframe") {
			s.verbatim = "iframe"
			if s.isLink(raw, "iframe", "src") {
				s.keepLink(raw, "</iframe>")
			}
		}
	case 'l':
		if isTag(raw, "link") {
			s.link(raw)
			return
		}
	case 'm':
		if isTag(raw, "meta") {
			s.meta(raw)
			return
		}
	case 'n':
		switch {
		case isTag(raw, "noscript"):
			// To a robot without scripts it is an element like others.
			s.z.NextIsNotRawText()
			s.noscripts++
			return
		case isTag(raw, "noframes"):
			s.verbatim = "noframes"
			return
		case isTag(raw, "noembed"):
			s.verbatim = "noembed"
		}
	case 'p':
		if isTag(raw, "plaintext") {
			s.verbatim = "plaintext"
		}
	case 's':
		switch {
		case isTag(raw, "script"):
			s.verbatim = "script"
			return
		case isTag(raw, "style"):
			s.verbatim = "style"
			return
		case isTag(raw, "span"):
			s.open(raw, "span")
		case isTag(raw, "section"):
			s.open(raw, "section")
		case isTag(raw, "svg"):
			s.svgs++
		}
	case 't':
		switch {
		case isTag(raw, "title"):
			s.verbatim = "title"
			return
		case isTag(raw, "template"):
			s.templates++
			return
		case isTag(raw, "textarea"):
			s.verbatim = "textarea"
		}
	case 'x':
		if isTag(raw, "xmp") {
			s.verbatim = "xmp"
		}
	}
	// All tags that may stand in a head have returned.
	s.begin()
}

// begin notes that the body has begun, unless what begins it is inside of
// noscript, where pixels to count visitors are, or of template.
func (s *scanner) begin() {
	if s.noscripts == 0 && s.templates == 0 {
		s.begun = true
	}
}

// end looks at an end tag.
func (s *scanner) end(raw []byte) {
	if len(raw) < 3 {
		return
	}
	switch raw[2] | 0x20 {
	case 'n':
		if s.noscripts > 0 && isTag(raw[1:], "noscript") {
			s.noscripts--
		}
	case 't':
		if s.templates > 0 && isTag(raw[1:], "template") {
			s.templates--
		}
	case 's':
		if s.svgs > 0 && isTag(raw[1:], "svg") {
			s.svgs--
		}
	}
	if s.depth > 0 && isTag(raw[1:], s.snippet) {
		if s.depth--; s.depth == 0 {
			s.endSnippet(s.z.Buffered())
		}
	}
}

// text looks at a text, or at a part of one.
func (s *scanner) text(raw []byte) {
	switch {
	case s.verbatim == "title":
		if s.svgs == 0 && s.templates == 0 && !s.titled {
			s.keepTitle(raw)
		}
	case s.verbatim != "" || s.begun:
	case len(bytes.TrimLeft(raw, " \t\n\f\r")) > 0:
		s.begin()
	}
}

// isLink reports whether raw is a tag of this name with that attribute, and
// whether links are wanted.
func (s *scanner) isLink(raw []byte, name, attribute string) bool {
	return s.options.MaxLinks > 0 && isTag(raw, name) && containsFold(raw, attribute)
}

// meta keeps a META tag if it has an attribute that matters. Many have
// "property" instead.
func (s *scanner) meta(raw []byte) {
	switch {
	case containsFold(raw, "charset"):
		s.source.all.off = true
		s.keep(raw)
	case containsFold(raw, "name"), containsFold(raw, "http-equiv"):
		s.keep(raw)
	}
}

// link keeps the tag of a link element. One that may name the canonical address
// does not depend on how many links are wanted; entities may hide that it does.
func (s *scanner) link(raw []byte) {
	switch {
	case containsFold(raw, "canonical") || bytes.IndexByte(raw, '&') >= 0:
		s.keep(raw)
	case s.isLink(raw, "link", "href"):
		s.keepLink(raw, "")
	}
}

// open looks at the start tag of an element that may have data-nosnippet.
func (s *scanner) open(raw []byte, name string) {
	if s.depth > 0 {
		if name == s.snippet {
			s.depth++
		}
		return
	}
	const attribute = "data-nosnippet"
	if len(raw) <= len(attribute) || s.templates > 0 || !containsFold(raw, attribute) || !s.hasAttribute(attribute) {
		return
	}
	if len(s.doc.NoSnippet) == mostSections {
		s.doc.Cut |= CutList
		return
	}
	offset, line := s.source.at(raw, s.z.Buffered())
	s.doc.NoSnippet = append(s.doc.NoSnippet, Section{Element: name, Line: line, Offset: offset})
	s.snippet, s.depth = name, 1
}

// endSnippet ends the open section before what is buffered.
func (s *scanner) endSnippet(buffered []byte) {
	if n := len(s.doc.NoSnippet); n > 0 && s.doc.NoSnippet[n-1].End == 0 {
		s.doc.NoSnippet[n-1].End, _ = s.source.at(nil, buffered)
	}
}

func (s *scanner) hasAttribute(name string) bool {
	_, more := s.z.TagName()
	for more {
		var key []byte
		if key, _, more = s.z.TagAttr(); string(key) == name {
			return true
		}
	}
	return false
}

// isTag reports whether the tag raw, which begins with one octet and its name,
// has this name, which is in lower case.
func isTag(raw []byte, name string) bool {
	if len(raw) < len(name)+2 || !equalFold(raw[1:1+len(name)], name) {
		return false
	}
	switch raw[1+len(name)] {
	case ' ', '\t', '\n', '\f', '\r', '/', '>':
		return true
	}
	return false
}
