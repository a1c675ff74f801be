package index_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	robotspage "github.com/robotsexclusion/robots/page"
)

func TestExtractLinks(t *testing.T) {
	long := strings.Repeat("a", 3000)
	for _, test := range []struct{ name, html, want string }{
		{"none", "<p>a", ""},
		{"some", `<p>see <a href="b.html">the <b>b</b>
page</a> or <a href=c>c</a>`, "b.html: the b page; c: c"},
		{"in a menu, which has no text", `<nav><ul><li><a href=/x>X<li><a href=/y>Y</nav>`, "/x: X; /y: Y"},
		{"a picture says it", `<a href=x><img alt="the shop" src=s></a>`, "x: the shop"},
		{"links do not nest", `<a href=x>x <a href=y>y</a> z</a>`, "x: x; y: y"},
		{"nothing ends it", `<a href=x>x`, "x: x"},
		{"no address", `<a name=here>x</a><a href>y</a><a href=" ">z</a>`, ""},
		{"not vouched for",
			`<a rel="noopener NoFollow" href=a>a</a><a rel=ugc href=b>b</a><a rel=sponsored href=c>c</a><a rel=author href=d>d</a>`, "d: d"},
		{"script within", `<a href=x>x<script>y</script>z</a>`, "x: xz"},
		{"in what is not shown",
			`<template><a href=x>x</a></template><noscript><a href=y>y</a></noscript><script><a href=z>z</a></script>`,
			""},
		{"an address too long", `<a href=` + long + `>x</a><a href=y>y</a>`, "y: y"},
		{"a text too long", `<a href=x>` + long + `</a>`, "x: " + long[:256]},
		{"not a link", `<area href=x alt=y><link href=z>`, ""},
	} {
		c := extract(test.html, index.Source{})
		var got []string
		for _, l := range c.Links {
			got = append(got, l.URL+": "+strings.Join(strings.Fields(l.Text), " "))
		}
		if got := strings.Join(got, "; "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	if n := len(extract(strings.Repeat("<a href=x>x</a>", 10_000), index.Source{}).Links); n != 2000 {
		t.Errorf("%d links", n)
	}
	// The memory for a page is bounded by the page, however long its addresses are.
	if c := extract(`<base href=/b/><base href=/c/><a href=x>x</a>`, index.Source{}); c.Base != "/b/" {
		t.Errorf("the base is %q", c.Base)
	}
}

// TestReadLinks resolves links, and leaves them out if the page says nofollow.
func TestReadLinks(t *testing.T) {
	made := func(text string) *index.Page {
		at := &url.URL{Scheme: "https", Host: "a.test", Path: "/dir/page.html"}
		p, _, err := index.Read(at.String(), []byte(text), robotspage.Options{URL: at}, index.Source{}, "ExampleBot")
		fatal.If(t, err)
		return p
	}
	p := made(`<link rel=canonical href=/page><a href="b.html#part">b</a><a href="//c.test/?q=1">c</a><a href="http://[">d</a>`)
	want := []index.Link{{URL: "https://a.test/dir/b.html", Text: "b"}, {URL: "https://c.test/?q=1", Text: "c"}}
	if !slices.Equal(p.Links, want) || p.Canonical != "https://a.test/page" {
		t.Errorf("got %+v and canonical %q, want %+v", p.Links, p.Canonical, want)
	}
	p = made(`<base href="https://d.test/x/"><meta name=robots content=nofollow><a href=b>b</a>`)
	if len(p.Links) != 0 {
		t.Errorf("a page that says nofollow has %+v", p.Links)
	}
	if p = made(`<link rel=canonical href=page.html><base href="https://d.test/x/"><a href=b>b</a>`); len(p.Links) != 1 || p.Links[0].URL != "https://d.test/x/b" {
		t.Errorf("against a base: %+v", p.Links)
	}
}

// inOrder returns the URLs of hits, the best first.
func inOrder(r *index.Results) (list []string) {
	for _, h := range r.Hits {
		list = append(list, h.URL)
	}
	return list
}

// TestPaging fetches the same hits in parts: none is missing or duplicated.
func TestPaging(t *testing.T) {
	x := newIndex(t)
	for i := range 450 {
		p := page(fmt.Sprintf("https://example.com/%d", i), strings.Repeat("zebra ", 1+i%7)+"and others")
		p.Links = []index.Link{{URL: fmt.Sprintf("https://example.com/%d", i*i%450), Text: "zebra"}}
		put(t, x, p)
		if i%100 == 0 {
			synced(t, x) // several segments
		}
	}
	synced(t, x)
	all := search(t, x, "zebra")
	var parts []string
	for from := 0; from < 460; from += 23 {
		r, err := x.Search(t.Context(), index.Query{Text: "zebra", From: from, Size: 23})
		fatal.If(t, err)
		if r.Total != 450 {
			t.Errorf("%d pages in all", r.Total)
		}
		parts = append(parts, inOrder(r)...)
	}
	for i, url := range inOrder(all) {
		if i >= len(parts) || parts[i] != url {
			t.Fatalf("hit %d is %s, and asked for in parts another, of %d", i, url, len(parts))
		}
	}
	if len(parts) != 450 {
		t.Errorf("%d pages in parts", len(parts))
	}
}
