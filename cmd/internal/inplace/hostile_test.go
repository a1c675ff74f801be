package inplace_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/cmd/internal/inplace"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// hostile have lines for which proofs, or the edit, would take long: line i of a file.
var hostile = map[string]func(i int) string{
	"a wildcard at the end": func(i int) string {
		return fmt.Sprintf("Disallow: /*%c*%c*%d$\n", 'a'+i%26, 'a'+i/26%26, i)
	},
	"both verdicts": func(i int) string { return fmt.Sprintf("Disallow: /*a*b*%d\nAllow: /*b*a*%[1]d$\n", i) },
	"many wildcards": func(i int) string {
		return "Disallow: /" + strings.Repeat("*a", i%50+1) + fmt.Sprint(i) + "\n"
	},
	"many groups": func(i int) string {
		return fmt.Sprintf("User-agent: r%d\nDisallow: /*a*%d$\nAllow: /*%d*a\n", i, i, i)
	},
	"one group of many robots": func(i int) string { return fmt.Sprintf("User-agent: r%d\n", i) },
	"many groups of one robot": func(i int) string {
		return fmt.Sprintf("User-agent: *\nUser-agent: GPTBot\nDisallow: /*%d*x\n", i)
	},
	"the same path": func(int) string { return "Allow: /a*$\nDisallow: /*a\n" },
	"nested paths": func(i int) string {
		return "Allow: /" + strings.Repeat("a/", i%200) + "*x\nDisallow: /" + strings.Repeat("a/", i%200) + "*y\n"
	},
	"robots of a large group, each with its own": func(i int) string {
		switch {
		case i < 1500:
			return fmt.Sprintf("User-agent: r%d\n", i)
		case i < 3000:
			return fmt.Sprintf("Disallow: /*%d\n", i)
		}
		return fmt.Sprintf("User-agent: r%d\nAllow: /%d\n", i-3000, i)
	},
}

// hostileText returns a text of some bytes with lines of two kinds by turns, for a group in which
// the site is closed, or open.
func hostileText(size int, closed bool, lines ...func(int) string) string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	if closed {
		b.WriteString("User-agent: GPTBot\nDisallow: /\n")
	}
	for i := 0; b.Len() < size; i++ {
		b.WriteString(lines[i%len(lines)](i))
	}
	return b.String()
}

// TestHostile closes and opens files that take as many steps as possible. Steps copy rules, so the
// bytes that are allocated count the work, on a slow machine as on a fast one: a step is about a
// hundred bytes, and ten million of them take a second.
func TestHostile(t *testing.T) {
	corpus.Unraced(t)
	all := subjects(t, "ai-train", "Google")
	sizes := []int{30 << 10}
	if corpus.Cases(0, 1) > 0 {
		sizes = []int{73 << 10, 400 << 10}
	}
	names := slices.Sorted(maps.Keys(hostile))
	worst, of := uint64(0), ""
	for i, name := range names {
		for _, other := range names[i:] {
			if other != name && len(sizes) == 1 {
				continue // pairs are many
			}
			for _, size := range sizes {
				for _, open := range []bool{false, true} {
					text := hostileText(size, open, hostile[name], hostile[other])
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					_, err := inplace.Do(text, inplace.Wish{Robots: all, Open: open}, language.English)
					runtime.ReadMemStats(&after)
					used := after.TotalAlloc - before.TotalAlloc
					if used > most {
						t.Errorf("%s, and %s, %d KB, open %t: %d MB: %v", name, other, size>>10, open, used>>20, err)
					}
					if used > worst {
						worst, of = used, fmt.Sprint(name, ", and ", other, ", ", size>>10, " KB: ", err)
					}
				}
			}
		}
	}
	t.Logf("at most %d MB: %s", worst>>20, of)
}

// most is the number of bytes that a wish about a hostile file may allocate.
const most = 700 << 20
