package ruleindex

import (
	"math/bits"
	"strings"
)

// A longSymbol has the hashes of the first and the last bytes of a symbol longer than maxHashed: as
// many bytes as the largest power of two below its length.
type longSymbol struct{ first, last uint64 }

// A placeIndex finds the places in a path of byte runs of one length, a power of two, by their
// hash.
type placeIndex struct {
	made   bool
	hashes []uint64    // at each place
	slots  []uint32    // a hash table: 1 + the number of a group
	groups []samePlace // of places with the same hash
	next   []uint32    // for each place 1 + the next one with the same hash, or 0
	sets   []uint64    // sets of places
}

// A samePlace is the group of places with one hash.
type samePlace struct {
	first uint32 // 1 + the first place
	count uint32
	set   uint32 // 1 + the index in sets of their set, or 0 if there is none yet
}

// placesOf returns the index of the places of 1<<k bytes.
func (r *netRun) placesOf(k int) *placeIndex {
	for len(r.long) <= k {
		r.long = append(r.long, placeIndex{})
	}
	x := &r.long[k]
	if x.made {
		return x
	}
	x.made = true
	x.hashes = r.block(k)
	n := len(x.hashes)
	x.slots = cleared(x.slots, 1<<bits.Len(uint(2*n)))
	x.next = cleared(x.next, n)
	x.groups, x.sets = x.groups[:0], x.sets[:0]
	for place := n - 1; place >= 0; place-- { // so that the first place is found first
		hash := x.hashes[place]
		slot := x.slot(hash)
		if x.slots[slot] == 0 {
			x.groups = append(x.groups, samePlace{})
			x.slots[slot] = uint32(len(x.groups))
		}
		g := &x.groups[x.slots[slot]-1]
		x.next[place] = g.first
		g.first = uint32(place) + 1
		g.count++
	}
	return x
}

// slot returns the slot of the group with a hash, or a free one.
func (x *placeIndex) slot(hash uint64) int {
	mask := len(x.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		if s := x.slots[i]; s == 0 || x.hashes[x.groups[s-1].first-1] == hash {
			return i
		}
	}
}

// group returns the places with a hash, or nil.
func (x *placeIndex) group(hash uint64) *samePlace {
	if s := x.slots[x.slot(hash)]; s != 0 {
		return &x.groups[s-1]
	}
	return nil
}

// makeSet makes the set of the places of g, unless it exists.
func (x *placeIndex) makeSet(g *samePlace) {
	if g.set != 0 {
		return
	}
	g.set = uint32(len(x.sets)) + 1
	for range x.words() {
		x.sets = append(x.sets, 0)
	}
	set := x.set(g)
	for place := g.first; place != 0; place = x.next[place-1] {
		set[(place-1)>>6] |= 1 << ((place - 1) & 63)
	}
}

// set returns the set of the places of g, which makeSet must have made.
func (x *placeIndex) set(g *samePlace) []uint64 { return x.sets[g.set-1:][:x.words()] }

// words returns the number of words of a set.
func (x *placeIndex) words() int { return (len(x.hashes) + 63) / 64 }

// waitLong makes an edge wait for a symbol longer than maxHashed from a place on: the edge arrives
// at the first end of the symbol.
func (r *netRun) waitLong(node, number, place uint32) {
	s := &r.symbols[number]
	size := s.size & sizeMask
	if int(place+size) > r.size {
		return
	}
	text := r.file[s.at : s.at+size]
	if s.size&atEnd != 0 {
		if r.path[len(r.path)-int(size):] == text {
			r.arrive(node, uint32(r.size))
		}
		return
	}
	start := r.findLong(&r.longs[s.empty], int(size), int(place))
	if start >= 0 && r.path[8+start:][:size] != text {
		// Other bytes have the same hash, which is all but impossible.
		if start = strings.Index(r.path[8+place:], text); start >= 0 {
			start += int(place)
		}
	}
	if start >= 0 {
		r.arrive(node, uint32(start)+size)
	}
}

// findLong returns the first place from one on where a symbol of a length starts, or -1. If its
// first or its last bytes occur at few places, it tries each of these places; otherwise it
// intersects the two sets of places, one step for 64 places.
func (r *netRun) findLong(s *longSymbol, size, from int) int {
	k := level(size)
	x := r.placesOf(k)
	first, last := x.group(s.first), x.group(s.last)
	if first == nil || last == nil {
		return -1
	}
	behind := size - 1<<k // from the first bytes to the last
	few := uint32(max(32, r.size/64))
	switch {
	case first.count <= few:
		for place := int(first.first) - 1; place >= 0; place = int(x.next[place]) - 1 {
			if place >= from && place+size <= r.size && x.hashes[place+behind] == s.last {
				return place
			}
		}
	case last.count <= few:
		for place := int(last.first) - 1; place >= 0; place = int(x.next[place]) - 1 {
			if start := place - behind; start >= from && x.hashes[start] == s.first {
				return start
			}
		}
	default:
		x.makeSet(first)
		x.makeSet(last)
		a, b := x.set(first), x.set(last)
		word, shift := behind>>6, uint(behind&63)
		for i := from >> 6; i+word < len(b); i++ {
			both := b[i+word] >> shift
			if i+word+1 < len(b) {
				both |= b[i+word+1] << (64 - shift)
			}
			both &= a[i]
			if i == from>>6 {
				both &= ^uint64(0) << (from & 63)
			}
			if both != 0 {
				return i<<6 + bits.TrailingZeros64(both)
			}
		}
	}
	return -1
}
