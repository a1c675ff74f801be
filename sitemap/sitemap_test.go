package sitemap_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"golang.org/x/net/html/charset"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/sitemap"
)

// read returns the entries of a sitemap, and its faults as printed.
func read(t testing.TB, text string, o sitemap.Options) (entries []sitemap.Entry, faults []string) {
	t.Helper()
	for e, err := range sitemap.Read(strings.NewReader(text), o) {
		if err == nil {
			entries = append(entries, e)
			continue
		}
		var f *sitemap.Fault
		if !errors.As(err, &f) {
			t.Errorf("error %v is no Fault", err)
		}
		faults = append(faults, err.Error())
	}
	return entries, faults
}

// listed returns entries as lines: the URL, and the values that differ from the defaults.
func listed(entries []sitemap.Entry) (lines []string) {
	for _, e := range entries {
		line := e.URL
		if e.Kind != sitemap.Page {
			line += " " + string(e.Kind)
		}
		if e.Precision != "" {
			line += " " + e.LastMod.Format(time.RFC3339) + "/" + e.Precision
		}
		if e.ChangeFreq != "" {
			line += " " + e.ChangeFreq
		}
		if e.Priority != 0.5 {
			line += fmt.Sprintf(" %g", e.Priority)
		}
		lines = append(lines, fmt.Sprintf("%d: %s", e.Line, line))
	}
	return lines
}

const head = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
`

var long = "https://example.com/" + strings.Repeat("x", 2048-len("https://example.com/"))

// formats are documents with their expected entries and faults. Entries come before
// faults in want; both are in their order.
var formats = []struct {
	name, text string
	want       []string
}{
	{"the protocol's first example", head + `<url>
  <loc>http://www.example.com/</loc>
  <lastmod>2005-01-01</lastmod>
  <changefreq>monthly</changefreq>
  <priority>0.8</priority>
</url></urlset>`, []string{"4: http://www.example.com/ 2005-01-01T00:00:00Z/day monthly 0.8"}},
	{"an index", `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>http://www.example.com/sitemap1.xml.gz</loc><lastmod>2004-10-01T18:23:17+00:00</lastmod></sitemap>
<sitemap><loc>http://www.example.com/sitemap2.xml.gz</loc></sitemap></sitemapindex>`, []string{
		"2: http://www.example.com/sitemap1.xml.gz sitemap 2004-10-01T18:23:17Z/second",
		"3: http://www.example.com/sitemap2.xml.gz sitemap",
	}},
	{"text", "\ufeffhttp://example.com/a\r\nHTTPS://example.com/b?x=1&y=2\n\n  http://example.com/c  ", []string{
		"1: http://example.com/a", "2: HTTPS://example.com/b?x=1&y=2", "4: http://example.com/c",
	}},
	{"text with old ends of lines", "http://example.com/a\rhttp://example.com/b\r", []string{"1: http://example.com/a",
		"1: http://example.com/b"}},
	{"RSS", `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>http://example.com/</link>
<image><url>http://example.com/i.png</url><link>http://example.com/</link></image>
<item><title>T</title><link>http://example.com/1</link><atom:link href="http://example.com/self"/><pubDate>Mon, 06 Sep 2021 00:01:00 +0200</pubDate></item>
<item><guid>http://example.com/2</guid></item>
<item><guid isPermaLink="false">http://example.com/3</guid></item>
<item><guid isPermaLink="true">http://example.com/4?a&amp;b</guid><link></link></item>
<item><description>&lt;a href="http://example.com/5">x&lt;/a></description></item></channel></rss>`, []string{
		"3: http://example.com/1 2021-09-05T22:01:00Z/second", "4: http://example.com/2", "6: http://example.com/4?a&b",
	}},
	{"RSS 1.0", `<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel><link>http://example.com/</link></channel>
<item rdf:about="x"><link>http://example.com/1</link><dc:date>2020-02-03</dc:date></item></rdf:RDF>`, []string{
		"2: http://example.com/1 2020-02-03T00:00:00Z/day",
	}},
	{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://example.com/"/><updated>2020-01-01T00:00:00Z</updated>
<entry><link rel="self" href="http://example.com/no"/><link rel='alternate' href='http://example.com/1?a&amp;b'/><published>2019-01-01T00:00:00Z</published><updated>2020-05-06T07:08:09.5Z</updated>
<source><link href="http://example.com/source"/><updated>2000-01-01T00:00:00Z</updated></source></entry>
<entry><link href="http://example.com/2"/><published>2019-01-01T00:00:00Z</published></entry>
<entry><id>urn:x</id></entry></feed>`, []string{
		"2: http://example.com/1?a&b 2020-05-06T07:08:09Z/fraction",
		"4: http://example.com/2 2019-01-01T00:00:00Z/second",
	}},
	{"prefixes",
		`<ns0:urlset xmlns:ns0="http://www.sitemaps.org/schemas/sitemap/0.9"><ns0:url><ns0:loc>http://example.com/</ns0:loc><loc>http://example.com/no</loc></ns0:url></ns0:urlset>`,
		[]string{"1: http://example.com/"}},
	{"extensions", head + `<url><image:image><image:loc>http://example.com/i.png</image:loc></image:image>
<xhtml:link rel="alternate" hreflang="de" href="http://example.com/de"/><loc>http://example.com/</loc>
<image:loc>http://example.com/j.png</image:loc><ext><loc>http://example.com/k.png</loc></ext></url></urlset>`, []string{"4: http://example.com/"}},
	{"texts", head + `<url><loc>
   http://example.com/a?x=1&amp;y=&#50;&#x33;&lt;&gt;&quot;&apos;&amp;amp;&eacute;
</loc></url><url><loc><![CDATA[ http://example.com/b?x=1&amp;y=2 ]]></loc></url>
<url><loc>http://exam<!-- x > y -->ple.<?php echo ">" ?>com/<![CDATA[c&]]>d</loc></url></urlset>`, []string{
		"4: http://example.com/a?x=1&y=23<>\"'&amp;é", "5: http://example.com/b?x=1&amp;y=2",
		"6: http://example.com/c&d",
	}},
	{"what is not an entity", head +
		`<url><loc>http://example.com/?a=1&b=2&copy=3&nbsp&bogus;&#0;&#xD800;&#99999999;&;&amp</loc></url></urlset>`,
		[]string{
			"3: http://example.com/?a=1&b=2&copy=3&nbsp&bogus;&#0;&#xD800;&#99999999;&;&amp",
		}},
	{"lenient values", head + `<url><loc>http://example.com/</loc><lastmod>yesterday</lastmod><changefreq> Weekly </changefreq><priority>0,7</priority></url>
<url><loc>http://example.com/2</loc><changefreq>sometimes</changefreq><priority>high</priority></url>
<url><loc>http://example.com/3</loc><changefreq>unknown</changefreq><priority>1e999</priority></url>
<url><loc>http://example.com/4</loc><priority>NaN</priority></url>
<url><loc>http://example.com/5</loc><priority>-3</priority></url></urlset>`, []string{
		"3: http://example.com/ weekly 0.7", "4: http://example.com/2", "5: http://example.com/3 1",
		"6: http://example.com/4", "7: http://example.com/5 0",
	}},
	{"names in other letters",
		`<URLSET><Url><LOC>http://example.com/</LOC><lastMod>2020-01-01</lastMod></URL></UrlSet>`, []string{
			"1: http://example.com/ 2020-01-01T00:00:00Z/day",
		}},
	{"the first of several", head +
		`<url><loc></loc><loc>http://example.com/1</loc><loc>http://example.com/2</loc><lastmod/><lastmod>2020</lastmod><lastmod>2021</lastmod></url></urlset>`,
		[]string{"3: http://example.com/1 2020-01-01T00:00:00Z/year"}},
	{"none", head + "</urlset>", nil},
	{"no entry either", "<urlset/>", nil},
	{"two documents", head + "<url><loc>http://example.com/1</loc></url></urlset>" + head +
		"<url><loc>http://example.com/2</loc></url></urlset>", []string{
		"3: http://example.com/1", "5: http://example.com/2",
	}},

	// Invalid entries.
	{"bad URLs", head + `<url><loc>/about.html</loc></url>
<url><loc>//example.com/</loc></url>
<url><loc>example.com/</loc></url>
<url><loc>mailto:a@example.com</loc></url>
<url><loc>http:///x</loc></url>
<url><loc> </loc></url>
<url></url><url/>
<url><loc>http://example.com/good</loc></url>
<url><loc>` + long + `</loc></url>
<url><loc>` + long[:2047] + `</loc></url></urlset>`, []string{
		"10: http://example.com/good", "12: " + long[:2047],
		`line 3: "/about.html" is not an absolute URL of http or https`,
		`line 4: "//example.com/" is not an absolute URL of http or https`,
		`line 5: "example.com/" is not an absolute URL of http or https`,
		`line 6: "mailto:a@example.com" is not an absolute URL of http or https`,
		`line 7: "http:///x" is not an absolute URL of http or https`,
		`line 8: <url> has no URL: not an absolute URL of http or https`,
		`line 9: <url> has no URL: not an absolute URL of http or https`,
		`line 9: <url> has no URL: not an absolute URL of http or https`,
		`line 11: the URL has 2048 characters or more`,
	}},
	{"characters, not bytes", "http://example.com/" + strings.Repeat("ж", 2000), []string{"1: http://example.com/" +
		strings.Repeat("ж", 2000)}},
	{"a bad line of text", "http://example.com/a\nexample.com/b\n\x1b[31m\n", []string{
		"1: http://example.com/a",
		`line 2: "example.com/b" is not an absolute URL of http or https`,
		`line 3: "\x1b[31m" is not an absolute URL of http or https`,
	}},

	// Broken documents.
	{"cut in a URL", head + "<url><loc>http://example.com/1</loc></url>\n<url><loc>http://example.com/2", []string{
		"3: http://example.com/1", "line 4: it ends within <urlset>: unexpected EOF",
	}},
	{"cut after a URL", head + "<url><loc>http://example.com/1</loc><lastm", []string{
		"3: http://example.com/1", "line 3: it ends within <urlset>: unexpected EOF",
	}},
	{"cut in a comment", head + "<url><loc>http://example.com/1</loc></url><!-- ", []string{
		"3: http://example.com/1", "line 3: it ends within <urlset>: unexpected EOF",
	}},
	{"an entry that is not closed", head +
		"<url><loc>http://example.com/1</loc>\n<url><loc>http://example.com/2</loc></url></urlset>", []string{
		"3: http://example.com/1", "4: http://example.com/2",
		"line 4: this is not well-formed XML: <url> begins within <url>",
	}},
	{"fields that are not closed", head +
		"<url><loc>http://example.com/1<lastmod>2020</url>\n<url><loc>http://example.com/2</url></urlset>", []string{
		"3: http://example.com/1 2020-01-01T00:00:00Z/year", "4: http://example.com/2",
		"line 3: this is not well-formed XML: <lastmod> begins within <loc>",
	}},
	{"the wrong end", head + "<url><loc>http://example.com/1</link></foo><lastmod>2020</lastmod></url>\n</urlset>",
		[]string{
			"3: http://example.com/1 2020-01-01T00:00:00Z/year",
			"line 3: this is not well-formed XML: <loc> ends as <link>",
		}},
	{"the end too early", head + "<url><loc>http://example.com/1</loc></urlset>", []string{
		"3: http://example.com/1", "line 3: this is not well-formed XML: <urlset> ends within <url>",
	}},
	{"a bare <", head +
		"<url><loc>http://example.com/?a<1&b</loc></url><url><loc>http://example.com/2</loc></url></urlset>", []string{
		"3: http://example.com/?a<1&b", "3: http://example.com/2",
		"line 3: this is not well-formed XML: a tag is not closed, or there is a < that begins none",
	}},
	{"a tag that is not closed", head +
		"<url><loc http://example.com/1</loc></url><url><loc>http://example.com/2</loc></url></urlset>", []string{
		"3: http://example.com/2",
		"line 3: this is not well-formed XML: a tag is not closed, or there is a < that begins none",
		"line 3: <url> has no URL: not an absolute URL of http or https",
	}},
	{"a quote that is not closed", head + "<url a=\"><loc>http://example.com/1</loc></url></urlset>", []string{
		"3: http://example.com/1",
		"line 3: this is not well-formed XML: a tag is not closed, or there is a < that begins none",
	}},
	{"words before it", "\n<br />Warning: x in <b>y.php</b>\n" + head +
		"<url><loc>http://example.com/1</loc></url></urlset>", []string{
		"5: http://example.com/1",
	}},
	{"words before it without tags", "Notice: x\n" + head + "<url><loc>http://example.com/1</loc></url></urlset>",
		[]string{"4: http://example.com/1"}},
	{"white space before it", "\n \t" + head + "<url><loc>http://example.com/1</loc></url></urlset>\n ",
		[]string{"4: http://example.com/1"}},

	// Files that are not sitemaps.
	{"nothing", "", []string{"line 1: it is empty: this is not a sitemap"}},
	{"blank", " \n\n", []string{"line 3: it is neither XML nor a list of URLs: this is not a sitemap"}},
	{"HTML",
		"<!DOCTYPE html>\n<html><head><title>Not found</title></head><body><a href='http://example.com/'>x</a></body></html>", []string{
			"line 2: it is a page of HTML: this is not a sitemap",
		}},
	{"other XML", "<?xml version='1.0'?><foo><loc>http://example.com/</loc></foo>", []string{
		"line 1: it begins with <foo> and not with <urlset> or <sitemapindex>: this is not a sitemap",
	}},
	{"only a comment", "<!-- -->", []string{"line 1: it has no element: this is not a sitemap"}},
	{"prose", strings.Repeat("not found\n", 100),
		append(notFound(20), "line 21: it is neither XML nor a list of URLs: this is not a sitemap")},
	{"a few words", "not found", append(notFound(1),
		"line 1: it is neither XML nor a list of URLs: this is not a sitemap")},
	{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		[]string{"line 1: it is neither XML nor text: this is not a sitemap"}},
}

func notFound(n int) (faults []string) {
	for i := range n {
		faults = append(faults, fmt.Sprintf("line %d: \"not found\" is not an absolute URL of http or https", i+1))
	}
	return faults
}

func TestRead(t *testing.T) {
	for _, test := range formats {
		t.Run(test.name, func(t *testing.T) {
			entries, faults := read(t, test.text, sitemap.Options{})
			if got := append(listed(entries), faults...); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestPieces reads all documents byte by byte, and compressed.
func TestPieces(t *testing.T) {
	for _, test := range formats {
		for name, r := range map[string]io.Reader{
			"byte by byte":        iotest.OneByteReader(strings.NewReader(test.text)),
			"data with the error": iotest.DataErrReader(strings.NewReader(test.text)),
			"gzip":                strings.NewReader(zip(test.text)),
			"gzip members":        strings.NewReader(zip(test.text[:len(test.text)/2]) + zip(test.text[len(test.text)/2:])),
		} {
			var entries []sitemap.Entry
			var faults []string
			for e, err := range sitemap.Read(r, sitemap.Options{}) {
				if err != nil {
					faults = append(faults, err.Error())
				} else {
					entries = append(entries, e)
				}
			}
			if got := append(listed(entries), faults...); !slices.Equal(got, test.want) {
				t.Errorf("%s in %s: got\n%s\nwant\n%s", test.name, name, strings.Join(got, "\n"),
					strings.Join(test.want, "\n"))
			}
		}
	}
}

func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func TestEncodings(t *testing.T) {
	const url = "http://example.com/über/"
	for _, test := range []struct{ mark, declared, encoding, want string }{
		{"", "UTF-8", "utf-8", url},
		{"\xef\xbb\xbf", "utf-8", "utf-8", url},
		{"\xef\xbb\xbf", "ISO-8859-1", "utf-8", url},
		{"", "ISO-8859-1", "iso-8859-1", url},
		{"", "windows-1252", "iso-8859-1", url},
		{"\xff\xfe", "UTF-16", "utf-16le", url},
		{"\xfe\xff", "UTF-16", "utf-16be", url},
		{"", "UTF-16", "utf-16le", url},
		{"", "utf-16be", "utf-16be", url},
		{"", "UTF-16", "utf-8", url},      // not UTF-16: the declaration could be read
		{"", "klingon", "utf-8", url},     // unknown encoding
		{"", "iso-2022-kr", "utf-8", url}, // unsupported encoding
		{"", "UTF-8", "iso-8859-1", "http://example.com/\xfcber/"},
	} {
		e, _ := charset.Lookup(test.encoding)
		text, err := e.NewEncoder().String(`<?xml version="1.0" encoding='` + test.declared + `'?>` +
			"\n<urlset><url><loc>" + url + "</loc></url></urlset>")
		fatal.If(t, err)
		entries, faults := read(t, test.mark+text, sitemap.Options{})
		if len(entries) != 1 || entries[0].URL != test.want || entries[0].Line != 2 || faults != nil {
			t.Errorf("%+q declared %s in %s: got %v, %v, want %q", test.mark, test.declared, test.encoding, entries,
				faults, test.want)
		}
	}
}

func TestAlternates(t *testing.T) {
	const text = head + `<url><loc>http://example.com/en</loc>
<xhtml:link rel="alternate" hreflang="de" href="http://example.com/de?a&amp;b"/>
<xhtml:link href='/fr' hreflang="fr" rel='alternate'></xhtml:link>
<xhtml:link rel="stylesheet" href='http://example.com/css'/>
<xhtml:link rel = "alternate" hreflang="it" href = "http://example.com/it" /></url></urlset>`
	entries, faults := read(t, text, sitemap.Options{Alternates: true})
	got := append(listed(entries), faults...)
	want := []string{
		"4: http://example.com/de?a&b alternate", "7: http://example.com/it alternate", "3: http://example.com/en",
		`line 5: "/fr" is not an absolute URL of http or https`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFaults tests faults with errors.Is and errors.As.
func TestFaults(t *testing.T) {
	broken := errors.New("the connection broke")
	many := head + strings.Repeat("<url><loc>http://example.com/</loc></url>\n", 11) + "</urlset>"
	for _, test := range []struct {
		name    string
		r       io.Reader
		o       sitemap.Options
		entries int
		want    error
		message string
	}{
		{"bad URL", strings.NewReader("http://example.com/\n/x"), sitemap.Options{}, 1, sitemap.ErrURL,
			`line 2: "/x" is not an absolute URL of http or https`},
		{"long URL", strings.NewReader("http://example.com/\n" + long), sitemap.Options{}, 1, sitemap.ErrLongURL,
			"line 2: the URL has 2048 characters or more"},
		{"cut", strings.NewReader(many[:len(many)-3]), sitemap.Options{}, 11, io.ErrUnexpectedEOF,
			"line 14: it ends within <urlset>: unexpected EOF"},
		{"cut gzip", strings.NewReader(zip(many)[:100]), sitemap.Options{}, 0, io.ErrUnexpectedEOF, ""},
		{"bad gzip", strings.NewReader("\x1f\x8bxx"), sitemap.Options{}, 0, io.ErrUnexpectedEOF,
			"line 1: unexpected EOF"},
		{"as many as there may be", strings.NewReader(many), sitemap.Options{MaxEntries: 11}, 11, nil, ""},
		{"too many", strings.NewReader(many), sitemap.Options{MaxEntries: 10}, 10, sitemap.ErrLimit,
			"line 13: it has more than 10 entries: the rest is not read"},
		{"too many lines", strings.NewReader("http://a/\nhttp://b/\nx\n"), sitemap.Options{MaxEntries: 2}, 2,
			sitemap.ErrLimit, "line 4: it has more than 2 entries: the rest is not read"},
		{"as large as it may be", strings.NewReader(many), sitemap.Options{MaxSize: int64(len(many))}, 11, nil, ""},
		{"too large", strings.NewReader(many), sitemap.Options{MaxSize: int64(len(many)) - 1}, 11, sitemap.ErrLimit,
			fmt.Sprintf("line 14: it has more than %d bytes: the rest is not read", len(many)-1)},
		{"too large in gzip", strings.NewReader(zip(many)), sitemap.Options{MaxSize: int64(len(many)) - 1}, 11,
			sitemap.ErrLimit, ""},
		{"no connection", iotest.ErrReader(broken), sitemap.Options{}, 0, broken, "line 1: the connection broke"},
		{"broken", io.MultiReader(strings.NewReader(many[:len(many)-20]), iotest.ErrReader(broken)), sitemap.Options{},
			10, broken, "line 13: the connection broke"},
		{"broken text", io.MultiReader(strings.NewReader("http://example.com/\n"), iotest.ErrReader(broken)),
			sitemap.Options{}, 1, broken, ""},
		{"broken at the end", io.MultiReader(strings.NewReader(many), iotest.ErrReader(broken)), sitemap.Options{}, 11,
			nil, ""},
		{"no progress", nothing{}, sitemap.Options{}, 0, io.ErrNoProgress, ""},
		{"gzip with more behind it", strings.NewReader(zip(many) + "trailing bytes"), sitemap.Options{}, 11, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := 0
			var last error
			for _, err := range sitemap.Read(test.r, test.o) {
				if last = err; err == nil {
					n++
				}
			}
			var f *sitemap.Fault
			switch {
			case n != test.entries || !errors.Is(last, test.want):
				t.Errorf("%d entries, %v; want %d, %v", n, last, test.entries, test.want)
			case test.want != nil && !errors.As(last, &f):
				t.Errorf("error %v is no Fault", last)
			case test.message != "" && last.Error() != test.message:
				t.Errorf("got %q, want %q", last, test.message)
			}
		})
	}
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

// TestStop leaves the loop at each entry and fault: another call of yield would panic.
func TestStop(t *testing.T) {
	for _, test := range formats {
		for stop := range 12 {
			n := 0
			for range sitemap.Read(strings.NewReader(test.text), sitemap.Options{Alternates: true}) {
				if n++; n > stop {
					break
				}
			}
		}
	}
}
