package page_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

func mustURL(tb testing.TB, s string) *url.URL {
	u, err := url.Parse(s)
	fatal.If(tb, err)
	return u
}

// TestForIndexers reads what a page tells indexers.
func TestForIndexers(t *testing.T) {
	const text = `<!DOCTYPE html>
<html><head>
<TITLE>
  The   title &amp; more </TITLE>
<meta name="DESCRIPTION" content=" One
 two ">
<meta name="description" content="another">
<meta name="Keywords" content="robots, exclusion  standard,, META">
<meta name="keywords" content="more">
<meta name="Document-State" content="Dynamic">
<meta name="URL" content="/relative"><meta name="URL" content=" http://main.example/page ">
<link rel="stylesheet canonical" href="../other?a=1&amp;b=2">
<base href="/dir/sub/">
</head><body><svg><title>picture</title></svg>
<link rel="canonical" href="http://spam.example/">
<span data-nosnippet>a<span>b</span>c</span>
<p data-nosnippet>not a section</p>
<div data-NoSnippet="false"><div data-nosnippet></div>
`
	doc := read(t, []byte(text), page.Options{
		URL:    mustURL(t, "https://example.com/a/b"),
		Header: http.Header{"Link": {`</style>; rel=preload, <https://example.com/c>; rel="canonical"; title="a, b"`}},
	})
	check := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("title", doc.Title, "The title & more")
	check("description", doc.Description, "One two")
	check("keywords", strings.Join(doc.Keywords, "|"), "robots|exclusion standard|META|more")
	check("state", fmt.Sprint(doc.Dynamic), "true")
	check("original", doc.Original, "http://main.example/page")
	check("canonicals", doc.Canonicals[0].URL+" "+doc.Canonicals[1].URL,
		"https://example.com/c https://example.com/dir/other?a=1&b=2")
	check("sources", fmt.Sprint(doc.Canonicals[0].Source, ", ", doc.Canonicals[1].Source), "Link 1, line 12")
	_, ok := doc.Canonical()
	check("one canonical address", ok, false)
	check("sections", len(doc.NoSnippet), 2)
	for i, want := range []string{"<span data-nosnippet>a<span>b</span>c</span>",
		"<div data-NoSnippet=\"false\"><div data-nosnippet></div>\n"} {
		s := doc.NoSnippet[i]
		check("section", text[s.Offset:s.End], want)
		check("its line", s.Line, 1+strings.Count(text[:s.Offset], "\n"))
	}
	check("size", doc.Size, len(text))

	var zero page.Doc
	check("nothing said", zero.For("x"), "may be indexed, links may be followed")
	check("nothing said of the state", fmt.Sprint(zero.Dynamic), "false")
	doc = read(t, []byte("<link rel=canonical href=/x><link rel=canonical href=/x>"), page.Options{})
	u, ok := doc.Canonical()
	check("canonical address said twice", fmt.Sprintf("%s %t", u, ok), "/x true")
}

// TestSources says where each directive comes from.
func TestSources(t *testing.T) {
	doc := read(t,
		[]byte("\xef\xbb\xbf<p>\r\n<meta name=Robots content='noindex, foo'>\r<meta name=googlebot content=max-snippet:x>\n\n<meta http-equiv=robots content=nofollow>"), page.Options{
			Header: http.Header{"X-Robots-Tag": {"noarchive", "otherbot: unavailable_after: soon"}},
			Meta:   []page.Meta{{Name: "robots", Content: "nosnippet"}, {Name: "AUTHOR", Content: "index, all"}},
		})
	want := []string{
		"X-Robots-Tag 1: noarchive",
		"X-Robots-Tag 2: otherbot: unavailable_after: soon: not a date such as 25 Jun 2010 15:00:00 GMT, Friday, 25-Jun-10 15:00:00 GMT, or 2010-06-25T15:00:00Z",
		"given meta 1: nosnippet",
		"line 2: noindex",
		"line 2: foo",
		`line 3: googlebot: max-snippet:x: value "x" is not a number such as 0 or 50, or -1 for no limit`,
		"line 5: nofollow: directives do not belong in http-equiv: write name=robots",
	}
	var got []string
	for _, d := range doc.Directives {
		s := d.Source.String() + ": " + d.String()
		if d.Err != nil {
			s += ": " + d.Err.Error()
		}
		got = append(got, s)
	}
	if !slices.Equal(got, want) {
		t.Errorf("directives\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	d := doc.Directives[3]
	if d.Source.Offset != 8 || d.Source.Name != "Robots" || d.Source.Place != "meta" || !d.Known() ||
		doc.Directives[4].Known() {
		t.Errorf("source %+v of %v", d.Source, d)
	}
}

// TestTree compares the scanner with a parser that builds the whole tree, without scripts, on
// the pages of the corpus.
func TestTree(t *testing.T) {
	for _, p := range corpus.Pages(t, corpus.Cases(20, 5)) {
		doc := read(t, p.Data, page.Options{MaxLinks: 100000})
		text := p.Data
		if doc.Charset.Name != "utf-8" {
			text = []byte(decode(t, p.Data, doc.Charset.Name))
		}
		root, err := html.ParseWithOptions(bytes.NewReader(text), html.ParseOptionEnableScripting(false))
		fatal.If(t, err)
		var title string
		var metas, links []string
		for n := range root.Descendants() {
			attr := func(name string) string {
				for _, a := range n.Attr {
					if a.Key == name {
						return a.Val
					}
				}
				return ""
			}
			switch {
			case n.Type != html.ElementNode:
			case n.Data == "title" && n.Namespace == "" && title == "" && n.FirstChild != nil:
				title = strings.Join(strings.Fields(n.FirstChild.Data), " ")
			case n.Data == "meta" && equalFold(attr("name"), "robots"):
				metas = append(metas, attr("content"))
			case (n.Data == "a" || n.Data == "link" || n.Data == "area") && strings.TrimSpace(attr("href")) != "",
				(n.Data == "frame" || n.Data == "iframe") && strings.TrimSpace(attr("src")) != "":
				links = append(links, n.Data)
			}
		}
		var values []string
		for _, d := range doc.Directives {
			values = append(values, d.String())
		}
		if doc.Title != title {
			t.Errorf("%s: title %q, want %q", p.Name, doc.Title, title)
		}
		if got, want := strings.Join(values, ","), strings.ReplaceAll(lower(strings.Join(metas, ",")), " ",
			""); got != want {
			t.Errorf("%s: directives %s, want %s", p.Name, got, want)
		}
		var got []string
		for _, l := range doc.Links {
			if l.Element != "meta" {
				got = append(got, l.Element)
			}
		}
		if !slices.Equal(got, links) {
			t.Errorf("%s: %d links, want %d", p.Name, len(got), len(links))
		}
	}
}
