package feed_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// BenchmarkFeed indexes a crawl of pages with 10 KiB of HTML, of which 4 KiB are text.
func BenchmarkFeed(b *testing.B) {
	const pages = 1000
	f := newFake(b)
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.07, 4, 60_000-1)
	words := func(size int) string {
		var s strings.Builder
		for s.Len() < size {
			fmt.Fprintf(&s, "%s ", word(zipf.Uint64()))
		}
		return s.String()
	}
	for i := range pages {
		var s strings.Builder
		fmt.Fprintf(&s, "<!DOCTYPE html><html lang=en><head><title>%s</title></head><body><h1>%s</h1>\n", words(40),
			words(40))
		for n := range 60 {
			fmt.Fprintf(&s, "<p class=\"paragraph of-the-page\"><a href=\"/some/folder/page%d.html\">%s</a> %s</p>\n",
				i*60+n, words(12), words(50))
			s.WriteString("<div class=\"decoration\"><img src=\"/pictures/line.png\" width=1></div>\n")
		}
		f.tell(f.visited(u(i), "Content-Type: text/html; charset=utf-8\r\n", s.String()))
	}
	before, fed := child.CPU(), 0
	for b.Loop() {
		fatal.If(b, os.RemoveAll(filepath.Join(f.dir, "index")))
		fed += int(f.update(feed.Options{}).Indexed)
	}
	if want := b.N * pages; fed != want {
		b.Errorf("%d pages are indexed of %d", fed, want)
	}
	if used := (child.CPU() - before).Seconds(); used > 0 {
		b.ReportMetric(float64(fed)/used, "pages/cpu-s")
	}
	b.ReportMetric(float64(fed)/b.Elapsed().Seconds(), "pages/s")
}

// word returns one of many words.
func word(n uint64) string {
	syllables := strings.Fields("ro bot vi sit ser ver pa ge fi le po li te wa it craw ler se arch in dex lin ks ti me out al low dis re")
	var s strings.Builder
	for {
		s.WriteString(syllables[n%uint64(len(syllables))])
		if n /= uint64(len(syllables)); n == 0 {
			return s.String()
		}
	}
}
