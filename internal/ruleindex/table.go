package ruleindex

import (
	"math/bits"
	"math/rand/v2"

	"github.com/robotsexclusion/robots/internal/ruleindex/word"
)

// A table finds the stems that a path starts with.
type table struct {
	slots   []uint32 // the hash table
	markers []uint32 // for each marker the lengths after it, 1 in the lowest bit
	bloom   []uint64 // a bit for the hash of each stem, so that few others reach the slots
	short   uint16   // the lengths up to eight, 0 in the lowest bit
	shift   uint8    // bits of the number in a slot

	net *net // of the wilds on these stems, if they are many
}

// Lengths of stems up to short are in table.short, those up to stride more in the marker for the
// first short bytes, and so on.
const (
	short  = 8
	stride = 32
)

// seed makes the hashes of one process differ from those of the next, so that an attacker cannot
// write a file whose stems all collide.
var seed = rand.Uint64()

// mixers protect mix itself: a number equal to one of them makes the hash 0, regardless of the
// bytes before, so they must stay unknown.
var mixers = [2]uint64{rand.Uint64(), rand.Uint64()}

// mix returns a hash of two numbers.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^mixers[0], b^mixers[1])
	return high ^ low
}

// tail returns the hash of a stem. h is the hash of the bytes before the last one to eight; these
// are the lowest n bytes of v. For an empty stem n is 0.
func tail(h, v uint64, n int) uint64 {
	return mix(h+uint64(n), v&word.TailMasks[n])
}

// find returns 1 + the index of the plain rule of x that decides for path, or 0; and 1 + the index
// of the first wild with the longest stem that path starts with, or 0 if there is none. If x has a
// net, the nodes of all such stems arrive in r instead.
func (t *table) find(x *Index, text, path string, r *netRun) (best, head uint32) {
	v := word.Load(path, 0)
	for lens := uint(t.short); lens != 0; lens &= lens - 1 {
		n := bits.TrailingZeros(lens)
		if n > len(path) {
			break
		}
		if hash := tail(seed, v, n); t.maybe(hash) {
			best, head = t.probe(x, hash, text, path[:n], best, head, r)
		}
	}
	h := seed
	pos, base := 0, short
	for len(path) > base && len(t.markers) > 0 {
		for pos < base {
			h = mix(h, word.Load8(path[pos:]))
			pos += 8
		}
		lens, ok := t.marker(h)
		if !ok {
			break
		}
		for ; lens != 0; lens &= lens - 1 {
			n := base + 1 + bits.TrailingZeros32(lens)
			if n > len(path) {
				break
			}
			for n-pos > 8 {
				h = mix(h, word.Load8(path[pos:]))
				pos += 8
			}
			if hash := tail(h, word.Load(path, pos), n-pos); t.maybe(hash) {
				best, head = t.probe(x, hash, text, path[:n], best, head, r)
			}
		}
		base += stride
	}
	return best, head
}

// maybe reports whether a stem may have this hash.
func (t *table) maybe(hash uint64) bool {
	i := bloomBit(t.bloom, hash)
	return t.bloom[i>>6]&(1<<(i&63)) != 0
}

// A slot holds a number from 1 on, above it a bit that separates markers from stems, and above that
// bits of the hash. A free slot is 0.

// slot returns the first slot to look for a hash, and the bits that this slot has above the number.
func (t *table) slot(hash uint64, marker uint32) (i, tag uint32) {
	i = uint32(hash >> 32 * uint64(len(t.slots)) >> 32)
	return i, (uint32(hash)<<1 | marker) << t.shift
}

// probe looks up a stem by its hash, and returns best and head, or better ones.
func (t *table) probe(x *Index, hash uint64, text, stem string, best, head uint32, r *netRun) (uint32, uint32) {
	i, tag := t.slot(hash, 0)
	for mask := uint32(1)<<t.shift - 1; ; {
		s := t.slots[i]
		if s == 0 {
			return best, head
		}
		if s&^mask == tag {
			n := s & mask
			p := &x.plain[n-1]
			switch size := x.stem(p); {
			case int(size) != len(stem) || text[p.At:p.At+size] != stem:
			case p.Line&headed != 0 && r != nil:
				r.stem(p.Weight, size)
				return best, head
			case p.Line&headed != 0:
				return best, p.Weight + 1
			case best == 0 || x.beats(p, &x.plain[best-1]):
				return n, head
			default:
				return best, head
			}
		}
		if i++; int(i) == len(t.slots) {
			i = 0
		}
	}
}

// marker returns the lengths after the bytes that have this hash.
func (t *table) marker(hash uint64) (lens uint32, ok bool) {
	i, tag := t.slot(hash, 1)
	for mask := uint32(1)<<t.shift - 1; ; {
		s := t.slots[i]
		if s == 0 {
			return 0, false
		}
		if s&^mask == tag {
			return t.markers[s&mask-1], true
		}
		if i++; int(i) == len(t.slots) {
			i = 0
		}
	}
}
