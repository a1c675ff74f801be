package ruleindex

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
)

// A Rule is a rule whose value is a part of the file. In an index it is plain: its pattern is only
// a stem, or a stem and one "*".
type Rule struct {
	At     uint32 // where in the text the pattern starts
	Line   uint32 // the number of its line, with flags in its highest bits
	Weight uint32 // see the function Weight
}

// The flags of Rule.Line.
const (
	Starred  = 1 << 31 // the stem is a byte shorter than the pattern
	headed   = 1 << 30 // not a rule, but the stem of the wilds from number Weight on
	lineMask = headed - 1
)

// MaxText is the maximum size of the text whose patterns an index can hold: 512 MiB. The normal
// form of a pattern has up to three times the bytes of its value, and in dialect Google a rule may
// have two patterns.
const MaxText = 1 << 29

// These do not compile if MaxText is too large for the types that count it.
const (
	_ = uint32(lineMask - MaxText)       // the number of a line
	_ = uint32(2 * 3 * MaxText)          // the place of a pattern in the own text of an index
	_ = uint32(3*MaxText)<<1 | uint32(1) // the weight of a pattern
)

// Weight returns one number that decides between rules in the dialects in which the longest wins:
// the length of the pattern in bytes, then Allow before Disallow.
func Weight(bytes int, allow bool) uint32 {
	w := uint32(bytes) << 1
	if allow {
		w |= 1
	}
	return w
}

// Bytes returns the length of the value.
func (p *Rule) Bytes() uint32 { return p.Weight >> 1 }

// Allow reports whether the rule allows.
func (p *Rule) Allow() bool { return p.Weight&1 != 0 }

// Number returns the number of the rule's line, without flags.
func (p *Rule) Number() uint32 { return p.Line & lineMask }

// stem returns the length of the stem.
func (p *Rule) stem() uint32 {
	if p.Line&Starred != 0 {
		return p.Weight>>1 - 1
	}
	return p.Weight >> 1
}

// stem returns the length of the stem of p, a rule or a head of wilds.
func (x *Index) stem(p *Rule) uint32 {
	switch {
	case p.Line&headed == 0:
		return p.stem()
	case x.table.net != nil:
		return x.table.net.nodes[p.Weight].symbol
	}
	return x.wilds[p.Weight].stem
}

// A wild is a rule whose pattern is more than a stem, or a plain rule that shares its stem with
// such a rule.
type wild struct {
	needs  byteclass.Set // the path must have bytes of these classes after the stem
	at     uint32        // where in the text the pattern starts
	stem   uint32        // bytes of the stem
	end    uint32        // bytes up to the end of the segments, which start after the stem and a "*"
	line   uint32        // the number of its line
	weight uint32        // of the rule
	above  uint32        // 1 + the first of the wilds of the next shorter stem of the path, or 0
	least  uint16        // the minimum bytes that the segments need, capped at the maximum of the type
	flags  wildFlags
}

type wildFlags uint8

const (
	wildStar     wildFlags = 1 << iota // there are segments
	wildAnchored                       // the path ends where the pattern does
	wildLast                           // the last of the wilds with this stem
)

// A Span is the place in the file of the value of a rule.
type Span struct{ At, Size uint32 }

// A Pattern is the path of a rule in normal form, taken apart. A path matches if it starts with the
// stem and the segments follow, each after the one before, with any bytes between them.
type Pattern struct {
	Text     string // the normal form; a run of "*" means the same as one "*"
	Stem     int    // bytes of Text before the first "*" that is special
	End      int    // bytes of Text up to the end of the last segment
	Wild     bool   // segments follow the stem and a "*"
	Anchored bool   // the path must end where the pattern does

	Bytes int // length of the normal form as written: the weight of the rule
}

// Segments returns the text after the stem and the first "*", with a "*" between two segments.
func (p *Pattern) Segments() string {
	if !p.Wild {
		return ""
	}
	return p.Text[p.Stem+1 : p.End]
}

// Matches reports whether path matches. It takes at most time linear in the path for each segment,
// and never backtracks.
func (p *Pattern) Matches(path string) bool {
	return strings.HasPrefix(path, p.Text[:p.Stem]) && follows(path[p.Stem:], p.Segments(), p.Wild, p.Anchored)
}

// follows reports whether rest, a path after the stem of a pattern, matches the rest of the
// pattern. If the pattern is anchored, its last segment must be at the end. For each other segment
// the leftmost place is as good as any, because the bytes between segments do not matter.
func follows(rest, segments string, wild, anchored bool) bool {
	if !wild {
		return !anchored || rest == ""
	}
	if anchored {
		i := strings.LastIndexByte(segments, '*')
		if last := segments[i+1:]; !strings.HasSuffix(rest, last) {
			return false
		} else if i < 0 {
			return true
		} else {
			rest, segments = rest[:len(rest)-len(last)], segments[:i]
		}
	}
	for {
		i := strings.IndexByte(segments, '*')
		if i < 0 {
			return strings.Contains(rest, segments)
		}
		at := strings.Index(rest, segments[:i])
		if at < 0 {
			return false
		}
		rest, segments = rest[at+i:], segments[i+1:]
	}
}
