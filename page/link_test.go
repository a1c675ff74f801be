package page_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/page"
)

func TestLinks(t *testing.T) {
	doc := read(t, []byte(`<title>t</title>
<a href="one">1</a>
<A HREF=' two?x=1&amp;y=2#z ' REL="Nofollow noopener">2</A>
<a name=x>no link</a><a href="">the page itself</a>
<base href="sub/"><base href="http://ignored.example/">
<area href="//other.example/3" rel=ugc>
<frame src=4><iframe src="5"><a href=not-one></iframe>
<link rel="alternate" href="6">
<meta http-equiv="Refresh" content="0; URL='/7'">
<meta http-equiv="refresh" content="30">
<a href="mailto:x@example.com">8</a><a href="http://[broken">9</a><a href="a
b" rel=sponsored>10</a>
<template><a href=in-template></a></template><!-- <a href=in-comment> -->
<noscript><a href="11"></a></noscript>`), page.Options{URL: mustURL(t, "https://example.com/dir/page"), MaxLinks: 100})
	want := `a 2 https://example.com/dir/sub/one: may be followed
a 3 https://example.com/dir/sub/two?x=1&y=2#z: may not be followed (line 3: rel=nofollow)
area 6 https://other.example/3: may not be followed (line 6: rel=ugc)
frame 7 https://example.com/dir/sub/4: may be followed
iframe 7 https://example.com/dir/sub/5: may be followed
link 8 https://example.com/dir/sub/6: may be followed
meta 9 https://example.com/7: may be followed
a 11 mailto:x@example.com: may be followed
a 11 http://[broken: may be followed
a 11 https://example.com/dir/sub/ab: may not be followed (line 11: rel=sponsored)
a 14 https://example.com/dir/sub/11: may be followed
`
	var b strings.Builder
	d := doc.For()
	for _, l := range doc.Links {
		fmt.Fprintf(&b, "%s %d %s: %v\n", l.Element, l.Source.Line, l.URL, d.Link(l))
	}
	if got := b.String(); got != want {
		t.Errorf("links\n%s\nwant\n%s", got, want)
	}
	if doc := read(t, []byte("<a href=x>"), page.Options{}); doc.Links != nil || doc.Cut != 0 {
		t.Errorf("links %v, cut %v, where none were wanted", doc.Links, doc.Cut)
	}
}

// TestLinkOfPage gives the page's own directive as the reason.
func TestLinkOfPage(t *testing.T) {
	doc := read(t, []byte("<meta name=robots content=none><a href=x rel=nofollow>"), page.Options{MaxLinks: 1})
	if got, want := doc.For().Link(doc.Links[0]).String(), "may not be followed (line 1: none)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	doc = read(t, []byte("<meta name=robots content=follow><a href=x>"), page.Options{MaxLinks: 1})
	if got, want := doc.For().Link(doc.Links[0]).String(), "may be followed (line 1: follow)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestBase finds the address that relative ones are relative to.
func TestBase(t *testing.T) {
	for _, test := range []struct{ url, html, want, link string }{
		{"https://example.com/dir/page?q#f", ``, "https://example.com/dir/page?q#f", "https://example.com/dir/x"},
		{"https://example.com/dir/page", `<base href="/sub/">`, "https://example.com/sub/",
			"https://example.com/sub/x"},
		{"https://example.com/dir/page", `<base href="sub/page">`, "https://example.com/dir/sub/page",
			"https://example.com/dir/sub/x"},
		{"https://example.com/dir/page", `<base href=" //other.example/a/b ">`, "https://other.example/a/b",
			"https://other.example/a/x"},
		{"https://example.com/dir/page", `<base target="_top"><base href=""><base href="/1/"><base href="/2/">`,
			"https://example.com/1/", "https://example.com/1/x"},
		{"https://example.com/dir/page", `<base href="http://[broken"><base href="/2/">`,
			"https://example.com/dir/page", "https://example.com/dir/x"},
		{"https://example.com/dir/page", `<template><base href="/1/"></template>`, "https://example.com/dir/page",
			"https://example.com/dir/x"},
		{"https://example.com/dir/page", `<meta charset="windows-1251"><base href="/` + "\xe0" + `/">`,
			"https://example.com/%D0%B0/", "https://example.com/%D0%B0/x"},
		{"", ``, "", "x"},
		{"", `<base href="sub/">`, "sub/", "/sub/x"},
		{"", `<base href="http://other.example/sub/">`, "http://other.example/sub/", "http://other.example/sub/x"},
		{"", `<base href="http://[broken">`, "", "x"},
	} {
		o := page.Options{MaxLinks: 10}
		if test.url != "" {
			o.URL = mustURL(t, test.url)
		}
		// A base element applies to links before it too.
		doc := read(t, []byte(`<a href="x"></a>`+test.html), o)
		if doc.Base != test.want || len(doc.Links) != 1 || doc.Links[0].URL != test.link {
			t.Errorf("%s of %q: base %q, links %v, want %q, %q", test.html, test.url, doc.Base, doc.Links, test.want,
				test.link)
		}
		o.AsWritten = true
		doc = read(t, []byte(`<a href="x"></a>`+test.html), o)
		if doc.Base != test.want || len(doc.Links) != 1 || doc.Links[0].URL != "x" {
			t.Errorf("%s of %q: base %q, links %v as written, want %q, x", test.html, test.url, doc.Base, doc.Links,
				test.want)
		}
	}
	if doc := read(t, nil, page.Options{URL: mustURL(t, "https://example.com/")}); doc.Base != "https://example.com/" {
		t.Errorf("base %q of an empty page", doc.Base)
	}
}

// TestLinkQueries encodes the queries of links as browsers do: in the encoding of the page
// (URL Standard, section 1.3, percent-encode after encoding). The second to fourth link of
// shift_jis and iso-2022-jp are the standard's own examples.
func TestLinkQueries(t *testing.T) {
	for _, test := range []struct{ charset, links, want string }{
		{"windows-1252", "?q=\xe9 /\xe9 /p?\xe9#\xe9 ?&#8253;", "/d?q=%E9 /%C3%A9 /p?%E9#%C3%A9 /d?%26%238253%3B"},
		{"latin1", "?q=\xe9&amp;r=%C3%A9 ?a'b&quot;c", "/d?q=%E9&r=%C3%A9 /d?a%27b%22c"},
		{"windows-1251", "?q=\xef\xf0 /\xef?\xf0", "/d?q=%EF%F0 /%D0%BF?%F0"},
		{"koi8-r", "?q=\xd0\xd2 mailto:x@example.com?subject=\xd0", "/d?q=%D0%D2 mailto:x@example.com?subject=п"},
		{"shift_jis", "?q=\x95\\ ?\x81\xdf ?&#8253;", "/d?q=%95\\ /d?%81%DF /d?%26%238253%3B"},
		{"iso-2022-jp", "?\x1b$BF|K\\\x1b(B ?&yen;", "/d?%1B$BF|K\\%1B(B /d?%1B(J\\%1B(B"},
		{"euc-kr", "?q=\xc7\xd1", "/d?q=%C7%D1"},
		{"gbk", "?q=\x80 ftp://example.com/?\x80", "/d?q=%80 ftp://example.com/?%80"},
		{"utf-8", "?q=\u00e9 ?q=\xff", "/d?q=%C3%A9 /d?q=%EF%BF%BD"},
		{"utf-16le", "?q=\u00e9", "/d?q=%C3%A9"}, // which a META tag cannot mean: the page is in UTF-8
	} {
		text := "<meta charset=" + test.charset + ">"
		for ref := range strings.SplitSeq(test.links, " ") {
			text += `<a href="` + ref + `">x</a>`
		}
		doc := read(t, []byte(text), page.Options{URL: mustURL(t, "https://example.com/d"), MaxLinks: 10})
		var got []string
		for _, l := range doc.Links {
			got = append(got, strings.TrimPrefix(l.URL, "https://example.com"))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: links\n%s, want\n%s", test.charset, strings.Join(got, " "), test.want)
		}
	}

	// The same holds for the canonical address, the base, and addresses relative to it. The
	// encoding may be declared after them, or by the header. A Link header is always UTF-8.
	header := http.Header{"Content-Type": {"text/html; charset=windows-1251"},
		"Link": {"</\u043f?\u043f>; rel=canonical"}}
	doc := read(t, []byte("<link rel=canonical href='?\xef'><a href='#f'>x</a><base href='/b?\xef'>"),
		page.Options{URL: mustURL(t, "https://example.com/d"), MaxLinks: 10, Header: header})
	got := []string{doc.Base}
	for _, c := range doc.Canonicals {
		got = append(got, c.URL)
	}
	for _, l := range doc.Links {
		got = append(got, l.URL)
	}
	want := []string{"https://example.com/b?%EF", "https://example.com/%D0%BF?%D0%BF", "https://example.com/b?%EF",
		"https://example.com/b?%EF", "https://example.com/b?%EF#f"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// Addresses that the caller resolves stay as written.
	doc = read(t, []byte("<meta charset=windows-1251><a href='?\xef'>x</a>"),
		page.Options{MaxLinks: 1, AsWritten: true})
	if u := doc.Links[0].URL; u != "?\u043f" {
		t.Errorf("as written: %s", u)
	}
}

// TestAsWritten keeps the addresses of links as written, but trims them, and resolves the
// canonical address.
func TestAsWritten(t *testing.T) {
	doc := read(t, []byte(`<base href="/sub/"><link rel="Canonical" href="c">
<a href=" one ">1</a><a href="../%7Etwo?x=1&amp;y=&eacute;&copy=3#z">2</a><a href="HTTP://EXAMPLE.com:80/3">3</a>
<a href="http://[broken">4</a><a href="a
	b">5</a><a href="">none</a><a href=" ">none</a><a href="?q">6</a><a href='#f' rel="A b">7</a><iframe src=8></iframe>
<meta http-equiv=refresh content="0; url= /9 ">`),
		page.Options{URL: mustURL(t, "https://example.com/dir/page"), MaxLinks: 100, AsWritten: true})
	want := []string{"c", "one", "../%7Etwo?x=1&y=\u00e9&copy=3#z", "HTTP://EXAMPLE.com:80/3", "http://[broken", "ab",
		"?q", "#f", "8", "/9"}
	var got []string
	for _, l := range doc.Links {
		got = append(got, l.URL)
	}
	if !slices.Equal(got, want) {
		t.Errorf("links as written\n%q, want\n%q", got, want)
	}
	if u, ok := doc.Canonical(); !ok || u != "https://example.com/sub/c" {
		t.Errorf("canonical %q, %t", u, ok)
	}
}

// TestLinkHeader reads RFC 8288, section 3.
func TestLinkHeader(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{`<https://a.example/>; rel=canonical`, "https://a.example/"},
		{`</x>;rel="Canonical"`, "https://example.com/x"},
		{`</x>; rel="next canonical"`, "https://example.com/x"},
		{`</x>; title="; rel=next, <y>; \" "; rel=canonical`, "https://example.com/x"},
		{`</a,b;c>; rel=canonical`, "https://example.com/a,b;c"},
		{`</x> ; rel = canonical , </y>; rel=canonical`, "https://example.com/x https://example.com/y"},
		{`garbage, </x>; rel=canonical`, "https://example.com/x"},
		{`</x>; rel=next; rel=canonical`, ""},
		{`</x>; rel=canonical; anchor="/other"`, ""},
		{`</x>; rel="canonical`, "https://example.com/x"},
		{`</x`, ""},
		{`<>; rel=canonical`, "https://example.com/p"},
		{`</x>; rel`, ""},
		{`</x>; =; ;rel=canonical`, "https://example.com/x"},
		{``, ""},
	} {
		doc := read(t, nil, page.Options{URL: mustURL(t, "https://example.com/p"),
			Header: http.Header{"Link": {test.value}}})
		var got []string
		for _, r := range doc.Canonicals {
			got = append(got, r.URL)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("Link: %s is %q, want %q", test.value, got, test.want)
		}
	}
}

// TestRefreshHeader: a Refresh header leads elsewhere as a META tag does, in any encoding
// of the page. A ping of a link does not: it is for browsers to send.
func TestRefreshHeader(t *testing.T) {
	for _, text := range []string{"<a href=/a ping=/ping>", "<title>\xff</title><a href=/a ping=/ping>"} {
		doc := read(t, []byte(text), page.Options{
			URL: mustURL(t, "https://example.com/dir/"), MaxLinks: 10,
			Header: http.Header{"Refresh": {"0; url=next", "5", `1;URL="/x"`}},
		})
		var got []string
		for _, l := range doc.Links {
			got = append(got, l.Element+" "+l.URL+" "+l.Source.String())
		}
		want := []string{"meta https://example.com/dir/next Refresh 1", "meta https://example.com/x Refresh 3",
			"a https://example.com/a line 1"}
		if !slices.Equal(got, want) {
			t.Errorf("links %q, want %q", got, want)
		}
		if d := doc.For(); !d.Link(doc.Links[0]).Follow {
			t.Errorf("%v may not be followed", doc.Links[0])
		}
	}
}

// TestStarInName: a star at the end of a name means the robot and its relatives.
func TestStarInName(t *testing.T) {
	header := http.Header{"X-Robots-Tag": {"googlebot*: noindex, follow"}}
	for _, doc := range []*page.Doc{
		read(t, nil, page.Options{Header: header}),
		read(t, []byte("<meta name='Googlebot*' content=noindex>"), page.Options{}),
	} {
		if doc.For("Googlebot").Index || doc.For("Googlebot-News", "Googlebot").Index || !doc.For("Bingbot").Index {
			t.Errorf("%v", doc.Directives)
		}
	}
}
