package robots

import (
	"slices"

	"github.com/robotsexclusion/robots/internal/ruleindex"
)

// A joinedBlocks is one index of several blocks, for a robot with so many blocks, or so many rules
// in them, that asking each block in turn would be slow. It is immutable except for its index.
//
// All robots that a block names share the block, but not its joinedBlocks: a policy keeps those
// of the robots asked for last, with at most a few times as many rules as the file has.
type joinedBlocks struct {
	blocks []uint32
	rules  indexSlot
	size   int           // rules and blocks of this value and of all after it
	next   *joinedBlocks // the one made before
}

// More than manyBlocks blocks are always joined. A policy keeps joined blocks while their rules are
// at most manyJoined times its own.
const (
	manyBlocks = 8
	manyJoined = 2
)

// join returns blocks joined, or nil if joining is not needed.
func (p *Policy) join(blocks []uint32) *joinedBlocks {
	if len(blocks) < 2 {
		return nil
	}
	size, odd := len(blocks), 0
	for _, block := range blocks {
		s, o := p.rulesBetween(block, block+1)
		size, odd = size+len(s)+len(o), odd+len(o)
	}
	if len(blocks) <= manyBlocks && size <= manyRules && odd <= ruleindex.ManyWilds {
		return nil
	}
	return p.joinAll(blocks, size)
}

// joinAll returns blocks joined; size is their number of rules.
func (p *Policy) joinAll(blocks []uint32, size int) *joinedBlocks {
	first := p.joined.Load()
	for j := first; j != nil; j = j.next {
		if slices.Equal(j.blocks, blocks) {
			return j
		}
	}
	j := &joinedBlocks{blocks: blocks, size: size}
	j.rules.Store(p.newIndex(blocks, ruleindex.List, false))
	if most := manyJoined * (len(p.blocks) + len(p.found)); first != nil && first.size+size <= most {
		j.next, j.size = first, first.size+size
	}
	p.joined.CompareAndSwap(first, j)
	return j
}
