package page_test

import (
	"runtime"
	"testing"

	"github.com/robotsexclusion/robots/page"
)

// TestCost holds the memory that reading allocates to little more than what the
// tokenizer alone does, for the average page of the corpus.
func TestCost(t *testing.T) {
	pages := corpusPages(t, 10)
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
	t.Logf("a page: %.0f allocations and %.0f octets; by the tokenizer alone %.0f and %.0f", allocations, octets, bareAllocations, bareOctets)
	if allocations > 100+bareAllocations {
		t.Errorf("%.0f allocations a page, want at most 100 more than %.0f", allocations, bareAllocations)
	}
	if octets > 10000+bareOctets {
		t.Errorf("%.0f octets allocated a page, want at most 10000 more than %.0f", octets, bareOctets)
	}
}

// TestHeadCost: a head costs the same whatever the length of the body.
func TestHeadCost(t *testing.T) {
	page1 := []byte("<title>T</title><meta name=robots content=noindex><body>")
	long := append(page1, make([]byte, 10<<20)...)
	short := testing.AllocsPerRun(20, func() { read(t, page1, page.Options{HeadOnly: true}) })
	if got := testing.AllocsPerRun(20, func() { read(t, long, page.Options{HeadOnly: true}) }); got > short+5 {
		t.Errorf("%.0f allocations for the head of a long page, %.0f for that of a short one", got, short)
	}
}
