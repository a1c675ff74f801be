// Package ruleindex finds the rule of a group that decides for a path, without trying each rule in
// turn.
//
// Its input is patterns in normal form, each with its line and its weight, and paths in the form in
// which they are compared with patterns. The root package of this module reads robots.txt, defines
// the normal form, and chooses the groups for a robot.
//
// The stem of a pattern is the part before its first wildcard. A path can match only patterns whose
// stems it starts with. Most patterns are only a stem: they are plain, and match where the stem
// does. The others, the wilds, are tried where their stem was found, the heaviest first, and only
// while they could still win.
//
// At first rules are a list, and the index looks at each. A list costs nothing to make, and many
// robots ask only one question.
//
// A list of no more than 64 rules that is asked often becomes a sieve: the sieve leaves few rules
// to try, and the first of them that matches wins.
//
// More rules become a hash table of their stems. The index looks up the prefixes of the path, but
// only those of lengths that stems have. A marker for the first eight bytes, and for each further
// thirty-two, says which lengths follow it, so that the search ends soon for a path that shares no
// more with the stems. The table needs neither sorting nor nodes, so making it costs little more
// than reading the rules.
//
// Many wilds become a net from the start. A net finds the deciding rule in one pass over the path.
// Its stems are in a table too.
package ruleindex

import (
	"cmp"
	"sync/atomic"

	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
)

// An Index returns the rule of one group that decides for a path. It is safe for concurrent use. An
// index in an [atomic.Pointer] that is asked often replaces itself there; see [Index.Match].
//
// An index does not keep the text of the file: its methods take the text as file, which must be the
// same each time.
type Index struct {
	plain []Rule
	wilds []wild

	sieve *sieve // of all rules, for a short list that is asked often
	table *table // of the stems, if there are many; it has a net of the wilds if these are many

	own *ownPatterns // if some patterns are not parts of the file

	first bool // the first rule of the file wins, not the heaviest

	rough atomic.Bool // see the method Rough

	asks atomic.Int32 // questions answered by a list of more than few rules

	quickening atomic.Bool // a question is building a faster form of the list
	growth     *growth     // the unfinished faster form, if building it takes several questions
}

// ownPatterns are the normal forms of patterns, and the places in the file of the values of their
// rules: first of plain, then of wilds.
type ownPatterns struct {
	text   string
	values []Span
}

// patterns returns the text that contains the patterns: the file, or the text that x owns.
func (x *Index) patterns(file string) string {
	if x.own != nil {
		return x.own.text
	}
	return file
}

// Up to askedOften questions, a list of more than few rules is faster than making a sieve or a
// table first. With more wilds than ManyWilds, or more bytes in their segments than manySegments,
// an index has a net from the start.
const (
	few          = 8
	askedOften   = 16
	ManyWilds    = 256
	manySegments = 16 << 10
)

// A Form is the data structure in which an index keeps its rules.
type Form uint8

// The forms in which a [Builder] makes an index.
const (
	List  Form = iota // a list, or a net if a list would be slow because of many wilds
	Table             // a table, or a net
	Net               // a net, if there is a wild at all
)

// ListOf returns a list of rules that are plain and in normal form. It shares the memory of rules.
// If first is set, the first matching rule decides, otherwise the heaviest.
func ListOf(rules []Rule, first bool) *Index { return &Index{plain: rules, first: first} }

// Form returns the form of x. The form of a sieve is List.
func (x *Index) Form() Form {
	switch {
	case x.table == nil:
		return List
	case x.table.net != nil:
		return Net
	}
	return Table
}

// Rough reports whether the caller has marked x: some patterns may not be in normal form yet. They
// fail to match some paths with a "%" that they should match. The replacement of x is marked too.
func (x *Index) Rough() bool { return x.rough.Load() }

// SetRough sets or clears the mark.
func (x *Index) SetRough(rough bool) { x.rough.Store(rough) }

// Match returns the rule that decides for a path with bytes of the classes in has, and the index
// that knows the rule: x, or the replacement of x.
//
// A list that is asked often replaces itself at the given pointer by a faster form. If building
// that form takes long, each question does a part of it.
func (x *Index) Match(at *atomic.Pointer[Index], file, path string, has byteclass.Set) (found Decision, by *Index,
	ok bool) {
	if x.sieve == nil && x.table == nil && len(x.plain)+len(x.wilds) > few && x.asks.Add(1) >= askedOften {
		x = x.quicken(at, file)
	}
	if x.sieve != nil {
		found, ok = x.sieve.find(x, x.patterns(file), path, has)
	} else {
		found, ok = x.match(x.patterns(file), path, has)
	}
	return found, x, ok
}

// match returns the rule that decides for path, which has bytes of the classes in has. Patterns are
// parts of text.
func (x *Index) match(text, path string, has byteclass.Set) (found Decision, ok bool) {
	var best, head uint32
	switch {
	case x.table == nil:
		best, head = x.findListed(text, path), uint32(min(len(x.wilds), 1))
	case x.table.net != nil:
		best = x.matchNet(text, path)
	default:
		best, head = x.table.find(x, text, path, nil)
	}
	if head > 0 {
		best = x.matchWild(best, head, text, path, has)
	}
	if best == 0 {
		return Decision{}, false
	}
	return x.decision(best - 1), true
}

// findListed returns 1 + the index of the plain rule that decides for path in a list, or 0.
func (x *Index) findListed(text, path string) (best uint32) {
	for i := range x.plain {
		p := &x.plain[i]
		n := int(p.stem())
		if n > len(path) || n > 1 && text[p.At+1] != path[1] || n > 2 && text[p.At+2] != path[2] {
			continue
		}
		if (best == 0 || x.beats(p, &x.plain[best-1])) && path[:n] == text[p.At:int(p.At)+n] {
			best = uint32(i) + 1
		}
	}
	return best
}

// A Decision is a rule that decides.
type Decision struct {
	Weight uint32
	number uint32 // index of the rule among the plain ones, or after these among the wilds
	line   uint32
}

// Allow reports whether the rule allows.
func (d Decision) Allow() bool { return d.Weight&1 != 0 }

// Line returns the number of the rule's line.
func (d Decision) Line() int { return int(d.line & lineMask) }

// decision returns the rule with a number.
func (x *Index) decision(n uint32) Decision {
	if int(n) < len(x.plain) {
		p := &x.plain[n]
		return Decision{p.Weight, n, p.Line}
	}
	w := &x.wilds[int(n)-len(x.plain)]
	return Decision{w.weight, n, w.line}
}

// Value returns the value of a deciding rule of x as it is in the file.
func (x *Index) Value(d Decision, file string) string {
	if x.own != nil {
		v := x.own.values[d.number]
		return file[v.At : v.At+v.Size]
	}
	at := uint32(0)
	if int(d.number) < len(x.plain) {
		at = x.plain[d.number].At
	} else {
		at = x.wilds[int(d.number)-len(x.plain)].at
	}
	return file[at : at+d.Weight>>1]
}

// precedence compares two decisions: the one that wins if both match comes first.
func (x *Index) precedence(a, b Decision) int {
	if !x.first && a.Weight != b.Weight {
		return cmp.Compare(b.Weight, a.Weight)
	}
	return cmp.Compare(a.line&lineMask, b.line&lineMask)
}

// beats reports whether plain rule a decides if b matches too.
func (x *Index) beats(a, b *Rule) bool {
	c := x.precedence(Decision{Weight: a.Weight, line: a.Line}, Decision{Weight: b.Weight, line: b.Line})
	return c < 0 || c == 0 && a.At < b.At
}

// matchWild returns 1 + the index of the deciding rule, or 0: best, or a better one of the wilds
// from head up, which in a list are all wilds.
func (x *Index) matchWild(best, head uint32, text, path string, has byteclass.Set) uint32 {
	var weight, line uint32
	if best > 0 {
		weight, line = x.plain[best-1].Weight, x.plain[best-1].Line&lineMask
	}
	for head > 0 {
		i := head - 1
		head = x.wilds[i].above
		for ; ; i++ {
			w := &x.wilds[i]
			if x.table != nil && w.weight < weight {
				break // all that follow are lighter
			}
			if w.weight >= weight && x.mayMatch(w, text, path, has) && (w.weight > weight || w.line < line) &&
				w.follows(text, path) {
				best, weight, line = uint32(len(x.plain))+i+1, w.weight, w.line
			}
			if w.flags&wildLast != 0 {
				break
			}
		}
	}
	return best
}

// mayMatch reports whether path, which has bytes of the classes in has, starts with the stem of w
// and contains the other bytes that w needs, in any order.
func (x *Index) mayMatch(w *wild, text, path string, has byteclass.Set) bool {
	return w.needs&^has == 0 && len(path) >= int(w.stem)+int(w.least) &&
		(x.table != nil || path[:w.stem] == text[w.at:w.at+w.stem])
}

// follows reports whether the rest of path after the stem of w matches.
func (w *wild) follows(text, path string) bool {
	segments := ""
	if w.flags&wildStar != 0 {
		segments = text[w.at+w.stem+1 : w.at+w.end]
	}
	return follows(path[w.stem:], segments, w.flags&wildStar != 0, w.flags&wildAnchored != 0)
}
