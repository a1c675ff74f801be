package sitemap_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/sitemap"
)

// document returns a sitemap with n entries, like those of most sites.
func document(n int) []byte {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		fmt.Fprintf(&b,
			"  <url>\n    <loc>https://www.example.com/products/category-%d/item-%d.html?color=red&amp;size=%d</loc>\n"+
				"    <lastmod>2026-%02d-%02dT12:30:%02d+01:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.8</priority>\n  </url>\n",
			i%97, i, i%7, 1+i%12, 1+i%28, i%60)
	}
	b.WriteString("</urlset>\n")
	return []byte(b.String())
}

// TestCost checks that reading allocates once an entry, for its URL, and little besides.
func TestCost(t *testing.T) {
	corpus.Unraced(t)
	count := func(data []byte) float64 {
		return testing.AllocsPerRun(5, func() {
			for _, err := range sitemap.Read(bytes.NewReader(data), sitemap.Options{}) {
				fatal.If(t, err)
			}
		})
	}
	const more = 1000
	few, many := count(document(100)), count(document(100+more))
	if got := (many - few) / more; got > 1.01 {
		t.Errorf("%.2f allocations an entry, want 1", got)
	}
	if got := few - 100; got > 40 {
		t.Errorf("%.0f allocations besides the entries, want at most 40", got)
	}
}

// BenchmarkRead reads the largest sitemap that the protocol allows, plain and compressed,
// and one in text; encoding/xml, for comparison, only finds its tokens.
func BenchmarkRead(b *testing.B) {
	const n = 50_000
	data := document(n)
	var lines bytes.Buffer
	for e := range sitemap.Read(bytes.NewReader(data), sitemap.Options{}) {
		lines.WriteString(e.URL + "\n")
	}
	run := func(name string, data []byte, size int) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				found := 0
				for _, err := range sitemap.Read(bytes.NewReader(data), sitemap.Options{}) {
					fatal.If(b, err)
					found++
				}
				if found != n {
					b.Fatal(found)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
	run("xml", data, len(data))
	run("gzip", []byte(zip(string(data))), len(data))
	run("text", lines.Bytes(), lines.Len())
	b.Run("encoding-xml", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			d := xml.NewDecoder(bytes.NewReader(data))
			for {
				if _, err := d.RawToken(); err != nil {
					break
				}
			}
		}
	})
}
