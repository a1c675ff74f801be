package robots

import (
	"slices"
	"sync/atomic"
)

// A growth makes a table of a list, some rules with each question, so that no
// question takes long because the table was made for it.
type growth struct {
	builder
	x *index // the index to be

	plains, wilds int // how many rules there are
	done          int // how many of the plain word.Ones are in the table
	most          int // the most markers that can be needed
	last          lastMarker
}

// stepRules is how many rules a question adds to a growing table.
const stepRules = 8 << 10

// newGrowth starts to make a table of x, which is a list with patterns that are
// parts of text.
func newGrowth(x *index, text string) *growth {
	g := &growth{x: &index{first: x.first}, plains: len(x.plain), wilds: len(x.wilds)}
	g.text = text
	g.plain = slices.Clone(x.plain)
	g.x.rough.Store(x.rough.Load())
	if x.own != nil {
		g.owns = true
		g.values = slices.Clone(x.own.values[:g.plains])
		g.wildValues = slices.Clone(x.own.values[g.plains:])
		g.x.own = &ownPatterns{text: x.own.text}
	}
	for i := range x.wilds {
		d := &x.wilds[i]
		g.builder.wilds = append(g.builder.wilds, wildDraft{
			at: d.at, stem: d.stem, end: d.end, line: d.line, weight: d.weight, flags: d.flags &^ wildLast,
		})
	}
	var markers int
	markers, g.most = g.builder.markers()
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
	g.finish(g.x, g.plains, asTable)
	return true
}

// again starts from the beginning, with room for as many markers as can be.
func (g *growth) again() {
	g.forget(g.plains, g.wilds)
	g.done, g.last = 0, lastMarker{}
	g.begin(g.x, g.most)
}

// quicken replaces x, the list that is at some place because it is asked often, by
// what answers faster, or goes on to make that. It returns what is there now.
func (p *Policy) quicken(at *atomic.Pointer[index], x *index) *index {
	if !x.quickening.CompareAndSwap(false, true) {
		return x // another question does it
	}
	defer x.quickening.Store(false)
	if now := at.Load(); now != x {
		return now
	}
	var quick *index
	if len(x.plain)+len(x.wilds) <= mostSifted {
		quick = &index{plain: x.plain, wilds: x.wilds, own: x.own, first: x.first}
		quick.rough.Store(x.rough.Load())
		quick.sieve = newSieve(quick, x.patterns(p.text))
	} else {
		if x.growth == nil {
			x.growth = newGrowth(x, x.patterns(p.text))
		}
		if !x.growth.step() {
			return x
		}
		quick = x.growth.x
	}
	if !at.CompareAndSwap(x, quick) {
		return at.Load() // x was rough, and has been replaced by what is not
	}
	return quick
}
