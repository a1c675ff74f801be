package page

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/robotsexclusion/robots/internal/htmltree"
)

// An attribute is one that matters.
type attribute uint8

const (
	nameAttribute attribute = iota
	contentAttribute
	httpEquivAttribute
	charsetAttribute
	hrefAttribute
	srcAttribute
	relAttribute
	xlinkAttribute // xlink:href, which links of SVG may have
	attributeCount // no attribute that matters
)

// attributeNamed returns the attribute with a name in letters of any case.
func attributeNamed(name []byte) attribute {
	switch len(name) {
	case 3:
		switch {
		case equalFold(name, "rel"):
			return relAttribute
		case equalFold(name, "src"):
			return srcAttribute
		}
	case 4:
		switch {
		case equalFold(name, "href"):
			return hrefAttribute
		case equalFold(name, "name"):
			return nameAttribute
		}
	case 7:
		switch {
		case equalFold(name, "content"):
			return contentAttribute
		case equalFold(name, "charset"):
			return charsetAttribute
		}
	case 10:
		switch {
		case equalFold(name, "http-equiv"):
			return httpEquivAttribute
		case equalFold(name, "xlink:href"):
			return xlinkAttribute
		}
	}
	return attributeCount
}

// An attributes is those of a tag that matter.
type attributes struct {
	values [attributeCount][]byte
	room   []byte // of values that are not as they are in the page
}

// read reads the attributes of a tag. Of several with one name the first one counts.
func (a *attributes) read(r htmltree.AttributeReader) {
	var had [attributeCount]bool
	for {
		name, value, ok := r.Next()
		if !ok {
			return
		}
		if i := attributeNamed(name); i < attributeCount && !had[i] {
			had[i] = true
			a.values[i] = a.meant(value)
		}
	}
}

// meant returns what the text of a value stands for: NUL for U+FFFD, CR and CRLF for LF,
// character references for characters.
func (a *attributes) meant(text []byte) []byte {
	i := 0
	for i < len(text) && !isCoded[text[i]] {
		i++
	}
	if i == len(text) {
		return text
	}
	start := len(a.room)
	a.room = append(a.room, text[:i]...)
	for i < len(text) {
		switch c := text[i]; c {
		case 0:
			a.room = utf8.AppendRune(a.room, utf8.RuneError)
			i++
		case '\r':
			a.room = append(a.room, '\n')
			if i++; i < len(text) && text[i] == '\n' {
				i++
			}
		case '&':
			n := referenceLen(text[i:])
			a.room = append(a.room, referent(text[i:i+n], text[i+n:])...)
			i += n
		default:
			a.room = append(a.room, c)
			i++
		}
	}
	return a.room[start:len(a.room):len(a.room)]
}

// isCoded has the bytes that do not stand for themselves in a value.
var isCoded = octets("&\r\x00")

// referenceLen returns the length of what may be a character reference at the start of
// text, which is "&".
func referenceLen(text []byte) int {
	i := 1
	if i < len(text) && text[i] == '#' {
		i++
	}
	for i < len(text) && (isLetter(text[i]) || '0' <= text[i] && text[i] <= '9') {
		i++
	}
	if i < len(text) && text[i] == ';' {
		i++
	}
	return i
}

// longestReference is more than the bytes of any reference with a name.
const longestReference = 64

// referent returns what a reference in the value of an attribute stands for, which
// depends on what follows: package html tells it for texts only (HTML, section
// 13.2.5.73: in a value, what is none as a whole is none).
func referent(reference, rest []byte) string {
	const amp = "&amp;"
	closed := reference[len(reference)-1] == ';'
	switch {
	case string(reference) == amp:
		return "&"
	case len(reference) > 1 && reference[1] == '#':
		return html.UnescapeString(string(reference))
	case len(reference) == 1, len(reference) > longestReference, !closed && len(rest) > 0 && rest[0] == '=':
		return string(reference)
	}
	s := string(reference)
	meant := html.UnescapeString(s)
	if closed {
		if strings.HasSuffix(meant, ";") && meant != ";" {
			return s // at most its start is one
		}
		return meant
	}
	// Those that need no semicolon mean the same with one.
	if html.UnescapeString(s+";") != meant {
		return s
	}
	return meant
}
