package robots

import (
	"sync/atomic"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/byteclass"
)

// ParseAtMost is Parse with another limit than 512 MiB, so that tests see what
// comes of longer texts.
func (d Dialect) ParseAtMost(data []byte, limit int) *Policy {
	return d.parse(unsafe.String(unsafe.SliceData(data), len(data)), limit)
}

// indexes does something with each index of g: where it is, and of which blocks.
func (g *Group) indexes(do func(at *atomic.Pointer[index], blocks []uint32)) {
	if g.joined != nil {
		do(&g.joined.rules, g.joined.blocks)
		return
	}
	for i, block := range g.blocks {
		g.policy.index(block)
		do(&g.policy.blocks[block].rules, g.blocks[i:i+1])
	}
}

// UseTables makes the indexes of g tables, which those of many rules become
// when they are asked about often, so that tests see them.
func (g *Group) UseTables() {
	g.indexes(func(at *atomic.Pointer[index], blocks []uint32) { at.Store(newIndex(g.policy, blocks, asTable, false)) })
}

// UseSieves makes those indexes of g that are short lists sieves, which they
// become when they are asked about often.
func (g *Group) UseSieves() {
	g.indexes(func(at *atomic.Pointer[index], blocks []uint32) {
		if x := at.Load(); x.table == nil && x.sieve == nil && len(x.plain)+len(x.wilds) <= mostSifted {
			g.policy.quicken(at, x)
		}
	})
}

// UseGrown makes lists in g tables as questions do.
func (g *Group) UseGrown() {
	g.indexes(func(at *atomic.Pointer[index], blocks []uint32) {
		x := newIndex(g.policy, blocks, asList, false)
		if x.table != nil {
			return
		}
		growth := newGrowth(x, x.patterns(g.policy.text))
		for !growth.step() {
		}
		at.Store(growth.x)
	})
}

// UseNets makes the indexes of g nets, which those of many wildcards are.
func (g *Group) UseNets() {
	g.indexes(func(at *atomic.Pointer[index], blocks []uint32) { at.Store(newIndex(g.policy, blocks, asNet, false)) })
}

// Join makes one index of all blocks of g, as there is if they are many.
func (g *Group) Join() {
	if len(g.blocks) > 1 {
		g.joined = g.policy.joinAll(g.blocks, 0)
	}
}

// MaybeNever and Never report whether a text has bytes that no URL has as they are:
// perhaps, and surely.
func MaybeNever(s string) bool { return maybeNever(s) }
func Never(s string) bool      { return byteclass.Of(s)&byteclass.Never != 0 }

// Bound returns how many steps a match of a path of so many bytes takes at most,
// whatever the path is: a step is a rule that is looked at, an edge that is followed,
// a byte that a segment is compared with, a place for which a hash is looked up, or
// 64 places of a set.
func (g *Group) Bound(octets int) (steps int) {
	g.indexes(func(at *atomic.Pointer[index], _ []uint32) {
		x := at.Load()
		if x.table == nil { // all plain rules are looked at, and then some become part of a table
			steps += len(x.plain) + min(len(x.plain), stepRules)
		}
		for i := range x.wilds {
			w := &x.wilds[i]
			steps += octets + int(w.end-w.stem)
		}
		if x.table == nil {
			return
		}
		steps += octets
		if n := x.table.net; n != nil {
			steps += len(n.nodes) + len(n.tails) + octets*(1+len(n.sizes)) + len(n.ends)
			for i := range n.nodes {
				if n.nodes[i].symbol&isLong != 0 {
					steps += max(32, octets/64)
				}
			}
			for _, symbol := range n.tails {
				if symbol&isLong != 0 {
					steps += max(32, octets/64)
				}
			}
		}
	})
	if g.joined == nil && len(g.blocks) > manyBlocks {
		return 1 << 30 // they would be asked one by one
	}
	return steps
}

// WithField does something while the table of fields has one more.
func WithField(f Field, do func()) {
	before := fields
	defer func() { fields = before }()
	fields = append(Fields(), f)
	do()
}
