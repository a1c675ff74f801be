package weburl_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestEncodeQuery compares queries with the URL Standard and the Encoding Standard. The
// links marked "standard" are the examples of the URL Standard, section 1.3.
func TestEncodeQuery(t *testing.T) {
	for _, test := range []struct{ ref, charset, want string }{
		{"?q=é", "windows-1252", "?q=%E9"},
		{"?q=é", "iso-8859-1", "?q=%E9"}, // a label of the same encoding
		{"?q=при", "windows-1251", "?q=%EF%F0%E8"},
		{"?q=при", "koi8-r", "?q=%D0%D2%C9"},
		{"?q=при", "windows-1252", "?q=%26%231087%3B%26%231088%3B%26%231080%3B"},
		{"?q=é", "windows-1251", "?q=%26%23233%3B"},
		{"?≡", "shift_jis", "?%81%DF"},             // standard
		{"?‽", "shift_jis", "?%26%238253%3B"},      // standard
		{"?¥", "iso-2022-jp", "?%1B(J\\%1B(B"},     // standard
		{"?日本", "iso-2022-jp", "?%1B$BF|K\\%1B(B"}, // its bytes are ASCII
		{"?ｱﾞ−a", "iso-2022-jp", "?%1B$B%%22!+!]%1B(Ba"},
		{"?a¥a~é", "iso-2022-jp", "?a%1B(J\\a%1B(B~%26%23233%3B"},
		{"?\x1bé", "iso-2022-jp", "?%26%2365533%3B%26%23233%3B"},
		{"?日😀a", "iso-2022-jp", "?%1B$BF|%1B(B%26%23128512%3Ba"},
		{"?q=表", "shift_jis", "?q=%95\\"}, // its second byte is a backslash
		{"?q=한국", "euc-kr", "?q=%C7%D1%B1%B9"},
		{"?q=€", "gb18030", "?q=%A2%E3"},
		{"?q=€", "gbk", "?q=%80"},
		{"?q=中", "big5", "?q=%A4%A4"},
		{"?q=日", "euc-jp", "?q=%C6%FC"},
		{"?q=é", "utf-8", "?q=é"},
		{"?q=é", "utf-16le", "?q=é"},
		{"?q=é", "utf-16", "?q=é"},
		{"?q=é", "", "?q=é"},
		{"?q=é", "none-such", "?q=é"},
		{"/é/è.html?é#é", "windows-1252", "/é/è.html?%E9#é"},
		{"/é#?é", "windows-1252", "/é#?é"},
		{"/é", "windows-1252", "/é"},
		{"http://exämple.com/ä?ä=ö", "windows-1252", "http://exämple.com/ä?%E4=%F6"},
		{"?a b\"é<>'", "windows-1252", "?a%20b%22%E9%3C%3E%27"},
		{"?%E9é%zz", "windows-1252", "?%E9%E9%zz"},
		{"?é\n&a=\tb \n", "windows-1252", "?%E9&a=b"},
		{"?é?é", "windows-1252", "?%E9?%E9"},
		{"?\xff", "windows-1252", "?%26%2365533%3B"},
		{"?é", "windows-1252", "?%E9"},
	} {
		if got := weburl.EncodeQuery(test.ref, test.charset); got != test.want {
			t.Errorf("%s in %s: got %s, want %s", test.ref, test.charset, got, test.want)
		}
	}
	base := parse(t, weburl.Exact, "https://example.com/a/b?c")
	if u, err := weburl.Exact.Resolve(base, weburl.EncodeQuery("é?q=é", "windows-1252")); err != nil ||
		u.String() != "https://example.com/a/%C3%A9?q=%E9" {
		t.Errorf("got %v, %v", u, err)
	}
}

// slowEncoding inverts the decoder of an encoding: it decodes all sequences of one or
// two bytes, and maps each character to its bytes.
func slowEncoding(t testing.TB, name string) map[rune]string {
	e, err := htmlindex.Get(name)
	fatal.If(t, err)
	table := make(map[rune]string)
	try := func(encoded string) {
		text, err := e.NewDecoder().String(encoded)
		r, size := utf8.DecodeRuneInString(text)
		if err == nil && size == len(text) && r != utf8.RuneError && table[r] == "" {
			table[r] = encoded
		}
	}
	for a := range 256 {
		try(string([]byte{byte(a)}))
	}
	return table
}

// FuzzEncodeQuery compares queries in encodings of one byte with a table, one character
// after the other, as the standard does.
func FuzzEncodeQuery(f *testing.F) {
	names := []string{"windows-1252", "windows-1251", "koi8-r", "koi8-u", "iso-8859-2", "iso-8859-15", "windows-874",
		"macintosh", "ibm866", "windows-1258"}
	var tables []map[rune]string
	for _, name := range names {
		tables = append(tables, slowEncoding(f, name))
	}
	f.Add("é при a b\"'<>%zz&;=?", 0)
	f.Add("\u0081\u20ac€😀\xff\x01", 1)
	f.Fuzz(func(t *testing.T, query string, which int) {
		query = strings.NewReplacer("#", "", "\t", "", "\n", "", "\r", "").Replace(query)
		query = strings.TrimFunc(query, func(c rune) bool { return c <= ' ' })
		if strings.IndexFunc(query, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 {
			return
		}
		which = (which%len(names) + len(names)) % len(names)
		var want strings.Builder
		for _, r := range strings.ToValidUTF8(query, "\uFFFD") {
			text, ok := tables[which][r]
			if !ok {
				fmt.Fprintf(&want, "%%26%%23%d%%3B", r)
				continue
			}
			for _, c := range []byte(text) {
				if c <= ' ' || c > '~' || strings.IndexByte("\"<>'", c) >= 0 {
					fmt.Fprintf(&want, "%%%02X", c)
				} else {
					want.WriteByte(c)
				}
			}
		}
		if got := weburl.EncodeQuery("/p?"+query, names[which]); got != "/p?"+want.String() {
			t.Errorf("%q in %s: got %s, want %s", query, names[which], got, "/p?"+want.String())
		}
	})
}
