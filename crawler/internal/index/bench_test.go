package index_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A writer makes pages of about 4 KiB of text, with words as frequent as in a language:
// the n-th word occurs 1/n times as often as the first.
type writer struct {
	zipf  *rand.Zipf
	words []string
}

func newWriter() *writer {
	w := &writer{zipf: rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.07, 4, 60_000-1)}
	syllables := strings.Fields("ro bot vi sit ser ver pa ge fi le po li te wa it craw ler se arch in dex lin ks ti me out al low dis re cord gro up pat tern ma tch")
	for i := range 60_000 {
		word := ""
		for n := i + 1; n > 0; n /= len(syllables) {
			word += syllables[n%len(syllables)]
		}
		w.words = append(w.words, word)
	}
	return w
}

func (w *writer) text(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(w.words[w.zipf.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

func (w *writer) page(i int) *index.Page {
	p := &index.Page{
		URL:         fmt.Sprintf("https://host%d.example/%d", i%100, i),
		Title:       w.text(40),
		Description: w.text(120),
		Language:    "en",
		Passages:    []index.Passage{{Construct: index.Heading1, Text: w.text(40)}},
	}
	for range 9 {
		p.Passages = append(p.Passages, index.Passage{Text: w.text(400)}, index.Passage{Construct: index.Strong,
			Text: w.text(20), Joined: true})
	}
	return p
}

// size returns the total size of the files in a folder.
func size(t testing.TB, dir string) (size int64) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		info, infoErr := e.Info()
		if err = cmp.Or(err, infoErr); err == nil {
			size += info.Size()
		}
	}
	fatal.If(t, err)
	return size
}

// BenchmarkPut puts pages with a sync every 500. Snapshots are links, which take no
// space.
func BenchmarkPut(b *testing.B) {
	w := newWriter()
	var pages []*index.Page
	for i := range 2000 {
		pages = append(pages, w.page(i))
	}
	dir := filepath.Join(b.TempDir(), "index")
	x := open(b, dir, index.Options{})
	n := 0
	before := child.CPU()
	for b.Loop() {
		p := *pages[n%len(pages)]
		p.URL = fmt.Sprintf("https://host%d.example/%d", n%100, n)
		put(b, x, &p)
		if n++; n%500 == 0 {
			synced(b, x)
		}
	}
	synced(b, x)
	b.ReportMetric(float64(n)/(child.CPU()-before).Seconds(), "pages/cpu-s")
	b.ReportMetric(float64(size(b, filepath.Join(dir, "store")))/float64(n), "B/page")
	_, most := child.Memory(os.Getpid())
	b.ReportMetric(float64(most)/1e6, "peak-MB")
}

// BenchmarkSearch searches an index of 20,000 pages.
func BenchmarkSearch(b *testing.B) {
	w := newWriter()
	x := newIndex(b)
	for i := range 20_000 {
		put(b, x, w.page(i))
	}
	synced(b, x)
	frequent, second, middle, rare := w.words[0], w.words[1], w.words[300], w.words[20_000]
	for _, q := range []struct{ name, text string }{
		{"rare", rare},
		{"middle", middle},
		{"frequent", frequent},
		{"two", frequent + " " + second},
		{"two-rare", frequent + " " + rare},
		{"five", strings.Join(w.words[:5], " ")},
		{"without", frequent + " -" + middle},
		{"phrase", `"` + w.words[20] + " " + w.words[30] + `"`},
		{"phrase-frequent", `"` + frequent + " " + second + `"`},
		{"site", frequent + " site:host7.example"},
		{"nothing", "zzzzz"},
	} {
		b.Run(q.name, func(b *testing.B) {
			var r *index.Results
			before := child.CPU()
			for b.Loop() {
				var err error
				if r, err = x.Search(context.Background(), index.Query{Text: q.text}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((child.CPU()-before).Microseconds())/float64(b.N), "cpu-us/op")
			b.ReportMetric(float64(r.Total), "pages")
		})
	}
}

// BenchmarkTogether searches 20,000 pages in three indexes, for BenchmarkSearch to compare.
func BenchmarkTogether(b *testing.B) {
	w := newWriter()
	list := []*index.Index{newIndex(b), newIndex(b), newIndex(b)}
	for i := range 20_000 {
		put(b, list[i%3], w.page(i))
	}
	var parts []index.Part
	for _, x := range list {
		synced(b, x)
		parts = append(parts, index.Part{Name: "part", Asked: x})
	}
	for _, q := range []struct{ name, text string }{
		{"rare", w.words[20_000]}, {"middle", w.words[300]}, {"frequent", w.words[0]},
	} {
		b.Run(q.name, func(b *testing.B) {
			before := child.CPU()
			for b.Loop() {
				if _, err := index.Together(context.Background(), parts, index.Query{Text: q.text}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((child.CPU()-before).Microseconds())/float64(b.N), "cpu-us/op")
		})
	}
}

// BenchmarkExtract extracts an HTML page of 10 KB with links.
func BenchmarkExtract(b *testing.B) {
	w := newWriter()
	var page strings.Builder
	page.WriteString("<html lang=en><head><title>" + w.text(40) + "</title><script>" +
		strings.Repeat("var x = 1; ", 50) + "</script></head><body><h1>" + w.text(40) + "</h1>")
	for i := 0; page.Len() < 10_000; i++ {
		fmt.Fprintf(&page, `<p class="text">%s<a href="/page/%d" title="x">%s</a> and <b>%s</b>`, w.text(100), i,
			w.text(10), w.text(10))
	}
	text := []byte(page.String())
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		index.Extract(text, index.Source{Charset: "utf-8"})
	}
}
