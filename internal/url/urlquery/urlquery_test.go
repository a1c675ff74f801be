package urlquery

import (
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestEncode compares queries with the URL Standard, section 1.3. Queries of pages in
// all encodings are in the tests of page and of crawler/internal/weburl.
func TestEncode(t *testing.T) {
	for _, test := range []struct{ query, charset, want string }{
		{"", "windows-1252", ""},
		{"a=b&c=%E9+d", "windows-1252", "a=b&c=%E9+d"},
		{"a b\"c<d>e'f\x7f", "", "a%20b%22c%3Cd%3Ee%27f%7F"},
		{"é", "", "%C3%A9"},
		{"é", "utf-16be", "%C3%A9"},
		{"é", "none-such", "%C3%A9"},
		{"é", "latin1", "%E9"},
		{"\xff", "utf-8", "%EF%BF%BD"},
		{"\xff\xfe", "latin1", "%26%2365533%3B"}, // one reference for invalid UTF-8, as for a text
	} {
		if got := Encode(test.query, test.charset); got != test.want {
			t.Errorf("%q in %s: got %s, want %s", test.query, test.charset, got, test.want)
		}
	}
	for charset, want := range map[string]bool{"": true, "utf-8": true, "UTF8": true, "utf-16le": true,
		"replacement": true, "none-such": true, "latin1": false, "shift_jis": false} {
		if got := IsUTF8(charset); got != want {
			t.Errorf("%s: %t, want %t", charset, got, want)
		}
	}
}

// TestDecodes decodes encoded queries: each character is restored, or a reference to
// it. ISO-2022-JP is not among the encodings: it has "%" in characters, which stays
// unencoded.
func TestDecodes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2026))
	alphabets := []string{"abc012&=~\\ \"", "éüßñ€¥‾", "приветЖ", "日本語中国한국字", "ｱｲｳﾞﾟ−", "😀‽≡"}
	for _, charset := range []string{"windows-1252", "windows-1251", "koi8-r", "iso-8859-2", "shift_jis", "euc-jp",
		"euc-kr", "gbk", "gb18030", "big5"} {
		e, err := htmlindex.Get(charset)
		fatal.If(t, err)
		for range 300 {
			var query strings.Builder
			for range r.IntN(20) {
				runes := []rune(alphabets[r.IntN(len(alphabets))])
				query.WriteRune(runes[r.IntN(len(runes))])
			}
			encoded := Encode(query.String(), charset)
			decoded, err := url.PathUnescape(encoded)
			if err != nil {
				t.Fatalf("%q in %s: %s: %v", query.String(), charset, encoded, err)
			}
			text, err := e.NewDecoder().String(decoded)
			fatal.If(t, err)
			if got, want := withReferences(text, query.String()), query.String(); got != want {
				t.Fatalf("%q in %s is %s, which is %q", want, charset, encoded, got)
			}
		}
	}
}

// withReferences returns a decoded text with references in place of characters, where
// the text differs from the query.
func withReferences(text, query string) string {
	var b strings.Builder
	for _, c := range query {
		for _, as := range []string{string(c), "&#" + strconv.Itoa(int(c)) + ";", "－"} {
			// the encoding maps one to the other
			if rest, ok := strings.CutPrefix(text, as); ok && (as != "－" || c == '−') {
				b.WriteRune(c)
				text = rest
				break
			}
		}
	}
	return b.String() + text
}
