package page_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html/charset"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// encode returns text in an encoding.
func encode(t *testing.T, text, encoding string) string {
	t.Helper()
	e, name := charset.Lookup(encoding)
	if name == "" {
		t.Fatalf("no encoding %q", encoding)
	}
	s, err := e.NewEncoder().String(text)
	fatal.If(t, err)
	return s
}

const (
	korean  = "한국어 문서"
	russian = "Русский документ"
	chinese = "中文文件"
	kana    = "日本語ソ表十" // with bytes of ASCII in Shift_JIS
)

// TestCharset reads pages in the encodings of the web. Title, description and
// links are converted, the entities in them are not, and directives are found
// in all of them.
func TestCharset(t *testing.T) {
	for _, test := range []struct {
		name, encoding, text string
		declared             string // by the tag; empty: by none
		header               string
		bom                  string
		want                 string
	}{
		{"utf-8 by tag", "utf-8", korean, "utf-8", "", "", "utf-8 (meta)"},
		{"utf-8 by header", "utf-8", korean, "", "text/html; charset=UTF-8", "", "utf-8 (header)"},
		{"utf-8 by header in quotes", "utf-8", korean, "", `text/html;charset = "utf8"`, "", "utf-8 (header)"},
		{"utf-8 by mark", "utf-8", korean, "", "", "\xef\xbb\xbf", "utf-8 (bom)"},
		{"utf-8 by nobody", "utf-8", korean, "", "", "", "utf-8 (sniffed)"},
		{"latin by nobody", "windows-1252", "caf\u00e9 \u20ac", "", "", "", "windows-1252 (default)"},
		{"ASCII by nobody", "utf-8", "plain", "", "", "", "utf-8 (default)"},
		{"euc-kr by tag", "euc-kr", korean, "euc-kr", "", "", "euc-kr (meta)"},
		{"euc-kr by its other name", "euc-kr", korean, "KS_C_5601-1987", "", "", "euc-kr (meta)"},
		{"euc-kr by header", "euc-kr", korean, "", "text/html; charset=euc-kr", "", "euc-kr (header)"},
		{"windows-1251 by tag", "windows-1251", russian, "windows-1251", "", "", "windows-1251 (meta)"},
		{"koi8-r by tag", "koi8-r", russian, "koi8-r", "", "", "koi8-r (meta)"},
		{"shift_jis by tag", "shift_jis", kana, "Shift_JIS", "", "", "shift_jis (meta)"},
		{"euc-jp by header", "euc-jp", kana, "", "text/html; charset=euc-jp", "", "euc-jp (header)"},
		{"iso-2022-jp by tag", "iso-2022-jp", kana, "iso-2022-jp", "", "", "iso-2022-jp (meta)"},
		{"iso-2022-jp by header", "iso-2022-jp", kana, "", "text/html; charset=iso-2022-jp", "",
			"iso-2022-jp (header)"},
		{"gb18030 by tag", "gb18030", chinese, "gb18030", "", "", "gb18030 (meta)"},
		{"big5 by tag", "big5", "中文文件", "big5", "", "", "big5 (meta)"},
		{"utf-16 by mark", "utf-16le", korean, "", "", "\xff\xfe", "utf-16le (bom)"},
		{"utf-16be by mark", "utf-16be", korean, "", "", "\xfe\xff", "utf-16be (bom)"},
		{"utf-16 by header", "utf-16le", korean, "", "text/html; charset=utf-16le", "", "utf-16le (header)"},
		{"utf-16 by nobody", "utf-16be", korean, "", "", "", "utf-16be (sniffed)"},

		// Lies.
		{"the mark beats header and tag", "utf-8", korean, "euc-kr", "text/html; charset=shift_jis", "\xef\xbb\xbf",
			"utf-8 (bom)"},
		{"the header beats the tag", "euc-kr", korean, "utf-8", "text/html; charset=euc-kr", "", "euc-kr (header)"},
		{"a tag in ASCII is not in UTF-16", "utf-8", korean, "utf-16", "", "", "utf-8 (meta)"},
		{"a header of UTF-16 that is not", "utf-8", korean, "utf-8", "text/html; charset=utf-16", "", "utf-8 (meta)"},
		{"no such encoding", "utf-8", korean, "klingon", "text/html; charset=elvish", "", "utf-8 (sniffed)"},
		{"an encoding to attack with", "utf-8", korean, "hz-gb-2312", "text/html; charset=iso-2022-kr", "",
			"utf-8 (sniffed)"},
		{"no encoding of one's own", "windows-1252", "caf\u00e9", "x-user-defined", "", "", "windows-1252 (meta)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			declaration := ""
			if test.declared != "" {
				declaration = `<meta http-equiv="Content-Type" content="text/html; charset=` + test.declared + `">`
			}
			text := "<html><title>" + test.text + " &eacute;&#8364;</title>\n" + declaration +
				`<meta name="description" content="` + test.text +
				`"><meta content='NoIndex' name="robots"><a href="/` + test.text + `">` + test.text + "</a>"
			body := test.bom + encode(t, text, test.encoding)
			doc, err := page.Read(strings.NewReader(body),
				page.Options{Header: http.Header{"Content-Type": {test.header}}, MaxLinks: 10})
			fatal.If(t, err)
			if got := doc.Charset.Name + " (" + doc.Charset.Found + ")"; got != test.want {
				t.Errorf("charset %s, want %s", got, test.want)
			}
			if want := test.text + " \u00e9\u20ac"; doc.Title != want {
				t.Errorf("title %q, want %q", doc.Title, want)
			}
			if doc.Description != test.text {
				t.Errorf("description %q, want %q", doc.Description, test.text)
			}
			if len(doc.Links) != 1 {
				t.Errorf("links %v", doc.Links)
			}
			if len(doc.Directives) != 1 || doc.Directives[0].Source.Line != 2 {
				t.Fatalf("directives %v, want one in line 2", doc.Directives)
			}
			// Where the tags are in the bytes of the page, so is the offset.
			if at := int(doc.Directives[0].Source.Offset); doc.Charset.Name != "iso-2022-jp" &&
				!strings.HasPrefix(doc.Charset.Name, "utf-16") {
				if !strings.HasPrefix(body[at:], "<meta content='NoIndex'") {
					t.Errorf("offset %d is at %.30q", at, body[at:])
				}
			}
		})
	}
}

// TestWrongBytes decodes bytes that are invalid in the declared encoding.
func TestWrongBytes(t *testing.T) {
	for _, test := range []struct{ declared, text, want string }{
		{"utf-8", "a\xff\xfeb\xe2\x82", "a\uFFFD\uFFFDb\uFFFD"},
		{"euc-kr", "a\xff\xb0<b>", "a\uFFFD\uFFFD<b>"},
		{"shift_jis", "a\x81<b>", "a\uFFFD<b>"},
	} {
		doc := read(t, []byte("<meta charset="+test.declared+"><title>"+test.text+
			"</title><meta name=robots content=noindex>"), page.Options{})
		if doc.Title != test.want || doc.For().Index {
			t.Errorf("%s: title %q, want %q; %v", test.declared, doc.Title, test.want, doc.For())
		}
	}
}

// TestLateDeclaration obeys a tag that stands after the first 1024 bytes, as
// browsers do, and notes UTF-8 that comes late in a page without one.
func TestLateDeclaration(t *testing.T) {
	late := bytes.Repeat([]byte("<p>text\n"), 1000)
	for _, test := range []struct{ text, want, title string }{
		{"<title>\xc7\xd1</title>" + string(late) + "<meta charset=euc-kr>", "euc-kr (meta)", "한"},
		{"<title>T</title>" + string(late) + korean, "utf-8 (sniffed)", "T"},
		{"<title>T</title>" + string(late) + "\xe9 ", "windows-1252 (default)", "T"},
	} {
		doc := read(t, []byte(test.text), page.Options{})
		if got := doc.Charset.Name + " (" + doc.Charset.Found + ")"; got != test.want || doc.Title != test.title {
			t.Errorf("%s, title %q; want %s, %q", got, doc.Title, test.want, test.title)
		}
	}
}

// decode returns bytes in UTF-8.
func decode(t *testing.T, octets []byte, encoding string) string {
	t.Helper()
	e, _ := charset.Lookup(encoding)
	text, err := e.NewDecoder().Bytes(octets)
	fatal.If(t, err)
	return string(text)
}

// TestXMLDeclaration reads pages that declare their encoding as XML does.
func TestXMLDeclaration(t *testing.T) {
	for _, test := range []struct{ start, header, want string }{
		{`<?xml version="1.0" encoding="koi8-r"?>`, "", "koi8-r (xml)"},
		{`<?xml encoding = 'KOI8-R' ?>`, "", "koi8-r (xml)"},
		{`<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>`, "", "windows-1251 (meta)"},
		{`<?xml version="1.0" encoding="koi8-r"?>`, "text/html; charset=windows-1251", "windows-1251 (header)"},
		{`<?xml version="1.0" encoding="utf-16"?>`, "", "utf-8 (xml)"},
		{`<?xml version="1.0"?>`, "", "windows-1252 (default)"},
		{`<?xml version="1.0" encoding="koi8-r?>`, "", "windows-1252 (default)"},
		{`<?xml version="1.0" encoding="koi8 r"?>`, "", "windows-1252 (default)"},
		{`<?xml version="1.0" encoding=koi8-r?>`, "", "windows-1252 (default)"},
		{`<?xml version="1.0" encoding="x-unknown"?>`, "", "windows-1252 (default)"},
		{` <?xml version="1.0" encoding="koi8-r"?>`, "", "windows-1252 (default)"},
		{`<?xml version="1.0" ` + strings.Repeat(" ", 1024) + `encoding="koi8-r"?>`, "", "windows-1252 (default)"},
		{`<?xml`, "", "windows-1252 (default)"},
	} {
		text := test.start + "<title>" + encode(t, russian, "koi8-r") + "</title>"
		doc := read(t, []byte(text), page.Options{Header: http.Header{"Content-Type": {test.header}}})
		if got := doc.Charset.Name + " (" + doc.Charset.Found + ")"; got != test.want {
			t.Errorf("%s: %s, want %s", test.start, got, test.want)
		}
		if strings.HasPrefix(test.want, "koi8-r") && doc.Title != russian {
			t.Errorf("%s: title %q", test.start, doc.Title)
		}
	}
	text := `<?xml version="1.0" encoding="iso-2022-jp"?><title>` + encode(t, kana, "iso-2022-jp") + "</title>"
	if doc := read(t, []byte(text), page.Options{}); doc.Title != kana || doc.Charset.Found != "xml" {
		t.Errorf("title %q, %v", doc.Title, doc.Charset)
	}
}

// TestBrokenUTF8 reads texts that are no UTF-8 as the Encoding Standard decodes them.
func TestBrokenUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"\xe2\x82A":         "\uFFFDA",
		"\xff\xfeA":         "\uFFFD\uFFFDA",
		"\xf0\x9f\x98A":     "\uFFFDA",
		"\xed\xa0\x80A":     "\uFFFD\uFFFD\uFFFDA",
		"\xc0\xafA":         "\uFFFD\uFFFDA",
		"\xe2\xe2\x82\xacA": "\uFFFD\u20acA",
		"\xf4\x90\x80\x80A": "\uFFFD\uFFFD\uFFFD\uFFFDA",
		"\xe0\x80\x80A":     "\uFFFD\uFFFD\uFFFDA",
		"A\xe2\x82":         "A\uFFFD",
	} {
		doc := read(t, []byte("<title>"+text+"</title>"),
			page.Options{Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}})
		if doc.Title != want {
			t.Errorf("%q: title %q, want %q", text, doc.Title, want)
		}
	}
}
