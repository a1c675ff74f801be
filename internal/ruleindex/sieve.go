package ruleindex

import (
	"math/bits"
	"slices"

	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/ruleindex/word"
)

// A sieve finds which of up to 64 rules decides for a path. A column has, for each value of the
// byte at one place of the path, a bit for each rule that may match: only rules that pass all
// columns are looked at, and these are few.
type sieve struct {
	columns [len(sieved)][32]uint64
	rules   []sieveRule // those that would win first
}

// sieved are the places of the bytes that the columns test. Byte 0 is "/" in all rules; names that
// start alike, such as /wp-admin/ and /wp-content/, differ a little later.
var sieved = [...]int{1, 2, 4}

// A sieveRule is a rule in a sieve: the fields that reject most paths, and the number of the plain
// rule or the wild with the rest.
type sieveRule struct {
	needs  byteclass.Set
	start  uint64 // up to eight bytes that the stem starts with
	at     uint32 // the place in the text of the stem
	stem   uint32 // bytes of the stem
	number uint32
}

// MaxSieve is the maximum number of rules in a sieve.
const MaxSieve = 64

// Len returns the number of rules in a list.
func (x *Index) Len() int { return len(x.plain) + len(x.wilds) }

// Sieved returns the sieve that replaces x, a list of up to MaxSieve rules, when it is asked often.
func (x *Index) Sieved(file string) *Index {
	quick := &Index{plain: x.plain, wilds: x.wilds, own: x.own, first: x.first}
	quick.rough.Store(x.rough.Load())
	quick.sieve = newSieve(quick, x.patterns(file))
	return quick
}

// newSieve makes the sieve of x, a list of up to MaxSieve rules.
func newSieve(x *Index, text string) *sieve {
	s := &sieve{rules: make([]sieveRule, 0, len(x.plain)+len(x.wilds))}
	add := func(needs byteclass.Set, at, stem uint32) {
		start := word.Load(text[at:at+min(stem, 8)], 0)
		s.rules = append(s.rules, sieveRule{needs, start, at, stem, uint32(len(s.rules))})
	}
	for i := range x.plain {
		add(0, x.plain[i].At, x.plain[i].stem())
	}
	for i := range x.wilds {
		add(x.wilds[i].needs, x.wilds[i].at, x.wilds[i].stem)
	}
	slices.SortStableFunc(s.rules, func(a, b sieveRule) int {
		return x.precedence(x.decision(a.number),
			x.decision(b.number))
	})
	for i := range s.rules {
		r := &s.rules[i]
		for c, place := range sieved {
			if place < int(r.stem) {
				s.columns[c][text[int(r.at)+place]&31] |= 1 << i
				continue
			}
			for k := range s.columns[c] {
				s.columns[c][k] |= 1 << i
			}
		}
	}
	return s
}

// find returns the rule of x that decides for path, which has bytes of the classes in has.
func (s *sieve) find(x *Index, text, path string, has byteclass.Set) (found Decision, ok bool) {
	var v uint64
	if len(path) >= 8 {
		v = word.Load8(path)
	} else {
		v = word.Load(path, 0) // padded with zeros, which pass rules with stems as short
	}
	left := s.columns[0][v>>(8*1)&31] & s.columns[1][v>>(8*2)&31] & s.columns[2][v>>(8*4)&31]
	for ; left != 0; left &= left - 1 {
		r := &s.rules[bits.TrailingZeros64(left)]
		n := int(r.stem)
		if r.needs&^has != 0 || (v^r.start)&word.TailMasks[min(n, 8)] != 0 || n > len(path) {
			continue
		}
		if n > 8 && path[8:n] != text[r.at+8:int(r.at)+n] {
			continue
		}
		if i := int(r.number) - len(x.plain); i >= 0 {
			if w := &x.wilds[i]; len(path) < n+int(w.least) || !w.follows(text, path) {
				continue
			}
		}
		return x.decision(r.number), true
	}
	return Decision{}, false
}
