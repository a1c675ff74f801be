package robots

import (
	"unsafe"

	"github.com/robotsexclusion/robots/internal/ruleindex"
	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
)

// ParseAtMost is Parse with another limit than 512 MiB, so that tests can parse longer texts.
func (d Dialect) ParseAtMost(data []byte, limit int) *Policy {
	return d.parse(unsafe.String(unsafe.SliceData(data), len(data)), limit)
}

// indexes calls a function for each index of g, with the pointer to the index and its blocks.
func (g *Group) indexes(do func(slot *indexSlot, blocks []uint32)) {
	for i := range g.slots() {
		slot, blocks := g.slot(i)
		if slot.Load() == nil {
			g.policy.index(blocks[0])
		}
		do(slot, blocks)
	}
}

// UseTables turns the indexes of g into tables. Otherwise only indexes of many rules become tables,
// after many questions.
func (g *Group) UseTables() { g.use(ruleindex.Table) }

// UseNets turns the indexes of g into nets. Otherwise only indexes of many wildcards are nets.
func (g *Group) UseNets() { g.use(ruleindex.Net) }

func (g *Group) use(form ruleindex.Form) {
	g.indexes(func(slot *indexSlot, blocks []uint32) { slot.Store(g.policy.newIndex(blocks, form, false)) })
}

// UseSieves turns the indexes of g that are short lists into sieves, as many questions do.
func (g *Group) UseSieves() {
	g.indexes(func(slot *indexSlot, _ []uint32) {
		if x := slot.Load(); x.Form() == ruleindex.List && x.Len() <= ruleindex.MaxSieve {
			slot.Store(x.Sieved(g.policy.text))
		}
	})
}

// UseGrown turns lists in g into tables, step by step as questions do.
func (g *Group) UseGrown() {
	g.indexes(func(slot *indexSlot, blocks []uint32) {
		if x := g.policy.newIndex(blocks, ruleindex.List, false); x.Form() == ruleindex.List {
			slot.Store(x.Grown(g.policy.text))
		}
	})
}

// Join makes one index of all blocks of g, as for a group of many blocks.
func (g *Group) Join() {
	if len(g.blocks) > 1 {
		g.joined = g.policy.joinAll(g.blocks, 0)
	}
}

// MaybeNever reports whether a text may have bytes that a URL can only have percent-encoded, and
// Never whether it has such bytes.
func MaybeNever(s string) bool { return maybeNever(s, '#') }
func Never(s string) bool      { return byteclass.Of(s)&byteclass.Never != 0 }

// MayRewrite reports whether the normal form of a pattern may differ from s, and Rewritten whether
// it does in a dialect.
func MayRewrite(s string) bool           { return mayRewrite(s) }
func Rewritten(d Dialect, s string) bool { return d.spec().pattern.of(s) != s }

// Bound returns the maximum number of steps of a match of a path with the given number of bytes.
// See [ruleindex.Index.Steps].
func (g *Group) Bound(bytes int) (steps int) {
	if g.joined == nil && len(g.blocks) > manyBlocks {
		return 1 << 30 // each index would be tried in turn
	}
	g.indexes(func(slot *indexSlot, _ []uint32) { steps += slot.Load().Steps(bytes) })
	return steps
}

// WithField calls a function while the table of fields has one more field.
func WithField(f Field, do func()) {
	before := fields
	defer func() { fields = before }()
	fields = append(Fields(), f)
	do()
}
