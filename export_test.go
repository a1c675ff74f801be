package robots

import (
	"unsafe"

	"github.com/robotsexclusion/robots/internal/byteclass"
	"github.com/robotsexclusion/robots/internal/ruleindex"
)

// ParseAtMost is Parse with another limit than 512 MiB, so that tests see what
// comes of longer texts.
func (d Dialect) ParseAtMost(data []byte, limit int) *Policy {
	return d.parse(unsafe.String(unsafe.SliceData(data), len(data)), limit)
}

// indexes does something with each index of g: where it is, and of which blocks.
func (g *Group) indexes(do func(slot *indexSlot, blocks []uint32)) {
	for i := range g.slots() {
		slot, blocks := g.slot(i)
		if slot.Load() == nil {
			g.policy.index(blocks[0])
		}
		do(slot, blocks)
	}
}

// UseTables makes the indexes of g tables, which those of many rules become
// when they are asked about often, so that tests see them.
func (g *Group) UseTables() { g.use(ruleindex.Table) }

// UseNets makes the indexes of g nets, which those of many wildcards are.
func (g *Group) UseNets() { g.use(ruleindex.Net) }

func (g *Group) use(form ruleindex.Form) {
	g.indexes(func(slot *indexSlot, blocks []uint32) { slot.Store(g.policy.newIndex(blocks, form, false)) })
}

// UseSieves makes those indexes of g that are short lists sieves, which they
// become when they are asked about often.
func (g *Group) UseSieves() {
	g.indexes(func(slot *indexSlot, _ []uint32) {
		if x := slot.Load(); x.Form() == ruleindex.List && x.Len() <= ruleindex.MaxSieve {
			slot.Store(x.Sieved(g.policy.text))
		}
	})
}

// UseGrown makes lists in g tables as questions do.
func (g *Group) UseGrown() {
	g.indexes(func(slot *indexSlot, blocks []uint32) {
		if x := g.policy.newIndex(blocks, ruleindex.List, false); x.Form() == ruleindex.List {
			slot.Store(x.Grown(g.policy.text))
		}
	})
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
// whatever the path is. See [ruleindex.Index.Steps].
func (g *Group) Bound(bytes int) (steps int) {
	if g.joined == nil && len(g.blocks) > manyBlocks {
		return 1 << 30 // they would be asked one by one
	}
	g.indexes(func(slot *indexSlot, _ []uint32) { steps += slot.Load().Steps(bytes) })
	return steps
}

// WithField does something while the table of fields has one more.
func WithField(f Field, do func()) {
	before := fields
	defer func() { fields = before }()
	fields = append(Fields(), f)
	do()
}
