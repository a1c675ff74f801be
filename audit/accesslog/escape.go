package accesslog

import (
	"bytes"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/url/percent"
)

// appendUnescaped appends s to b without the escapes of nginx and Apache, and returns b.
//
// nginx writes a quote, a backslash, a control character and a byte that is not ASCII as
// \xHH, or with escape=json as JSON does. Apache writes \" and \\, the control
// characters of C, and \xHH for others. No sequence has two meanings among them. A backslash that
// begins none of them is a literal backslash.
func appendUnescaped(b, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i == len(s)-1 {
			return append(b, s...)
		}
		b = append(b, s[:i]...)
		c, n := unescape(s[i+1:])
		if n == 0 {
			b = append(b, '\\')
			s = s[i+1:]
			continue
		}
		if c < utf8.RuneSelf || n == 3 { // \xHH is a byte
			b = append(b, byte(c))
		} else {
			b = utf8.AppendRune(b, c)
		}
		s = s[i+1+n:]
	}
}

// unescape returns the character that the text after a backslash escapes, and the length of that
// text: 0 if the text is not an escape.
func unescape(s []byte) (c rune, n int) {
	switch s[0] {
	case '"', '\\', '/', '\'':
		return rune(s[0]), 1
	case 'n':
		return '\n', 1
	case 't':
		return '\t', 1
	case 'r':
		return '\r', 1
	case 'b':
		return '\b', 1
	case 'f':
		return '\f', 1
	case 'v':
		return '\v', 1
	case 'x':
		return hexRune(s[1:], 2)
	case 'u':
		c, n = hexRune(s[1:], 4)
		if n == 0 {
			return 0, 0
		}
		if 0xD800 <= c && c < 0xDC00 && len(s) >= 11 && s[5] == '\\' && s[6] == 'u' {
			if low, m := hexRune(s[7:], 4); m > 0 && 0xDC00 <= low && low < 0xE000 {
				return (c-0xD800)<<10 + (low - 0xDC00) + 0x10000, 11
			}
		}
		return c, n
	}
	return 0, 0
}

// hexRune reads a number of hexadecimal digits. The length that it returns includes the
// letter before them.
func hexRune(s []byte, digits int) (c rune, n int) {
	if len(s) < digits {
		return 0, 0
	}
	for _, h := range s[:digits] {
		d, ok := percent.Unhex(h)
		if !ok {
			return 0, 0
		}
		c = c<<4 | rune(d)
	}
	return c, digits + 1
}

// closingQuote returns the index of the first quote in s that is not escaped, or -1.
func closingQuote(s []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(s[from:], '"')
		if i < 0 {
			return -1
		}
		i += from
		slashes := 0
		for slashes < i && s[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		from = i + 1
	}
}

// appendPercentDecoded appends s to b with %HH decoded, and returns b. CloudFront encodes
// header fields in this way, and before 2014 twice.
func appendPercentDecoded(b, s []byte) []byte { return appendHexDecoded(b, s, '%') }

// appendHexDecoded appends s to b with a mark and two hexadecimal digits decoded, and returns b.
func appendHexDecoded(b, s []byte, mark byte) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] == mark && i+2 < len(s) {
			high, ok1 := percent.Unhex(s[i+1])
			low, ok2 := percent.Unhex(s[i+2])
			if ok1 && ok2 {
				b = append(b, high<<4|low)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return b
}
