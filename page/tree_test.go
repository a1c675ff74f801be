package page_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// fragmentsOf returns what pages with SVG and MathML are made of, and parts of tables. A
// number takes the place of #.
func fragmentsOf(tb testing.TB) (all, tables []string) {
	data, err := os.ReadFile("testdata/fragments.txt")
	fatal.If(tb, err)
	first, second, _ := strings.Cut(strings.ReplaceAll(string(data), `\n`, "\r"), "\n\n")
	return strings.Split(first, "\n"), strings.Split(strings.TrimSpace(second), "\n")
}

// treePage makes a page of n fragments.
func treePage(r *rand.Rand, n int, fragments, tables []string) string {
	var b strings.Builder
	for i := range n {
		all := fragments
		if tables != nil && r.IntN(4) == 0 {
			all = tables
		}
		b.WriteString(strings.ReplaceAll(all[r.IntN(len(all))], "#", fmt.Sprint(i)))
	}
	return b.String()
}

// slowTree returns what stands in the tree that package html builds of a page: the
// directives of robots tags and the addresses of links, each once.
func slowTree(data []byte) (found []string, err error) {
	root, err := html.ParseWithOptions(bytes.NewReader(data), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, err
	}
	add := func(kind, value string) {
		if s := kind + " " + value; value != "" && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && n.Namespace == "" && n.Data == "template" {
			return
		}
		attr := func(name string) string {
			for _, a := range n.Attr {
				key := a.Key
				if a.Namespace != "" {
					key = a.Namespace + ":" + key
				}
				if key == name {
					return a.Val
				}
			}
			return ""
		}
		switch {
		case n.Type != html.ElementNode:
		case n.Namespace == "svg" && n.Data == "a":
			if href := attr("href"); href != "" {
				add("a", href)
			} else {
				add("a", attr("xlink:href"))
			}
		case n.Namespace != "":
		case n.Data == "meta" && attr("name") == "robots":
			for _, d := range slowValue(attr("content"), "") {
				add("meta", d.name)
			}
		case n.Data == "a", n.Data == "area", n.Data == "link":
			add(n.Data, attr("href"))
		case n.Data == "iframe":
			add(n.Data, attr("src"))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	slices.Sort(found)
	return found, nil
}

// tree returns what slowTree returns, as package page reads it.
func tree(t *testing.T, data []byte) (found []string) {
	doc := read(t, data, page.Options{MaxLinks: 10000, AsWritten: true, MaxSize: -1,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}})
	for _, d := range doc.Directives {
		if equalFold(d.Source.Name, "robots") {
			found = append(found, "meta "+d.Name)
		}
	}
	for _, l := range doc.Links {
		if l.Element != "frame" && l.Element != "meta" {
			found = append(found, l.Element+" "+l.URL)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// cdataAtPoint matches the pages that may have a CDATA section at an integration point, which
// package html reads as text.
var cdataAtPoint = regexp.MustCompile(
	`(?is)<(desc|title|foreignobject|m[inos]|mtext|annotation-xml).*<!\[CDATA\[`)

// TestForeignTree compares the results for pages with SVG and MathML with the tree that package
// html builds.
func TestForeignTree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rounds, wrong, total := corpus.Cases(10_000, 20_000), 0, 0
	if testing.Short() {
		rounds = 4000
	}
	fragments, tables := fragmentsOf(t)
	// Package html differs from the standard where the end of a template is in SVG or MathML.
	// The module oracle compares these pages with parse5.
	fragments = slices.DeleteFunc(fragments, func(s string) bool { return strings.Contains(s, "template") })
	for i := range rounds {
		parts := tables
		if i%2 == 0 {
			parts = nil
		}
		text := treePage(r, 1+r.IntN(80), fragments, parts)
		if cdataAtPoint.MatchString(text) {
			continue // the module oracle compares these pages too
		}
		want, err := slowTree([]byte(text))
		fatal.If(t, err)
		total += len(want)
		if got := tree(t, []byte(text)); !slices.Equal(got, want) {
			if wrong++; wrong < 10 {
				t.Errorf("%q:\n got %q\nwant %q", text, got, want)
			}
		}
	}
	t.Logf("%d found", total)
	if wrong > 0 {
		t.Errorf("%d of %d pages are read otherwise", wrong, rounds)
	}
}

// foreignCases returns the pages of testdata/foreign.txt, and whether a robot may index
// them.
func foreignCases(tb testing.TB) (pages []string, index []bool) {
	data, err := os.ReadFile("testdata/foreign.txt")
	fatal.If(tb, err)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			verdict, text, ok := strings.Cut(line, " ")
			if !ok || verdict != "index" && verdict != "noindex" {
				tb.Fatalf("%q is not a verdict and a page", line)
			}
			pages, index = append(pages, text), append(index, verdict == "index")
		}
	}
	return pages, index
}

// TestForeign reads small pages with SVG, MathML and scripts.
func TestForeign(t *testing.T) {
	pages, index := foreignCases(t)
	for i, text := range pages {
		if got := read(t, []byte(text), page.Options{}).For().Index; got != index[i] {
			t.Errorf("%s: index %t, want %t", text, got, index[i])
		}
	}
	if len(pages) < 80 {
		t.Errorf("%d pages, want 80 at least", len(pages))
	}
}

// FuzzTree reads pages with SVG and MathML at once, byte by byte and in small pieces, and
// compares.
func FuzzTree(f *testing.F) {
	pages, _ := foreignCases(f)
	for _, text := range pages {
		f.Add([]byte(text))
	}
	fragments, tables := fragmentsOf(f)
	r := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		f.Add([]byte(treePage(r, 30, fragments, tables)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 16<<10 {
			return
		}
		doc := read(t, data, page.Options{MaxLinks: 1000})
		small, err := page.Read(iotest.OneByteReader(bytes.NewReader(data)), page.Options{MaxLinks: 1000})
		if err != nil || !reflect.DeepEqual(doc, small) {
			t.Errorf("byte by byte it is another page: %v\n%s\n%s", err, dump(small), dump(doc))
		}
		compareLimited(t, data, page.Options{MaxLinks: 1000}, doc)
	})
}
