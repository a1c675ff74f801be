package weburl

import "github.com/robotsexclusion/robots/internal/url/urlquery"

// marks is a set of properties of the bytes of a link. One pass over a link finds them:
// most links have none that needs work.
type marks uint8

const (
	markOdd     marks = 1 << iota // must be encoded in the path or in the query, or needs the parser
	markWhite                     // tab, CR or LF: dropped
	markDot                       // "."
	markPercent                   // "%"
	markQuery                     // "?"
	markColon                     // ":"
	markParam                     // ";"
)

// The percent-encode sets of the URL Standard, section 1.3: controls, the blank,
// non-ASCII bytes, and these.
const (
	pathSet  = "\"#<>?^`{}"
	querySet = urlquery.Set
)

var markOf = func() (table [256]marks) {
	for c := range table {
		if c <= ' ' || c >= 0x7F {
			table[c] = markOdd
		}
	}
	for _, c := range []byte(pathSet + querySet + `\`) {
		table[c] = markOdd
	}
	for _, c := range []byte("\t\r\n") {
		table[c] = markOdd | markWhite
	}
	table['.'] = markDot
	table['%'] = markPercent
	table['?'] = markQuery
	table[':'] = markColon
	table[';'] = markParam
	return table
}()

// marksOf returns the marks of the bytes of s.
func marksOf(s string) (has marks) {
	for len(s) >= 4 {
		has |= markOf[s[0]] | markOf[s[1]] | markOf[s[2]] | markOf[s[3]]
		s = s[4:]
	}
	for i := range len(s) {
		has |= markOf[s[i]]
	}
	return has
}

// A part is a part of a URL with its own percent-encode set.
type part uint8

const (
	inPath part = 1 << iota
	inQuery
)

// encodes holds, for each byte, the parts in which the byte is percent-encoded.
var encodes = func() (table [256]part) {
	for c := range table {
		if c <= ' ' || c >= 0x7F {
			table[c] = inPath | inQuery
		}
	}
	for _, c := range []byte(pathSet) {
		table[c] |= inPath
	}
	for _, c := range []byte(querySet) {
		table[c] |= inQuery
	}
	return table
}()

func isSlash(c byte) bool { return c == '/' || c == '\\' }

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
