package robots

import (
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/percent"
	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/ruleindex/word"
)

// maybeNever reports whether s may have bytes of byteclass.Never. It tests eight bytes at once, and
// mistakes some other bytes for them, such as "!" and "~".
func maybeNever(s string) bool {
	n := len(s)
	if n < 8 {
		return n > 0 && neverBytes(word.Load(s, 0)|^word.TailMasks[n]&(word.Ones*'a'))
	}
	for i := 0; i+8 < n; i += 8 {
		if neverBytes(word.Load8(s[i:])) {
			return true
		}
	}
	return neverBytes(word.Load8(s[n-8:]))
}

// neverBytes is maybeNever for the bytes of v.
func neverBytes(v uint64) bool {
	w := v &^ (word.Ones * 2) // makes "<" of ">", and "\\" of "^"
	angle, slash, grave := w^word.Ones*'<', w^word.Ones*'\\', v^word.Ones*'`'
	odd := (angle-word.Ones)&^angle | (slash-word.Ones)&^slash | (grave-word.Ones)&^grave |
		(v - word.Ones*'#') | (v + word.Ones*(0x80-'{')) | v
	return odd&word.High != 0
}

// mayRewrite reports whether the normal form of a pattern may differ from s. It tests eight bytes at
// once, and mistakes some other bytes for those that are rewritten.
func (r *dialectSpec) mayRewrite(s string) bool {
	s = strings.TrimSuffix(s, "$") // a last "$" stays in all dialects
	n := len(s)
	if n < 8 {
		return byteclass.Of(s)&byteclass.Encoded != 0
	}
	for i := 0; i+8 < n; i += 8 {
		if r.rewritten(word.Load8(s[i:])) {
			return true
		}
	}
	return r.rewritten(word.Load8(s[n-8:]))
}

// rewritten is mayRewrite for the bytes of v.
func (r *dialectSpec) rewritten(v uint64) bool {
	percent := v ^ word.Ones*'%'
	odd := (percent - word.Ones) &^ percent
	switch r.pattern {
	case givenPattern:
		odd |= v
	case encodedPattern:
		dollar := v ^ word.Ones*'$'
		odd |= (dollar - word.Ones) &^ dollar
		return odd&word.High != 0 || neverBytes(v)
	}
	return odd&word.High != 0
}

// maybeRough reports whether text has bytes above "+" that a URL may only have encoded. It tests
// many rules, and the text between them, at once: that is faster than testing one rule after
// another.
func maybeRough(text string) bool {
	const block = 16 << 10 // stays in the fastest cache
	for ; text != ""; text = text[min(len(text), block):] {
		part := text[:min(len(text), block)]
		for _, c := range []byte("<>\\^`{|}\x7f") {
			if strings.IndexByte(part, c) >= 0 {
				return true
			}
		}
	}
	return false
}

// A form is a way of writing bytes in which equal paths are equal text. SPEC differs between
// dialects, and within one dialect between patterns and paths, because "*" and "$" are special only
// in patterns.
type form uint8

const (
	// givenPath is the path as it is.
	givenPath form = iota
	// givenPattern is Google's form: bytes above 127 encoded, hex digits in upper case, all other
	// bytes as they are.
	givenPattern
	// encodedPath is the normal form of RFC 9309, section 2.2.2: bytes above 127 and other bytes
	// that a URL may only have encoded are encoded, encoded unreserved bytes decoded, the hex
	// digits of all others in upper case, and "*" and "$" encoded. A percent sign that encodes
	// nothing stays.
	encodedPath
	// encodedPattern is encodedPath for a pattern: "*" and a last "$" are not bytes of the path and
	// stay.
	encodedPattern
	// decoded is the form of the documents before RFC 9309: every encoded byte is decoded except
	// "%2F", which is not "/". To avoid ambiguity, a percent sign itself is written "%25".
	decoded
)

const upperHex = "0123456789ABCDEF"

// escape returns the byte that s[i:i+3] encodes, where s[i] is "%".
func escape(s string, i int) (c byte, ok bool) {
	if i+2 >= len(s) {
		return 0, false
	}
	high, ok1 := percent.Unhex(s[i+1])
	low, ok2 := percent.Unhex(s[i+2])
	return high<<4 | low, ok1 && ok2
}

// of returns s in form f. If s is in that form already, of returns s itself, without a copy.
func (f form) of(s string) string {
	i := f.prefix(s)
	if i == len(s) {
		return s
	}
	return f.after(s[:i], s[i:])
}

// after returns head, which is in form f already, followed by s in form f.
func (f form) after(head, s string) string {
	grow := 3 // a byte becomes at most three
	if f == givenPath {
		grow = 1
	}
	b := make([]byte, 0, len(head)+grow*len(s))
	b = append(b, head...)
	b = f.append(b, s)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// prefix returns the number of bytes at the start of s that are in form f already.
func (f form) prefix(s string) int {
	if f == givenPath {
		return len(s)
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		has := byteclass.Table[c]
		if has&(byteclass.Encoded|byteclass.Star) == 0 {
			continue
		}
		switch {
		case c == '%':
			char, ok := escape(s, i)
			switch {
			case f == decoded:
				// Only "%2F" and "%25" are left.
				if !ok || s[i+1] != '2' || s[i+2] != 'F' && s[i+2] != '5' {
					return i
				}
			case !ok:
				continue
			case s[i+1] >= 'a' || s[i+2] >= 'a' || f != givenPattern && percent.Unreserved(char):
				return i
			}
			i += 2
		case c >= 0x80:
			if f != decoded {
				return i
			}
		case c == '*':
			if f == encodedPath {
				return i
			}
		case c == '$':
			if f == encodedPath || f == encodedPattern && i+1 < len(s) {
				return i
			}
		case has&byteclass.Never != 0:
			if f == encodedPath || f == encodedPattern {
				return i
			}
		}
	}
	return len(s)
}

// append appends s, the rest of a path or pattern, in form f.
func (f form) append(b []byte, s string) []byte {
	if f == givenPath {
		return append(b, s...)
	}
	for i := 0; i < len(s); i++ {
		from := i
		for i < len(s) && byteclass.Table[s[i]]&(byteclass.Encoded|byteclass.Star) == 0 {
			i++
		}
		if b = append(b, s[from:i]...); i == len(s) {
			break
		}
		c := s[i]
		switch {
		case c == '%':
			char, ok := escape(s, i)
			switch {
			case f == decoded && !ok:
				b = append(b, "%25"...)
				continue
			case !ok:
				b = append(b, '%')
				continue
			case f == decoded && char == '/':
				b = append(b, "%2F"...)
			case f == decoded && char == '%':
				b = append(b, "%25"...)
			case f == decoded, f != givenPattern && percent.Unreserved(char):
				b = append(b, char)
			default:
				b = appendEscape(b, char)
			}
			i += 2
		case c >= 0x80 && f != decoded,
			byteclass.Table[c]&byteclass.Never != 0 && (f == encodedPath || f == encodedPattern),
			c == '*' && f == encodedPath,
			c == '$' && (f == encodedPath || f == encodedPattern && i+1 < len(s)):
			b = appendEscape(b, c)
		default:
			b = append(b, c)
		}
	}
	return b
}

func appendEscape(b []byte, c byte) []byte {
	return append(b, '%', upperHex[c>>4], upperHex[c&15])
}
