package robots_test

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/corpus"
)

// TestMatchAllocates checks that Match allocates nothing for a URL in normal form or a short one, and at most once
// for others.
func TestMatchAllocates(t *testing.T) {
	corpus.Unraced(t)
	for _, test := range []struct {
		url  string
		want float64
	}{
		{"/products/shoes?page=2", 0},
		{"https://shop.example/search?q=a+b&sort=price#top", 0},
		{"https://shop.example", 0},
		{"/caf\u00e9/%7ejoe*$", 0},
		{"https://shop.example?q=\u00e9", 0},
		{"?q=*", 0},
		{"/" + strings.Repeat("\u00e9", 100), 1},
	} {
		for name, data := range map[string][]byte{"typical": typical, "literals": literals(1000)} {
			for _, d := range robots.Dialects() {
				group := d.Parse(data).For("FooBot")
				group.Match("/")
				if got := testing.AllocsPerRun(100, func() { group.Match(test.url) }); got > test.want {
					t.Errorf("%v, %s: Match(%q) makes %v allocations, want at most %v", d, name, test.url, got, test.want)
				}
			}
		}
	}
}

// TestHostileMatchAllocates checks the same for a path in which many patterns are searched for.
func TestHostileMatchAllocates(t *testing.T) {
	corpus.Unraced(t)
	for _, h := range hostile() {
		group := robots.Parse([]byte(h.text)).For("FooBot")
		for _, url := range h.urls {
			if got := testing.AllocsPerRun(3, func() { group.Match(url) }); got > 0 {
				t.Errorf("%s: Match(%.50q...) makes %v allocations", h.name, url, got)
			}
		}
	}
}

// TestCorpusCost limits the cost of the average file of the corpus: the allocations until the first
// answer for one agent, and the memory kept beside the text.
func TestCorpusCost(t *testing.T) {
	corpus.Unraced(t)
	files := corpus.Files(t, "protego-sites")
	policies := make([]*robots.Policy, len(files))
	groups := make([]*robots.Group, len(files))
	before := memory()
	for i, f := range files {
		policies[i] = robots.Parse(f.Data)
		groups[i] = policies[i].For("FooBot")
	}
	after := memory()
	n := float64(len(files))
	allocations := float64(after.Mallocs-before.Mallocs) / n
	kept := float64(after.HeapAlloc-before.HeapAlloc) / n
	t.Logf("%d files: %.2f allocations and %.0f bytes kept a file", len(files), allocations, kept)
	if allocations > 8 {
		t.Errorf("%.2f allocations a file, want at most 8", allocations)
	}
	if kept > 1536 {
		t.Errorf("%.0f bytes kept a file, want at most 1536", kept)
	}
	runtime.KeepAlive(policies)
	runtime.KeepAlive(groups)
}

func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.GC() // frees what pools kept through the first collection
	runtime.ReadMemStats(&m)
	return m
}

// TestManyAgents checks that memory and time stay proportional to the size of the file if ten
// thousand agents share ten thousand rules.
func TestManyAgents(t *testing.T) {
	const n = 10000
	text := manyAgents(n)
	policy := robots.Parse([]byte(text))
	groups := make([]*robots.Group, n)
	before := memory()
	for i := range groups {
		groups[i] = policy.For(agentName(i))
		if !groups[i].Allowed("/") || groups[i].Allowed("/x7/y") {
			t.Fatalf("agent %d has other rules than the file says", i)
		}
	}
	after := memory()
	if kept := int(after.HeapAlloc - before.HeapAlloc); kept > 10*len(text) {
		t.Errorf("the groups of %d agents keep %d bytes, the file has %d", n, kept, len(text))
	}
	runtime.KeepAlive(groups)
}

// TestCorpusTime measures the processor time of reading the corpus and answering one question for
// each file. oracle/google/compare runs the test in turn with Google's parser, and sets the number of
// passes in ROBOTS_COST_PASSES. Without that variable the test is skipped.
func TestCorpusTime(t *testing.T) {
	passes, err := strconv.Atoi(os.Getenv("ROBOTS_COST_PASSES"))
	if err != nil || passes < 1 {
		t.Skip("oracle/google/compare runs this test")
	}
	files := corpus.Files(t, "protego-sites")
	times := make([]time.Duration, passes)
	allowed := 0
	for i := range times {
		start := cpuTime()
		for _, f := range files {
			if robots.Parse(f.Data).For("FooBot").Allowed("https://example.com/some/path/page.html?x=1") {
				allowed++
			}
		}
		times[i] = cpuTime() - start
	}
	slices.Sort(times)
	t.Logf("robots: best %.2f ms, median %.2f ms, %d files, %d of %d answers are yes",
		1e3*times[0].Seconds(), 1e3*times[passes/2].Seconds(), len(files), allowed, passes*len(files))
}
