package ruleindex

import (
	"slices"
	"sync/atomic"
)

// A growth builds the table of a list, some rules with each question, so that no single question
// takes long.
type growth struct {
	Builder
	x *Index // the index being built

	plains, wilds int // total numbers of rules
	done          int // number of plain rules already in the table
	maxMarkers    int // the largest number of markers that can be needed
	last          lastMarker
}

// stepRules is the number of rules that a question adds to a growing table.
const stepRules = 8 << 10

// newGrowth starts a table of x, a list with patterns that are parts of text.
func newGrowth(x *Index, text string) *growth {
	g := &growth{x: &Index{first: x.first}, plains: len(x.plain), wilds: len(x.wilds)}
	g.text = text
	g.plain = slices.Clone(x.plain)
	g.x.rough.Store(x.rough.Load())
	if x.own != nil {
		g.apart = true
		g.values = slices.Clone(x.own.values[:g.plains])
		g.wildValues = slices.Clone(x.own.values[g.plains:])
		g.x.own = &ownPatterns{text: x.own.text}
	}
	g.Builder.wilds = slices.Clone(x.wilds)
	for i := range x.wilds {
		g.Builder.wilds[i].flags &^= wildLast
		g.stems.add(x.wilds[i].stem)
	}
	var markers int
	markers, g.maxMarkers = g.Builder.markers()
	g.begin(g.x, markers)
	return g
}

// step adds rules, and reports whether the index is finished.
func (g *growth) step() (finished bool) {
	to := min(g.done+stepRules, g.plains)
	if !g.addPlain(g.x, g.done, to, &g.last) {
		g.again()
		return false
	}
	if g.done = to; to < g.plains {
		return false
	}
	if !g.addWilds(g.x, &g.last) {
		g.again()
		return false
	}
	g.finish(g.x, g.plains, Table)
	return true
}

// again starts over, with room for the largest possible number of markers.
func (g *growth) again() {
	g.forget(g.plains, g.wilds)
	g.done, g.last = 0, lastMarker{}
	g.begin(g.x, g.maxMarkers)
}

// Grown returns the table that replaces x, a list, when it is asked often.
func (x *Index) Grown(file string) *Index {
	g := newGrowth(x, x.patterns(file))
	for !g.step() {
	}
	return g.x
}

// quicken replaces x, the list at the given pointer, which is asked often, by a faster form, or
// continues building that form. It returns the index that is at the pointer now.
func (x *Index) quicken(at *atomic.Pointer[Index], file string) *Index {
	if !x.quickening.CompareAndSwap(false, true) {
		return x // another question is building it
	}
	defer x.quickening.Store(false)
	if now := at.Load(); now != x {
		return now
	}
	var quick *Index
	if x.Len() <= MaxSieve {
		quick = x.Sieved(file)
	} else {
		if x.growth == nil {
			x.growth = newGrowth(x, x.patterns(file))
		}
		if !x.growth.step() {
			return x
		}
		quick = x.growth.x
	}
	if !at.CompareAndSwap(x, quick) {
		return at.Load() // x was rough, and has been replaced by a normalized index
	}
	return quick
}
