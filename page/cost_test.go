package page_test

import (
	"runtime"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/page"
)

// TestCost limits the memory that reading allocates, for the average page of the corpus, to the
// size of the Doc, and to a fraction of the memory that the tokenizer of package html
// allocates.
func TestCost(t *testing.T) {
	corpus.Unraced(t)
	pages := corpus.Pages(t, sample)
	count := func(do func(data []byte)) (allocations, octets float64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, p := range pages {
			do(p.Data)
		}
		runtime.ReadMemStats(&after)
		n := float64(len(pages))
		return float64(after.Mallocs-before.Mallocs) / n, float64(after.TotalAlloc-before.TotalAlloc) / n
	}
	bareAllocations, bareOctets := count(func(data []byte) { tokenize(data) })
	allocations, octets := count(func(data []byte) { read(t, data, page.Options{}) })
	t.Logf("a page: %.0f allocations and %.0f octets; by package html alone %.0f and %.0f", allocations, octets,
		bareAllocations, bareOctets)
	if allocations > 40 {
		t.Errorf("%.0f allocations a page, want at most 40", allocations)
	}
	if octets > bareOctets/2 {
		t.Errorf("%.0f octets allocated a page, want at most half of %.0f", octets, bareOctets)
	}
}

// TestLinkCost: links cost no allocation each, but where addresses are resolved.
func TestLinkCost(t *testing.T) {
	corpus.Unraced(t)
	o := page.Options{URL: mustURL(t, "https://example.com/"), MaxLinks: 10000, AsWritten: true}
	few, many := linkPage(60), linkPage(600)
	if got := len(read(t, few, o).Links); got != 60 {
		t.Fatalf("%d links, want 60", got)
	}
	short := testing.AllocsPerRun(20, func() { read(t, few, o) })
	if got := testing.AllocsPerRun(20, func() { read(t, many, o) }); short > 30 || got > short+15 {
		t.Errorf("%.0f allocations for a page of 600 links, %.0f for one of 60", got, short)
	}
}

// TestHeadCost: a head costs the same whatever the length of the body.
func TestHeadCost(t *testing.T) {
	corpus.Unraced(t)
	page1 := []byte("<title>T</title><meta name=robots content=noindex><body>")
	long := append(page1, make([]byte, 10<<20)...)
	short := testing.AllocsPerRun(20, func() { read(t, page1, page.Options{HeadOnly: true}) })
	if got := testing.AllocsPerRun(20, func() { read(t, long, page.Options{HeadOnly: true}) }); got > short+5 {
		t.Errorf("%.0f allocations for the head of a long page, %.0f for that of a short one", got, short)
	}
}
