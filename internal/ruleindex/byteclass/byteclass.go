// Package byteclass sorts bytes into classes. One scan of a path then tells whether
// the path must be rewritten before it is compared with patterns, and which
// patterns need a byte that the path does not have.
package byteclass

// A Set is a set of classes.
type Set uint64

// The classes of a single kind of byte that callers ask for by name. All other
// bytes share the lower bits.
const (
	NUL     Set = 1 << 63 // NUL
	Hash    Set = 1 << 62 // "#"
	Percent Set = 1 << 61 // "%"
	Star    Set = 1 << 60 // "*"
	Dollar  Set = 1 << 59 // "$"
	High    Set = 1 << 58 // above 127
	Foreign Set = 1 << 57 // all others that no URL may have raw

	// Never is the bytes of US-ASCII that no URL may have raw (RFC 3986, section 2).
	Never = NUL | Foreign

	// Encoded is the bytes that one dialect or another encodes or decodes. A pattern
	// without them is in normal form in every dialect.
	Encoded = Percent | Dollar | High | Never
)

// Table has the class of each byte: small letters, digits, and the punctuation of
// most URLs each have a class of their own. Capital letters and the rest of what a
// URL may have share a few, because paths are mostly lower case.
var Table = func() (table [256]Set) {
	const own = "abcdefghijklmnopqrstuvwxyz0123456789/.-_?=&+:;,~"
	const others = "ABCDEFGHIJKLMNOPQRSTUVWXYZ!'()@[]"
	const first = len(own) // of the bits that others share, up to 56
	for c := range table {
		table[c] = Foreign
		if c >= 0x80 {
			table[c] = High
		}
	}
	for i, c := range []byte(own) {
		table[c] = 1 << i
	}
	for _, c := range []byte(others) {
		table[c] = 1 << (first + int(c)%(57-first))
	}
	table[0] = NUL
	table['#'] = Hash
	table['%'] = Percent
	table['*'] = Star
	table['$'] = Dollar
	return table
}()

// Of returns the classes of the bytes of s.
func Of(s string) (has Set) {
	for len(s) >= 4 {
		has |= Table[s[0]] | Table[s[1]] | Table[s[2]] | Table[s[3]]
		s = s[4:]
	}
	for i := 0; i < len(s); i++ {
		has |= Table[s[i]]
	}
	return has
}
