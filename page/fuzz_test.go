package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// questions returns the questions of the vectors.
func questions(tb testing.TB) (all []page.Question) {
	data, err := os.ReadFile("testdata/vectors.json")
	fatal.If(tb, err)
	var file struct {
		Cases []struct{ Question json.RawMessage }
	}
	fatal.If(tb, json.Unmarshal(data, &file))
	for _, c := range file.Cases {
		q, err := page.ParseQuestion(c.Question, page.Restrictive)
		fatal.If(tb, err)
		all = append(all, q)
	}
	return all
}

// FuzzHeader compares the reader of values with its slow twin.
func FuzzHeader(f *testing.F) {
	for _, q := range questions(f) {
		for _, h := range q.Headers {
			f.Add(h)
		}
		for _, m := range q.Meta {
			f.Add(m.Content)
		}
	}
	f.Add("unavailable_after: 5-Jun-2010T15:00, unavailable_after 2010-06-25T150000.5+01 googlebot::noindex:max-snippet : 5:")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := page.Read(nil, page.Options{Header: http.Header{"Link": {text},
			"X-Robots-Tag": {text}}}); err != nil {
			t.Error(err)
		}
		if len(text) > 16<<10 || !utf8.ValidString(text) {
			return // the twin takes its time, and text
		}
		got, want := plainAll(page.ReadValue(text, "somebot")), slowValue(text, "somebot")
		for i := range want {
			if want[i].name == "unavailable_after" {
				want[i].value = ""
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is read as\n%+v, want\n%+v", text, got, want)
		}
	})
}

// contentTypes are those of pages that the fuzzer makes.
var contentTypes = []string{
	"", "text/html; charset=utf-8", "text/html; charset=euc-kr", "text/html; charset=shift_jis",
	"text/html; charset=gb18030",
	"text/html; charset=big5", "text/html; charset=windows-1251", "text/html; charset=utf-16le",
	"text/html; charset=iso-2022-jp",
}

// FuzzRead reads a page at once, byte by byte, in pieces that are too small
// for its tags, and plainly, and compares.
func FuzzRead(f *testing.F) {
	for i, q := range questions(f) {
		if q.HTML != "" {
			f.Add([]byte(q.HTML), uint8(i))
		}
	}
	for i := range contentTypes {
		f.Add([]byte("\x81<title>\xb0\xa1\x81</title><meta name=robots content='noindex\x81'><div data-nosnippet>\x81</div><a href=x>"), uint8(i))
		f.Add([]byte("<meta charset=euc-kr><title>\xc7\xd1&eacute;\x81</title><meta name=robots content='noindex\x81'>"), uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		if len(data) > 32<<10 {
			return
		}
		base, _ := url.Parse("https://example.com/dir/page")
		o := page.Options{
			Header:   http.Header{"Content-Type": {contentTypes[int(kind)%len(contentTypes)]}},
			URL:      base,
			MaxLinks: 1000,
			HeadOnly: kind&0x80 != 0,
			Lint:     kind&0x40 != 0,
		}
		doc := read(t, data, o)
		small, err := page.Read(iotest.OneByteReader(bytes.NewReader(data)), o)
		fatal.If(t, err)
		small.Size = doc.Size // a head may come with another length of the body
		if !reflect.DeepEqual(doc, small) {
			t.Errorf("octet by octet it is another page:\n%s\n%s", dump(small), dump(doc))
		}
		for _, text := range []string{doc.Title, doc.Description, doc.For("Googlebot").String(),
			doc.In(page.Reading1996).For().String()} {
			if _, err := page.Read(nil, page.Options{Header: http.Header{"Link": {text},
				"X-Robots-Tag": {text}}}); err != nil {
				t.Error(err)
			}
			if len(text) > 16<<10 || !utf8.ValidString(text) {
				t.Errorf("%q is not UTF-8, or too long", text)
			}
		}
		if _, err := json.Marshal(doc.For("Googlebot")); err != nil {
			t.Error(err)
		}
		if o.HeadOnly {
			return
		}
		comparePlain(t, data, doc)
		compareLimited(t, data, o, doc)
	})
}

func dump(doc *page.Doc) string { return fmt.Sprintf("%+v", *doc) }

// comparePlain compares with the slow twin, where the encoding is one that it knows.
func comparePlain(t *testing.T, data []byte, doc *page.Doc) {
	switch doc.Charset.Name {
	case "utf-16le", "utf-16be", "iso-2022-jp":
		return
	}
	if lower := bytes.ToLower(data); bytes.Contains(lower, []byte("<svg")) || bytes.Contains(lower, []byte("<math")) {
		return // TestForeignTree compares those
	}
	slow := slowRead(data, doc.Charset.Name)
	var got slowDoc
	for _, d := range doc.Directives {
		if d.Source.Name == "" || d.Source.Place == "http-equiv" ||
			equalFold(strings.TrimSpace(d.Source.Name), "robots") {
			got.directives = append(got.directives, plain(d))
		}
	}
	if !slices.Equal(got.directives, slow.directives) {
		t.Errorf("directives\n%+v, want\n%+v", got.directives, slow.directives)
	}
	if doc.Title != slow.title && doc.Cut == 0 {
		t.Errorf("title %q, want %q", doc.Title, slow.title)
	}
	for _, s := range doc.NoSnippet {
		got.sections = append(got.sections, [2]int64{s.Offset, s.End})
	}
	if slow.sections != nil && !slices.Equal(got.sections, slow.sections) &&
		!bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		t.Errorf("sections %v, want %v", got.sections, slow.sections)
	}
	for _, l := range doc.Links {
		if l.Element != "meta" {
			got.links = append(got.links, l.Element)
		}
	}
	if !slices.Equal(got.links, slow.links) {
		t.Errorf("links %v, want %v", got.links, slow.links)
	}
}

func equalFold(a, b string) bool { return lower(a) == b }

// compareLimited reads a page with a tokenizer that takes no more than 64 bytes
// in one piece. If no tag was longer, nothing else may be another.
func compareLimited(t *testing.T, data []byte, o page.Options, doc *page.Doc) {
	limited, err := page.ReadLimited(bytes.NewReader(data), o, 64)
	fatal.If(t, err)
	if limited.Cut&page.CutTag != 0 {
		return
	}
	limited.Title, limited.Cut, limited.Diagnostics = doc.Title, doc.Cut, doc.Diagnostics
	if !reflect.DeepEqual(doc, limited) {
		t.Errorf("in small pieces it is another page:\n%s\n%s", dump(limited), dump(doc))
	}
}
