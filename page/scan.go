package page

import (
	"bytes"
	"sync"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
	"github.com/robotsexclusion/robots/internal/html/htmltree"
)

const (
	longestTag   = 64 << 10 // bytes of a tag, or of one piece of a text
	mostSections = 1000
)

// A scanner scans a page and keeps the relevant tags. It looks at the names of tags only. The
// kept tags are parsed later, when the encoding of the page is known.
type scanner struct {
	source  source
	options *Options
	doc     *Doc
	z       htmltoken.Tokenizer
	kept    keptTags

	tree htmltree.Tree // open elements

	begun     bool // the body of the page has begun
	noscripts int  // open noscript elements
	titled    bool // the title of the page is kept
	unseen    []unseenTag

	snippet string // name of the open element with data-nosnippet
	depth   int    // number of open elements with this name, from that one on
}

// scanners pools the memory that is needed only while a page is read: a buffer, which grows to at
// most twice longestTag, and room for tags.
var scanners = sync.Pool{New: func() any {
	return &scanner{z: htmltoken.NewReader(nil, make([]byte, 0, 16<<10), longestTag)}
}}

// free returns s to the pool.
func (s *scanner) free() {
	*s = scanner{z: htmltoken.NewReader(nil, s.z.Buffer(), longestTag), kept: s.kept.empty(), tree: s.tree.Empty()}
	scanners.Put(s)
}

// scan reads the source to its end, or to the end of the head.
func (s *scanner) scan() {
	for more := true; more; {
		switch s.z.Next() {
		case htmltoken.None:
			more = false
		case htmltoken.StartTag:
			s.startTag(s.z.Raw())
		case htmltoken.EndTag:
			s.endTag(s.z.Raw())
		case htmltoken.Text:
			s.text(s.z.Raw())
		case htmltoken.Comment, htmltoken.CDATA:
			s.hidden(s.z.Raw(), "comment")
		}
		if s.begun && s.options.HeadOnly {
			break
		}
	}
	if s.z.Shortened() {
		s.doc.Cut |= CutTag
	}
	s.endSnippet()
}

// startTag handles a start tag. The content of a template is not a part of the page.
func (s *scanner) startTag(raw []byte) {
	if s.z.Skipped() {
		s.tree.Text()
	}
	switch space := s.tree.Start(raw, s.z.Name(), s.z.SelfCloses()); space {
	case htmltree.HTML:
		s.start(raw)
	default:
		s.z.NextIsMarkup()
		switch {
		case space == htmltree.SVG && s.isLink(raw, "a", "href"):
			s.keepSVGLink(raw)
		case htmltoken.IsTag(raw, "section"): // section with data-nosnippet hides its text in SVG too
			s.open(raw, "section")
		}
		s.begin()
	}
	s.z.AllowCDATA(s.tree.TakesCDATA())
}

// endTag handles an end tag.
func (s *scanner) endTag(raw []byte) {
	if s.z.Skipped() {
		s.tree.Text()
	}
	s.tree.End(s.z.Name())
	s.end(raw)
	s.z.AllowCDATA(s.tree.TakesCDATA())
}

// start handles a start tag of HTML.
func (s *scanner) start(raw []byte) {
	switch raw[1] | 0x20 {
	case 'a':
		if s.isLink(raw, "a", "href") || s.isLink(raw, "area", "href") {
			s.keepLink(raw, "")
		}
	case 'b':
		switch {
		case htmltoken.IsTag(raw, "base"):
			s.keep(raw)
			return
		case htmltoken.IsTag(raw, "basefont"), htmltoken.IsTag(raw, "bgsound"):
			return
		}
	case 'd':
		if htmltoken.IsTag(raw, "div") {
			s.open(raw, "div")
		}
	case 'f':
		if s.isLink(raw, "frame", "src") {
			s.keepLink(raw, "")
		}
	case 'h':
		if htmltoken.IsTag(raw, "html") || htmltoken.IsTag(raw, "head") {
			return
		}
	case 'i':
		if s.isLink(raw, "iframe", "src") {
			s.keepLink(raw, "</iframe>")
		}
	case 'l':
		if htmltoken.IsTag(raw, "link") {
			s.link(raw)
			return
		}
	case 'm':
		if htmltoken.IsTag(raw, "meta") {
			s.meta(raw)
			return
		}
	case 'n':
		switch {
		case htmltoken.IsTag(raw, "noscript"):
			s.noscripts++
			return
		case htmltoken.IsTag(raw, "noframes"):
			return
		}
	case 's':
		switch {
		case htmltoken.IsTag(raw, "script"), htmltoken.IsTag(raw, "style"):
			return
		case htmltoken.IsTag(raw, "span"):
			s.open(raw, "span")
		case htmltoken.IsTag(raw, "section"):
			s.open(raw, "section")
		}
	case 't':
		switch {
		case htmltoken.IsTag(raw, "title"):
			return
		case htmltoken.IsTag(raw, "template"):
			return
		}
	}
	// All tags that are allowed in a head have returned.
	s.begin()
}

// begin marks the begin of the body, except within template, and within noscript, which has
// tracking pixels.
func (s *scanner) begin() {
	if s.noscripts == 0 && !s.tree.InTemplate() {
		s.begun = true
		s.z.SkipTexts() // from here on, nothing depends on texts
	}
}

// end handles an end tag.
func (s *scanner) end(raw []byte) {
	if s.noscripts > 0 && htmltoken.IsTag(raw[1:], "noscript") {
		s.noscripts--
	}
	if s.depth > 0 && htmltoken.IsTag(raw[1:], s.snippet) {
		if s.depth--; s.depth == 0 {
			s.endSnippet()
		}
	}
}

// text handles a text, or a piece of one.
func (s *scanner) text(raw []byte) {
	in := s.z.Verbatim()
	if in != "" {
		s.hidden(raw, in)
	}
	switch {
	case in == "title":
		if !s.tree.InTemplate() && !s.titled {
			s.keepTitle(raw)
		}
	case in != "":
	case s.begun:
		s.tree.Text()
	case len(bytes.TrimLeft(raw, " \t\n\f\r")) > 0:
		s.begin()
	}
}

// isLink reports whether raw is a tag with this name and attribute, and links are wanted.
func (s *scanner) isLink(raw []byte, name, attribute string) bool {
	return s.options.MaxLinks > 0 && htmltoken.IsTag(raw, name) && htmltoken.ContainsFold(raw, attribute)
}

// meta keeps a META tag if it has a relevant attribute. Many tags have "property" instead,
// which is a mistake where it names a robot.
func (s *scanner) meta(raw []byte) {
	switch {
	case htmltoken.ContainsFold(raw, "charset"):
		s.source.all.off = true
		s.keep(raw)
	case htmltoken.ContainsFold(raw, "name"), htmltoken.ContainsFold(raw, "http-equiv"),
		s.options.Lint && htmltoken.ContainsFold(raw, "bot"):
		s.keep(raw)
	}
}

// link keeps the tag of a link element. A tag that may be the canonical link is kept even if no
// links are wanted. Character references may hide the word canonical.
func (s *scanner) link(raw []byte) {
	switch {
	case htmltoken.ContainsFold(raw, "canonical") || bytes.IndexByte(raw, '&') >= 0:
		s.kept.candidates++
		s.keep(raw)
	case s.isLink(raw, "link", "href"):
		s.keepLink(raw, "")
	}
}

// open handles the start tag of an element that may have data-nosnippet.
func (s *scanner) open(raw []byte, name string) {
	if s.depth > 0 {
		if name == s.snippet {
			s.depth++
		}
		return
	}
	const attribute = "data-nosnippet"
	if len(raw) <= len(attribute) || s.tree.InTemplate() || !htmltoken.ContainsFold(raw, attribute) ||
		!hasAttribute(raw, attribute) {
		return
	}
	if len(s.doc.NoSnippet) == mostSections {
		s.doc.Cut |= CutList
		return
	}
	offset, line, _ := s.z.Position()
	s.doc.NoSnippet = append(s.doc.NoSnippet, Section{Element: name, Line: line, Offset: offset})
	s.snippet, s.depth = name, 1
}

// endSnippet ends the open data-nosnippet section after the current token.
func (s *scanner) endSnippet() {
	if n := len(s.doc.NoSnippet); n > 0 && s.doc.NoSnippet[n-1].End == 0 {
		s.doc.NoSnippet[n-1].End = s.z.End()
	}
}

func hasAttribute(tag []byte, name string) bool {
	for r := htmltoken.AttributesOf(tag); ; {
		key, _, ok := r.Next()
		if !ok || htmltoken.EqualFold(key, name) {
			return ok
		}
	}
}
