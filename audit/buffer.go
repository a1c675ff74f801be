package audit

import (
	"cmp"
	"slices"
)

// A hitBuffer collects hits for many series. The zero hitBuffer is empty.
type hitBuffer struct {
	owners []*series
	round  uint32 // counts how often the buffer was emptied, from 1 on
	hits   []ownedHit
	// seconds has hits that have nothing but a second: the number of the owner, then the second.
	seconds []uint64
	sorted  []hit
	runs    []int // for flushSeconds, like byOwner
	byOwner []uint64
}

type ownedHit struct {
	owner int32
	hit
}

// maxBuffered is the maximum number of hits in a buffer, and of seconds.
const maxBuffered = 1 << 16

const (
	secondBits = 40
	secondMask = 1<<secondBits - 1
)

// add adds one hit to a series.
func (b *hitBuffer) add(s *series, h hit) {
	if len(b.hits) == maxBuffered {
		b.flush()
	}
	b.hits = append(b.hits, ownedHit{b.owner(s), h})
}

// addSecond adds a request without client and value to a series.
func (b *hitBuffer) addSecond(s *series, second int64) {
	if len(b.seconds) == maxBuffered {
		b.flush()
	}
	b.seconds = append(b.seconds, uint64(b.owner(s))<<secondBits|uint64(second+maxSecond))
}

// owner returns the number of a series in the buffer.
func (b *hitBuffer) owner(s *series) int32 {
	if b.round == 0 {
		b.round = 1
	}
	if s.round != b.round {
		s.round, s.owner = b.round, int32(len(b.owners))
		b.owners = append(b.owners, s)
	}
	return s.owner
}

// flush adds the hits to their series.
func (b *hitBuffer) flush() {
	slices.SortFunc(b.hits, func(g, h ownedHit) int {
		if c := cmp.Compare(g.owner, h.owner); c != 0 {
			return c
		}
		return compareHits(g.hit, h.hit)
	})
	for i := 0; i < len(b.hits); {
		owner := b.hits[i].owner
		b.sorted = b.sorted[:0]
		for ; i < len(b.hits) && b.hits[i].owner == owner; i++ {
			b.sorted = appendJoined(b.sorted, b.hits[i].hit)
		}
		b.owners[owner].add(b.sorted)
	}
	b.flushSeconds()
	b.hits, b.seconds = b.hits[:0], b.seconds[:0]
	clear(b.owners)
	b.owners = b.owners[:0]
	b.round++
}

// flushSeconds adds the hits that have nothing but a second to their series. It divides them by owner; those of
// an owner are mostly in order then, as in the log.
func (b *hitBuffer) flushSeconds() {
	b.runs = slices.Grow(b.runs[:0], len(b.owners)+1)[:len(b.owners)+1]
	clear(b.runs)
	for _, n := range b.seconds {
		b.runs[n>>secondBits+1]++
	}
	for i := range b.owners {
		b.runs[i+1] += b.runs[i]
	}
	b.byOwner = slices.Grow(b.byOwner[:0], len(b.seconds))[:len(b.seconds)]
	for _, n := range b.seconds {
		owner := n >> secondBits
		b.byOwner[b.runs[owner]] = n & secondMask
		b.runs[owner]++ // in the end where the run ends
	}
	begin := 0
	for i, owner := range b.owners {
		run := b.byOwner[begin:b.runs[i]]
		begin = b.runs[i]
		if !slices.IsSorted(run) {
			slices.Sort(run)
		}
		b.sorted = b.sorted[:0]
		for len(run) > 0 {
			n := 1
			for n < len(run) && run[n] == run[0] {
				n++
			}
			b.sorted = append(b.sorted, hit{second: int64(run[0]) - maxSecond, count: uint64(n)})
			run = run[n:]
		}
		owner.add(b.sorted)
	}
}

// appendJoined appends a hit, or adds its requests to the last one if they are alike.
func appendJoined(hits []hit, h hit) []hit {
	if n := len(hits); n > 0 && compareHits(hits[n-1], h) == 0 {
		hits[n-1].count += h.count
		return hits
	}
	return append(hits, h)
}
