package weburl

import "unicode/utf8"

// appendEncoded appends s, with the bytes encoded that are not allowed in its part of
// the URL. Existing encodings stay: some servers redirect from one to the other, which
// never ends if both are requested as one.
func appendEncoded(dst []byte, s string, in part) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if i++; encodes[c]&in != 0 {
				dst = appendHex(dst, c)
			} else {
				dst = append(dst, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, "%EF%BF%BD"...) // U+FFFD
		} else {
			for _, c := range []byte(s[i : i+size]) {
				dst = appendHex(dst, c)
			}
		}
		i += size
	}
	return dst
}

func appendHex(dst []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[c>>4], digits[c&15])
}
