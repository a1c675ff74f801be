// Package urlquery encodes the queries of links as the URL Standard defines, in the
// encoding of the linking page: the crawler and package page then request the same URLs
// as a browser.
package urlquery

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/transform"
)

// Set has the characters that are encoded in the query of a URL with a special scheme,
// such as https, in addition to controls, blanks and non-ASCII characters (URL
// Standard, section 1.3, special-query percent-encode set).
const Set = "\"#<>'"

// IsUTF8 reports whether the links of pages in an encoding have queries in UTF-8. The
// encoding is named as in the Encoding Standard, such as "windows-1251". For UTF-16 and
// for unknown encodings the result is true.
func IsUTF8(charset string) bool { return legacy(charset) == nil }

// legacy returns the encoding of queries, or nil for UTF-8.
func legacy(charset string) encoding.Encoding {
	if charset == "" || charset == "utf-8" {
		return nil
	}
	e, err := htmlindex.Get(charset)
	if err != nil {
		return nil
	}
	switch name, _ := htmlindex.Name(e); name {
	case "utf-8", "utf-16be", "utf-16le", "replacement", "":
		return nil
	}
	return e
}

// Encode returns a query, without its question mark, percent-encoded (URL Standard,
// section 1.3, percent-encode after encoding). A character outside the encoding becomes
// a reference such as "%26%231046%3B". Existing encodings stay.
func Encode(query, charset string) string {
	if !needs(query) {
		return query
	}
	query = strings.ToValidUTF8(query, "\uFFFD")
	dst := make([]byte, 0, 2*len(query))
	switch e := legacy(charset); e {
	case nil:
		return string(appendPercent(dst, query))
	case japanese.ISO2022JP:
		return string(appendISO2022JP(dst, query))
	default:
		return string(appendIn(dst, query, e))
	}
}

// encodes holds the bytes of a query that are percent-encoded.
var encodes = func() (table [256]bool) {
	for c := range table {
		table[c] = c <= ' ' || c >= 0x7F
	}
	for _, c := range []byte(Set) {
		table[c] = true
	}
	return table
}()

// needs reports whether a query has anything to encode.
func needs(query string) bool {
	for i := range len(query) {
		if encodes[query[i]] {
			return true
		}
	}
	return false
}

// appendIn appends a query in an encoding, percent-encoded.
func appendIn(dst []byte, query string, e encoding.Encoding) []byte {
	var buffer [256]byte
	encoder := e.NewEncoder().Transformer
	for src := []byte(query); ; {
		n, read, err := encoder.Transform(buffer[:], src, true)
		dst = appendPercent(dst, string(buffer[:n]))
		src = src[read:]
		switch {
		case err == nil:
			return dst
		case errors.Is(err, transform.ErrShortDst):
			continue
		}
		r, size := utf8.DecodeRune(src)
		dst = appendReference(dst, r)
		src = src[max(size, 1):]
	}
}

// appendReference appends a reference to a character outside the encoding.
func appendReference(dst []byte, r rune) []byte {
	dst = append(dst, "%26%23"...)
	dst = strconv.AppendInt(dst, int64(r), 10)
	return append(dst, "%3B"...)
}

// appendPercent appends the bytes of a query, and encodes those that a query may not
// have.
func appendPercent(dst []byte, query string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(query) {
		if c := query[i]; encodes[c] {
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
