package page_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// tokenize is the yardstick for reading: a loop that calls Next of package html's
// tokenizer until the end, and looks at nothing.
func tokenize(data []byte) (n int) {
	for z := html.NewTokenizer(bytes.NewReader(data)); z.Next() != html.ErrorToken; {
		n++
	}
	return n
}

func read(tb testing.TB, data []byte, o page.Options) *page.Doc {
	doc, err := page.Read(bytes.NewReader(data), o)
	fatal.If(tb, err)
	return doc
}

// sample is how many pages of the corpus there are for each one that is read.
const sample = 20

func BenchmarkCorpus(b *testing.B) {
	pages := corpus.Pages(b, sample)
	size := 0
	for _, p := range pages {
		size += len(p.Data)
	}
	run := func(name string, do func(data []byte)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range pages {
					do(p.Data)
				}
			}
			b.ReportMetric(float64(len(pages)), "pages")
		})
	}
	run("tokenize", func(data []byte) { tokenize(data) })
	run("read", func(data []byte) { read(b, data, page.Options{}) })
	run("read+links", func(data []byte) { read(b, data, page.Options{MaxLinks: 10000}) })
	run("read+links as written", func(data []byte) { read(b, data, page.Options{MaxLinks: 10000, AsWritten: true}) })
	run("head", func(data []byte) { read(b, data, page.Options{HeadOnly: true}) })
}

// linkPage returns a page of n links, of 10 KB for each 60.
func linkPage(n int) []byte {
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Page</title></head>\n<body>\n")
	for i := range n {
		fmt.Fprintf(&b, "<p>%s</p>\n<a class=\"link\" href=\"/page/%d\">page %d</a>\n",
			strings.Repeat("some words of text ", 6), i, i)
	}
	return b.Bytes()
}

// BenchmarkLinks reads a page of 10 KB with 60 links, as a crawler does.
func BenchmarkLinks(b *testing.B) {
	data := linkPage(60)
	base := mustURL(b, "https://example.com/page/7")
	run := func(name string, do func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				do()
			}
		})
	}
	run("tokenize", func() { tokenize(data) })
	run("read", func() { read(b, data, page.Options{URL: base}) })
	run("read+links", func() { read(b, data, page.Options{URL: base, MaxLinks: 10000}) })
	run("read+links as written", func() { read(b, data, page.Options{URL: base, MaxLinks: 10000, AsWritten: true}) })
}

// BenchmarkRatio does both with each page in turn, so that a noisy machine
// disturbs both alike, and reports how many times as long as tokenizing the
// reading of all pages takes.
func BenchmarkRatio(b *testing.B) {
	pages := corpus.Pages(b, sample)
	var bare, whole, head time.Duration
	for b.Loop() {
		for _, p := range pages {
			start := time.Now()
			tokenize(p.Data)
			bare += time.Since(start)
			start = time.Now()
			read(b, p.Data, page.Options{})
			whole += time.Since(start)
			start = time.Now()
			read(b, p.Data, page.Options{HeadOnly: true})
			head += time.Since(start)
		}
	}
	b.ReportMetric(float64(whole)/float64(bare), "read/tokenize")
	b.ReportMetric(float64(head)/float64(bare), "head/tokenize")
}
