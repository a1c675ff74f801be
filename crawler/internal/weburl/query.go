package weburl

import (
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/url/urlquery"
)

// EncodeQuery returns a link of a page with its query encoded as the URL Standard
// defines (section 1.3, percent-encode after encoding): in the encoding of the page,
// named as in the Encoding Standard, such as "windows-1251". A character outside the
// encoding becomes a reference such as "%26%231046%3B". Queries are in UTF-8 for pages
// in UTF-16 or in an unknown encoding. The path of a link is always in UTF-8:
// [Form.Resolve] encodes the rest.
func EncodeQuery(ref, name string) string {
	end := len(ref)
	if i := strings.IndexByte(ref, '#'); i >= 0 {
		end = i
	}
	start := strings.IndexByte(ref[:end], '?') + 1
	if start == 0 || !hasOther(ref[start:end]) || urlquery.IsUTF8(name) {
		return ref
	}
	query := ref[start:end]
	if end == len(ref) {
		query = strings.TrimRight(query, blanks) // as the whole link is trimmed
	}
	if strings.ContainsAny(query, "\t\n\r") {
		query = withoutWhite(query)
	}
	return ref[:start] + urlquery.Encode(query, name) + ref[end:]
}

// blanks are trimmed at the end of a link: controls and blanks.
const blanks = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

func hasOther(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}
