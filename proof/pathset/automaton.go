package pathset

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// An automaton reads a path, byte by byte, and reports whether the path matches a pattern. A
// pattern with "*" needs only a chain of states: the leftmost match of a segment is as good as
// any later one, so the automaton never backtracks.
//
// The states are places in text. In the stem, the bytes before the place were read. In a
// segment, the bytes before the place are what the path read so far ends with, as in the
// algorithm of Knuth, Morris and Pratt. An automaton is immutable.
type automaton struct {
	text     string // the stem and the segments, concatenated
	stem     int32  // bytes of the stem
	wild     bool   // the pattern has segments
	anchored bool
	starts   []int32 // offsets of the segments in text

	// fails has, for each place after the stem, the next place to try if the byte there is not
	// the byte that was read. ^n means that there is no such place: the byte is consumed, and
	// the next place is n, where the segment starts.
	fails []int32
}

// A state is a place in the text of an automaton, or one of these constants.
type state = int32

const (
	dead state = -1 // no path with this beginning matches
	all  state = -2 // every path with this beginning matches
)

func newAutomaton(p robots.Pattern) *automaton {
	a := &automaton{text: p.Stem, stem: int32(len(p.Stem)), anchored: p.Anchored}
	// a Builder, because a pattern may have as many segments as bytes, and concatenation would be
	// quadratic
	var text strings.Builder
	var border []int32
	for segment := range p.Segments() {
		if !a.wild {
			a.wild = true
			text.WriteString(a.text)
		}
		border = a.addSegment(segment, int32(text.Len()), border)
		text.WriteString(segment)
	}
	if a.wild {
		a.text = text.String()
	}
	return a
}

// addSegment adds a segment that starts at a place of the text, and its places to fails. It
// returns border for the next segment, which reuses its memory.
//
// If the byte at a place is not the byte read, the next place to try is the longest other place
// in the segment with the same bytes before it and another byte (the strong failure function).
// So chains of failures are short: logarithmic in the length of the segment.
func (a *automaton) addSegment(segment string, start int32, border []int32) []int32 {
	a.starts = append(a.starts, start)
	if len(a.fails) > 0 {
		a.fails = a.fails[:len(a.fails)-1] // remove the place for the end of the text
	}
	// For each place, the longest text that the segment up to there both starts and ends with.
	border = slices.Grow(border[:0], len(segment)+1)[:len(segment)+1]
	border[0] = -1
	for i := range int32(len(segment)) {
		k := border[i]
		switch {
		case k < 0:
			a.fails = append(a.fails, ^start)
		case segment[k] == segment[i]:
			a.fails = append(a.fails, a.fails[start-a.stem+k])
		default:
			a.fails = append(a.fails, start+k)
		}
		for k >= 0 && segment[k] != segment[i] {
			k = border[k]
		}
		border[i+1] = k + 1
	}
	// After its end, an anchored pattern continues as if the end had not been reached.
	a.fails = append(a.fails, start+border[len(segment)])
	return border
}

// start returns the state before the first byte.
func (a *automaton) start() state { return a.at(0) }

// at returns the state for a place.
func (a *automaton) at(place int32) state {
	if int(place) == len(a.text) && !a.anchored {
		return all
	}
	return place
}

// accepts reports whether a path that ends in state s matches.
func (a *automaton) accepts(s state) bool { return s == all || int(s) == len(a.text) }

// step returns the state after byte c.
func (a *automaton) step(s state, c byte) state {
	switch {
	case s < 0:
		return s
	case s < a.stem || !a.wild:
		if int(s) < len(a.text) && a.text[s] == c {
			return a.at(s + 1)
		}
		return dead
	case int(s) == len(a.text):
		s = a.fails[s-a.stem]
	}
	for a.text[s] != c {
		if s = a.fails[s-a.stem]; s < 0 {
			return ^s
		}
	}
	return a.at(s + 1)
}

// telling adds to set the bytes that lead from state s to another state than the bytes outside
// of set.
func (a *automaton) telling(s state, set *byteSet) {
	switch {
	case s < 0:
		return
	case s < a.stem || !a.wild:
		if int(s) < len(a.text) {
			set.add(a.text[s])
		}
		return
	case int(s) == len(a.text):
		s = a.fails[s-a.stem]
	}
	for ; s >= 0; s = a.fails[s-a.stem] {
		set.add(a.text[s])
	}
}

// narrow adds to set the byte after which matching paths may continue from state s. It returns
// false if they may continue with any byte.
func (a *automaton) narrow(s state, set *byteSet) bool {
	if s < 0 || a.wild && s >= a.stem {
		return false
	}
	if int(s) < len(a.text) {
		set.add(a.text[s])
	}
	return true
}

// within reports whether every matching path from state s obviously also matches from state t:
// t is in a later segment, or s has read nothing of the segment that both are in.
func (a *automaton) within(s, t state) bool {
	if s == t {
		return true
	}
	if s < a.stem || t < a.stem {
		return false
	}
	i, starts := slices.BinarySearch(a.starts, s)
	if !starts {
		i--
	}
	j, exact := slices.BinarySearch(a.starts, t)
	if !exact {
		j--
	}
	return i < j || i == j && starts
}

// matches reports whether a path matches the pattern.
func (a *automaton) matches(path string) bool {
	s := a.start()
	for i := 0; i < len(path) && s >= 0; i++ {
		s = a.step(s, path[i])
	}
	return a.accepts(s)
}
