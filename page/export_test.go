package page

import (
	"io"
	"strings"

	"github.com/robotsexclusion/robots/internal/htmltree"
)

// ReadLimited is Read with another limit for the length of a tag, or of a text
// in one piece, than 64 KiB.
func ReadLimited(body io.Reader, o Options, limit int) (*Doc, error) { return read(body, o, limit) }

// ReadValue returns the directives of the value of a header or META tag.
func ReadValue(text, robot string) (found []Directive) {
	v := valueReader{text: text, robot: robot, add: func(d Directive) bool {
		found = append(found, d)
		return true
	}}
	v.read()
	return found
}

// ShortestLimit is that of a tag that ReadLimited and Tokens heed.
const ShortestLimit = shortestLimit

// A Token is one that the tokenizer gives.
type Token struct {
	Kind       string // text, start, end or comment
	Raw        string
	Name       string      // of a start tag
	Attributes [][2]string // of a start tag: all, with names in lower case
	Part       bool        // it goes on with the next one
	Offset     int64       // of its first byte
	Line       int         // of its first byte
}

var kinds = [...]string{textToken: "text", startTag: "start", endTag: "end", commentToken: "comment"}

// Tokens cuts a page into tokens of no more than limit bytes. The buffer has room for so
// many at first.
func Tokens(r io.Reader, limit, room int) (all []Token) {
	z := tokenizer{src: r, limit: limit, buf: make([]byte, 0, room)}
	for {
		kind := z.next()
		if kind == noToken {
			return all
		}
		t := Token{Kind: kinds[kind], Raw: string(z.raw())}
		t.Offset, t.Line = z.at(z.start)
		switch kind {
		case startTag:
			t.Name = nameOf(z.name())
			t.Attributes = Attributes(z.raw())
		case commentToken:
			t.Part = z.rest != noComment
		}
		all = append(all, t)
	}
}

// Attributes returns the attributes of a start tag, with names in lower case.
func Attributes(tag []byte) (all [][2]string) {
	var a attributes
	for r := htmltree.AttributesOf(tag); ; {
		name, value, ok := r.Next()
		if !ok {
			return all
		}
		all = append(all, [2]string{nameOf(name), string(a.meant(value))})
	}
}

// nameOf returns a name as it is read. Those that matter have no NUL.
func nameOf(text []byte) string {
	return strings.ReplaceAll(lowered(string(text)), "\x00", "\uFFFD")
}
