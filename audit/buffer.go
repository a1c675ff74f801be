package audit

import "slices"

// A hitBuffer collects hits for many series. The zero hitBuffer is empty.
type hitBuffer struct {
	owners []*series
	round  uint32 // counts how often the buffer was emptied, from 1 on
	hits   []ownedHit
	// seconds has hits that have nothing but a second: the number of the owner, then the second.
	seconds []uint64
	sorted  []hit
	runs    []int // by owner, where its hits begin or end; for flush, like those divided by owner
	byOwner struct {
		hits    []hit
		seconds []uint64
	}
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
	b.flushHits()
	b.flushSeconds()
	clear(b.owners)
	b.owners = b.owners[:0]
	b.round++
}

// flushHits adds the hits with a client or a value. It divides them by owner, and sorts those of
// each.
func (b *hitBuffer) flushHits() {
	b.divide(len(b.hits), func(i int) int32 { return b.hits[i].owner })
	byOwner := slices.Grow(b.byOwner.hits[:0], len(b.hits))[:len(b.hits)]
	for i := range b.hits {
		h := &b.hits[i]
		byOwner[b.runs[h.owner]] = h.hit
		b.runs[h.owner]++ // in the end where the run ends
	}
	begin := 0
	for i, owner := range b.owners {
		run := byOwner[begin:b.runs[i]]
		begin = b.runs[i]
		if !slices.IsSortedFunc(run, compareHits) {
			slices.SortFunc(run, compareHits)
		}
		b.sorted = b.sorted[:0]
		for _, h := range run {
			b.sorted = appendJoined(b.sorted, h)
		}
		owner.add(b.sorted)
	}
	b.hits, b.byOwner.hits = b.hits[:0], byOwner
}

// flushSeconds adds the hits that have nothing but a second. Those of an owner are mostly in order,
// as in the log.
func (b *hitBuffer) flushSeconds() {
	b.divide(len(b.seconds), func(i int) int32 { return int32(b.seconds[i] >> secondBits) })
	byOwner := slices.Grow(b.byOwner.seconds[:0], len(b.seconds))[:len(b.seconds)]
	for _, n := range b.seconds {
		owner := n >> secondBits
		byOwner[b.runs[owner]] = n & secondMask
		b.runs[owner]++ // in the end where the run ends
	}
	begin := 0
	for i, owner := range b.owners {
		run := byOwner[begin:b.runs[i]]
		begin = b.runs[i]
		if !slices.IsSorted(run) {
			slices.Sort(run)
		}
		b.sorted = b.sorted[:0]
		for _, second := range run {
			b.sorted = appendJoined(b.sorted, hit{second: int64(second) - maxSecond, count: 1})
		}
		owner.add(b.sorted)
	}
	b.seconds, b.byOwner.seconds = b.seconds[:0], byOwner
}

// divide makes runs where the hits of each owner begin if a number of hits is divided by owner.
func (b *hitBuffer) divide(hits int, owner func(i int) int32) {
	b.runs = slices.Grow(b.runs[:0], len(b.owners)+1)[:len(b.owners)+1]
	clear(b.runs)
	for i := range hits {
		b.runs[owner(i)+1]++
	}
	for i := range b.owners {
		b.runs[i+1] += b.runs[i]
	}
}

// appendJoined appends a hit, or adds its requests to the last one if they are alike.
func appendJoined(hits []hit, h hit) []hit {
	if n := len(hits); n > 0 && alike(&hits[n-1], &h) {
		hits[n-1].count += h.count
		return hits
	}
	return append(hits, h)
}
