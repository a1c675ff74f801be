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
	slices.Sort(b.seconds)
	for i := 0; i < len(b.seconds); {
		owner := b.seconds[i] >> secondBits
		b.sorted = b.sorted[:0]
		for ; i < len(b.seconds) && b.seconds[i]>>secondBits == owner; i++ {
			b.sorted = appendJoined(b.sorted, hit{second: int64(b.seconds[i]&secondMask) - maxSecond, count: 1})
		}
		b.owners[owner].add(b.sorted)
	}
	b.hits, b.seconds = b.hits[:0], b.seconds[:0]
	clear(b.owners)
	b.owners = b.owners[:0]
	b.round++
}

// appendJoined appends a hit, or adds its requests to the last one if they are alike.
func appendJoined(hits []hit, h hit) []hit {
	if n := len(hits); n > 0 && compareHits(hits[n-1], h) == 0 {
		hits[n-1].count += h.count
		return hits
	}
	return append(hits, h)
}
