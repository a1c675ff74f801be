package pathset

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// An automaton reads a path, byte by byte, and tells whether a pattern matches
// it. A pattern with "*" needs no more than a chain of states: the leftmost place
// for a segment is as good as any later one, so there is nothing to try again.
//
// Its states are places in text. In the stem, all before the place was read; in
// a segment, what stands before the place is what the path ends with so far, as
// Knuth, Morris and Pratt search for a text. An automaton is immutable.
type automaton struct {
	text     string // the stem and the segments, one after the other
	stem     int32  // bytes of the stem
	wild     bool   // there are segments
	anchored bool
	starts   []int32 // where the segments start

	// fails has for each place from the stem on the one to try next if the
	// byte there is not the one that was read. ^n stands for no such place:
	// the byte is read, and place n, where the segment starts, is next.
	fails []int32
}

// A state is a place in the text of an automaton, or one of these.
type state = int32

const (
	dead state = -1 // no path that starts so matches
	all  state = -2 // every path that starts so matches
)

func newAutomaton(p robots.Pattern) *automaton {
	a := &automaton{text: p.Stem, stem: int32(len(p.Stem)), anchored: p.Anchored}
	var text strings.Builder // a pattern may have as many segments as bytes: concatenation would be quadratic
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

// addSegment adds a segment that starts at a place of the text, and its places to
// fails. It returns border for the next segment, whose memory it uses.
//
// From a place whose byte is not the one read, the next one to try is the
// longest other place in the segment that has the same before it, and another
// byte (the strong failure function): so a chain of them is short, of a length
// logarithmic in the segment.
func (a *automaton) addSegment(segment string, start int32, border []int32) []int32 {
	a.starts = append(a.starts, start)
	if len(a.fails) > 0 {
		a.fails = a.fails[:len(a.fails)-1] // that was the end of the text
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
	// After its end, an anchored pattern goes on as if it had not been there yet.
	a.fails = append(a.fails, start+border[len(segment)])
	return border
}

// start returns the state in which nothing was read.
func (a *automaton) start() state { return a.at(0) }

// at returns the state for a place that was reached.
func (a *automaton) at(place int32) state {
	if int(place) == len(a.text) && !a.anchored {
		return all
	}
	return place
}

// accepts reports whether a path matches that ends in state s.
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

// telling adds to set the bytes that lead from state s elsewhere than any byte
// which is not in set does.
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

// narrow adds to set the byte after which paths that match may go on from state
// s. It returns false if these are all.
func (a *automaton) narrow(s state, set *byteSet) bool {
	if s < 0 || a.wild && s >= a.stem {
		return false
	}
	if int(s) < len(a.text) {
		set.add(a.text[s])
	}
	return true
}

// within reports whether every path that goes on from state s and matches also
// does from state t, as far as that is seen at once: where t is in a later
// segment, or s has nothing of the one that both are in.
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

// matches reports whether the pattern matches a path.
func (a *automaton) matches(path string) bool {
	s := a.start()
	for i := 0; i < len(path) && s >= 0; i++ {
		s = a.step(s, path[i])
	}
	return a.accepts(s)
}
