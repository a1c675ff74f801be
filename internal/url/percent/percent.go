// Package percent has the tables of percent-encoding (RFC 3986, section 2), for code
// that normalizes URLs and patterns.
package percent

// hexValues has the value of each hex digit, and noDigit for all other bytes.
var hexValues = func() (table [256]uint8) {
	for c := range table {
		table[c] = noDigit
	}
	for i := range 16 {
		table["0123456789abcdef"[i]], table["0123456789ABCDEF"[i]] = uint8(i), uint8(i)
	}
	return table
}()

const noDigit = 0xFF

// Unhex returns the value of the hex digit c, and whether it is one.
func Unhex(c byte) (value byte, ok bool) {
	v := hexValues[c]
	return v & 15, v != noDigit
}

var unreserved = func() (table [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~") {
		table[c] = true
	}
	return table
}()

// Unreserved reports whether c is an unreserved character of RFC 3986, section
// 2.3.
func Unreserved(c byte) bool { return unreserved[c] }

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
	high, low := hexValues[s[1]], hexValues[s[2]]
	return high<<4 | low&15, high|low != noDigit
}
