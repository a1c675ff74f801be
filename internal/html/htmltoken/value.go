package htmltoken

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Value decodes the value of an attribute: NUL becomes U+FFFD, CR and CRLF become LF, and
// character references become their characters. A value without any of these is returned as is.
// Other values are decoded into room, and rest is the remaining room for the next value.
func Value(value, room []byte) (decoded, rest []byte) {
	i := 0
	for i < len(value) && !isCoded[value[i]] {
		i++
	}
	if i == len(value) {
		return value, room
	}
	start := len(room)
	room = append(room, value[:i]...)
	for i < len(value) {
		switch c := value[i]; c {
		case 0:
			room = utf8.AppendRune(room, utf8.RuneError)
			i++
		case '\r':
			room = append(room, '\n')
			if i++; i < len(value) && value[i] == '\n' {
				i++
			}
		case '&':
			n := referenceLen(value[i:])
			room = append(room, referent(value[i:i+n], value[i+n:])...)
			i += n
		default:
			room = append(room, c)
			i++
		}
	}
	return room[start:len(room):len(room)], room
}

// DecodeText decodes a text between tags, or the text of an element without markup whose name
// is verbatim. CR and CRLF become LF. Character references become their characters, except in
// elements such as script. NUL becomes U+FFFD in elements without markup, and stays NUL between
// tags (HTML drops most of these).
func DecodeText(text []byte, verbatim string) string {
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, crlf, lf), cr, lf)
	}
	s := string(text)
	if verbatim != "" {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	switch verbatim {
	case "", "title", "textarea":
		return html.UnescapeString(s)
	}
	return s
}

// DecodeCDATA returns the text of a CDATA section. Only CR, CRLF and NUL are decoded.
func DecodeCDATA(section []byte) string {
	text := bytes.TrimPrefix(section, []byte(cdataStart))
	return DecodeText(bytes.TrimSuffix(text, []byte("]]>")), "cdata")
}

// isCoded has the bytes that Value decodes.
var isCoded = set("&\r\x00")

// referenceLen returns the length of the longest possible character reference at the start of
// text. Text begins with "&".
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

// maxReference is longer than every named reference.
const maxReference = 64

// referent returns the characters of a reference in the value of an attribute. They depend on
// the byte after the reference, and package html decodes references in texts only (HTML,
// section 13.2.5.73: in a value, a reference is decoded whole or not at all).
func referent(reference, rest []byte) string {
	const amp = "&amp;"
	closed := reference[len(reference)-1] == ';'
	switch {
	case string(reference) == amp:
		return "&"
	case len(reference) > 1 && reference[1] == '#':
		return html.UnescapeString(string(reference))
	case len(reference) == 1, len(reference) > maxReference, !closed && len(rest) > 0 && rest[0] == '=':
		return string(reference)
	}
	s := string(reference)
	meant := html.UnescapeString(s)
	if closed {
		if strings.HasSuffix(meant, ";") && meant != ";" {
			return s // at most its beginning is a reference
		}
		return meant
	}
	// References that need no semicolon have the same meaning with one.
	if html.UnescapeString(s+";") != meant {
		return s
	}
	return meant
}
