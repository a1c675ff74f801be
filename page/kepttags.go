package page

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

const (
	longestTitle = 4 << 10   // bytes of a title
	mostTags     = 1 << 20   // bytes of the tags that are kept, but links; twice as many with those that name robots
	mostLinkTags = 4 << 20   // bytes of the tags of links
	mostRoom     = 128 << 10 // bytes of tags that there stays room for
)

// keptTags holds the tags of a page that matter, one after the other, each on a line
// of its own. It is a little page itself, which the tokenizer may read again.
type keptTags struct {
	text  []byte
	marks []mark // one for each start tag
	links int    // how many of them are links
	tags  int    // bytes of the others

	candidates int // tags that the builder takes for links, if they have an address

	// What the builder needs besides.
	room      []byte // for values of attributes
	addresses []byte // of links, one after the other
	ends      []int  // where they end
}

// empty returns empty keptTags with the memory of k, unless that is much.
func (k *keptTags) empty() keptTags {
	if cap(k.text) > mostRoom {
		return keptTags{}
	}
	return keptTags{
		text:      k.text[:0],
		marks:     k.marks[:0],
		room:      k.room[:0],
		addresses: k.addresses[:0],
		ends:      k.ends[:0],
	}
}

// A mark tells where a tag stands in the text of keptTags, and where in the page.
type mark struct {
	start, end   int32 // of the title: of its text
	line, column int32
	offset       int64
	body         bool // it is not in the head
	title        bool
	svg          bool // it is an element of SVG
}

// keep keeps a tag. When the room for other tags is used up, there is still
// room for tags that name robots or reserve rights.
func (s *scanner) keep(raw []byte) {
	if s.tree.InTemplate() {
		s.hidden(raw, "template")
		return
	}
	tags := s.kept.tags + len(raw)
	if tags > mostTags && (tags > 2*mostTags || !htmltoken.ContainsFold(raw, "robots") &&
		!htmltoken.ContainsFold(raw, tdmReservation)) {
		s.doc.Cut |= CutTags
		return
	}
	s.kept.tags = tags
	s.append(raw, nil, "")
}

// keepLink keeps the tag of a link, and end after it.
func (s *scanner) keepLink(raw []byte, end string) {
	if s.tree.InTemplate() {
		return
	}
	if s.kept.links >= s.options.MaxLinks || len(s.kept.text)-s.kept.tags+len(raw) > mostLinkTags {
		s.doc.Cut |= CutLinks
		return
	}
	s.kept.links++
	s.kept.candidates++
	s.append(raw, nil, end)
}

// keepSVGLink keeps the tag of a link in SVG.
func (s *scanner) keepSVGLink(raw []byte) {
	n := len(s.kept.marks)
	if s.keepLink(raw, ""); len(s.kept.marks) > n {
		s.kept.marks[n].svg = true
	}
}

// keepTitle keeps the text of a title as an element. Its start tag is not there
// any more.
func (s *scanner) keepTitle(text []byte) {
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	s.titled = true
	if len(text) > longestTitle {
		text = cutText(text, longestTitle)
		s.doc.Cut |= CutText
	}
	s.kept.tags += len(text)
	s.append(titleTag, text, "</title>")
}

var titleTag = []byte("<title>")

// append adds an element to what is kept.
func (s *scanner) append(tag, text []byte, end string) {
	offset, line, column := s.z.Position()
	k := &s.kept
	start := len(k.text)
	k.text = append(k.text, tag...)
	if text != nil {
		start = len(k.text)
		k.text = append(k.text, text...)
	}
	k.marks = append(k.marks, mark{
		start: int32(start), end: int32(len(k.text)),
		offset: offset, line: int32(min(line, math.MaxInt32)), column: int32(min(column, math.MaxInt32)),
		body: s.begun, title: text != nil,
	})
	k.text = append(k.text, end...)
	// No encoding has an end of line as a part of another character.
	k.text = append(k.text, '\n')
}

// cutText returns the start of text: at most n bytes, and no part of a
// character in UTF-8 at its end.
func cutText(text []byte, n int) []byte {
	for i := n; i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return text[:i]
		}
	}
	return text[:n]
}
