package weburl

import (
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/url/percent"
)

// appendEncoded appends s, with the bytes encoded that are not allowed in its part of
// the URL. Existing encodings stay, except with [Form.Unescape].
func (f *Form) appendEncoded(dst []byte, s string, in part) []byte {
	// A byte after a stray "%" may complete it to a new encoding, so nothing is decoded
	// before this length of dst.
	safe := 0
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, "%EF%BF%BD"...) // U+FFFD
			} else {
				for _, c := range []byte(s[i : i+size]) {
					dst = appendHex(dst, c)
				}
			}
			i += size
		case encodes[c]&in != 0:
			dst = appendHex(dst, c)
			i++
		case c == '%' && f.Unescape:
			value, ok := percent.Byte(s[i:])
			switch {
			case !ok:
				dst = append(dst, '%')
				safe = len(dst) + 2
				i++
			case percent.Unreserved(value) && len(dst) >= safe:
				dst = append(dst, value)
				i += 3
			default:
				dst = appendHex(dst, value)
				i += 3
			}
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

func appendHex(dst []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[c>>4], digits[c&15])
}
