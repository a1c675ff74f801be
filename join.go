package robots

import (
	"slices"

	"github.com/robotsexclusion/robots/internal/ruleindex"
)

// A joined has one index of several blocks, for a robot that has so many of them,
// or so many rules in them, that asking each in turn would be slow. It is immutable
// but for its index.
//
// Blocks are shared by all robots that they name, and joined ones are not: a policy
// keeps those of the robots that were asked for last, with at most a few times as
// many rules as the file has.
type joined struct {
	blocks []uint32
	rules  indexSlot
	size   int     // rules and blocks of this and of those after it
	next   *joined // what was made before
}

// More blocks than manyBlocks are joined, whatever is in them, and a policy keeps
// those that are joined while their rules are at most manyJoined times its own.
const (
	manyBlocks = 8
	manyJoined = 2
)

// join returns blocks joined, or nil if they need not be.
func (p *Policy) join(blocks []uint32) *joined {
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

// joinAll returns blocks with so many rules joined.
func (p *Policy) joinAll(blocks []uint32, size int) *joined {
	first := p.joined.Load()
	for j := first; j != nil; j = j.next {
		if slices.Equal(j.blocks, blocks) {
			return j
		}
	}
	j := &joined{blocks: blocks, size: size}
	j.rules.Store(p.newIndex(blocks, ruleindex.List, false))
	if most := manyJoined * (len(p.blocks) + len(p.found)); first != nil && first.size+size <= most {
		j.next, j.size = first, first.size+size
	}
	p.joined.CompareAndSwap(first, j)
	return j
}
