package sitemap

import (
	"bytes"
	"html"
	"strconv"
	"unicode/utf8"
)

// maxEntity is the maximum length of an entity in bytes, with & and ;. The longest name
// in HTML is that of ∳.
const maxEntity = len("&CounterClockwiseContourIntegral;")

// appendText appends text of XML with its entities replaced. A bare & and unknown
// entities stay as they are. Line ends become LF (XML 1.0, section 2.11).
func appendText(b, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return appendLines(b, text)
		}
		b = appendLines(b, text[:i])
		text = text[i:]
		var n int
		if b, n = appendEntity(b, text); n == 0 {
			b = append(b, '&')
			n = 1
		}
		text = text[n:]
	}
}

// appendLines appends text with each CR LF, and each other CR, as LF.
func appendLines(b, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\r')
		if i < 0 {
			return append(b, text...)
		}
		b = append(append(b, text[:i]...), '\n')
		text = bytes.TrimPrefix(text[i+1:], []byte{'\n'})
	}
}

// appendEntity appends the replacement of the entity at the start of text, and returns
// the length of the entity: 0 if text does not begin with one.
func appendEntity(b, text []byte) ([]byte, int) {
	n := bytes.IndexByte(text[:min(len(text), maxEntity)], ';') + 1
	if n < len("&x;") {
		return b, 0
	}
	switch name := string(text[1 : n-1]); name {
	case "amp":
		return append(b, '&'), n
	case "lt":
		return append(b, '<'), n
	case "gt":
		return append(b, '>'), n
	case "quot":
		return append(b, '"'), n
	case "apos":
		return append(b, '\''), n
	default:
		if name[0] == '#' {
			if c, ok := character(name[1:]); ok {
				return utf8.AppendRune(b, c), n
			}
			return b, 0
		}
		if c := html.UnescapeString(string(text[:n])); len(c) < n && c[len(c)-1] != ';' {
			return append(b, c...), n
		}
		return b, 0
	}
}

// character returns the character with a number, in decimal, or after x in hexadecimal.
// XML allows no control characters except white space (section 2.2).
func character(number string) (rune, bool) {
	base := 10
	if number != "" && number[0]|0x20 == 'x' {
		base, number = 16, number[1:]
	}
	n, err := strconv.ParseUint(number, base, 32)
	c := rune(n)
	if err != nil || n > utf8.MaxRune || !utf8.ValidRune(c) || c < ' ' && c != '\t' && c != '\n' && c != '\r' {
		return 0, false
	}
	return c, true
}

// attribute returns the value of an attribute of a tag, as written.
func attribute(attributes []byte, name string) (value []byte, ok bool) {
	const white = " \t\r\n"
	for rest := attributes; ; {
		key, after, found := bytes.Cut(rest, []byte{'='})
		after = bytes.TrimLeft(after, white)
		if !found || len(after) == 0 {
			return nil, false
		}
		quote := after[0]
		if quote != '"' && quote != '\'' {
			rest = after
			continue
		}
		value, after, found = bytes.Cut(after[1:], []byte{quote})
		if !found {
			return nil, false
		}
		key = bytes.TrimRight(key, white)
		if i := bytes.LastIndexAny(key, white); i >= 0 {
			key = key[i+1:]
		}
		if bytes.EqualFold(key, []byte(name)) {
			return value, true
		}
		rest = after
	}
}
