// Package percent has the tables of percent-encoding (RFC 3986, section 2), for code
// that normalizes URLs and patterns.
package percent

// Unhex returns the value of the hex digit c, and whether it is one.
func Unhex(c byte) (value byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// Unreserved reports whether c is an unreserved character of RFC 3986, section
// 2.3.
func Unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

// Allowed reports whether a URI may contain c unencoded: an unreserved character, a
// reserved one (section 2.2), or "%". All others must be percent-encoded (section 2.1):
// those outside US-ASCII, control characters, the space, and some punctuation.
func Allowed(c byte) bool {
	switch c {
	case '"', '<', '>', '\\', '^', '`', '{', '|', '}':
		return false
	}
	return c > ' ' && c < 0x7F
}

// Byte returns the byte that the first three bytes of s encode, such as "%2F", and
// whether they encode one.
func Byte(s string) (value byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	high, ok1 := Unhex(s[1])
	low, ok2 := Unhex(s[2])
	return high<<4 | low, ok1 && ok2
}
