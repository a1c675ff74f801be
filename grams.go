package robots

import "strings"

// What is many, and long, for matchMany.
const (
	manyTries  = 16
	manyOctets = 64
)

// A gramSet tells which four octets stand next to each other in a path, but
// for some that only have the same hash. Place 0 is always in it.
type gramSet [1 << 14 / 64]uint64

// gramPlace returns the place of four octets, which are a number as load makes
// it.
func gramPlace(v uint32) uint16 { return uint16(v * 0x9e3779b1 >> 18) }

func (g *gramSet) add(path string) {
	g[0] |= 1
	for i := 0; i+4 <= len(path); i++ {
		v := uint32(path[i]) | uint32(path[i+1])<<8 | uint32(path[i+2])<<16 | uint32(path[i+3])<<24
		k := gramPlace(v)
		g[k>>6] |= 1 << (k & 63)
	}
}

// has reports whether the path may have the grams of w.
func (g *gramSet) has(w *wild) bool {
	for _, k := range w.grams {
		if g[k>>6]&(1<<(k&63)) == 0 {
			return false
		}
	}
	return true
}

// gramsOf returns the places of the first and the last four octets of the
// longest of segments, or of nothing if that is shorter.
func gramsOf(segments string) (grams [2]uint16) {
	longest := ""
	for segment := range strings.SplitSeq(segments, "*") {
		if len(segment) > len(longest) {
			longest = segment
		}
	}
	if n := len(longest); n >= 4 {
		grams[0] = gramPlace(uint32(load(longest[:4], 0)))
		grams[1] = gramPlace(uint32(load(longest[n-4:], 0)))
	}
	return grams
}
