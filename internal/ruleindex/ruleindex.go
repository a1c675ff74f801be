// Package ruleindex finds the rule of a group that decides for a path, without trying
// each rule in turn.
//
// It gets patterns in normal form, each with its line and its weight, and paths in
// the form in which they are compared with patterns. How robots.txt is read, what
// normal form is, and which groups are for a robot is decided above: by the root
// package of this module.
//
// What a pattern starts with, up to its first wildcard, is its stem. A path can match
// only patterns whose stems it starts with. Most patterns are only a stem: they are
// plain, and match where the stem does. The others, the wilds, are tried where their
// stem was found, the heaviest first, and only while they could still win.
//
// At first rules are a list, and the index looks at each. That costs nothing to make,
// and many robots ask no more than one question.
//
// A list of no more than 64 rules that is asked often becomes a sieve: the sieve
// leaves few rules to try, and the first of them that matches wins.
//
// More rules become a hash table of their stems. The index looks up the starts of the
// path, but only those of lengths that stems have. A marker for the first eight bytes,
// and for each further thirty-two, tells which lengths follow it, so that a path that
// goes another way is soon done. That needs neither sorting nor nodes, so that making a
// table costs little more than reading the rules.
//
// Many wilds become a net from the start. A net finds the rule that decides in one
// pass over the path. Its stems are in a table too.
package ruleindex

import (
	"cmp"
	"sync/atomic"

	"github.com/robotsexclusion/robots/internal/byteclass"
)

// An Index answers which rule of one group decides for a path. It is safe for
// concurrent use. Where it stands in an [atomic.Pointer], an index that is asked often
// replaces itself there; see [Index.Match].
//
// An index does not keep the text of the file: its methods take it as file, the same
// text each time.
type Index struct {
	plain []Rule
	wilds []wild

	sieve *sieve // of all rules, if they are a short list that is asked often
	table *table // of the stems, if there are many, and with it a net of the wilds, if these are many

	own *ownPatterns // if not all patterns are parts of the file

	first bool // the first rule of the file wins, not the heaviest

	rough atomic.Bool // see Rough

	asks atomic.Int32 // questions that a list of more than few rules has answered

	quickening atomic.Bool // a question is making a faster form than a list
	growth     *growth     // what was made of that form, if it takes several questions
}

// ownPatterns are the normal forms of patterns, and where the values of their
// rules stand in the file: those of plain, then those of wilds.
type ownPatterns struct {
	text   string
	values []Span
}

// patterns returns the text that patterns are parts of: the file, or that of x.
func (x *Index) patterns(file string) string {
	if x.own != nil {
		return x.own.text
	}
	return file
}

// askedOften is the number of questions up to which a list of more than few rules
// is faster than to make a sieve or a table first. With more wilds than
// ManyWilds, or more bytes in their segments than manySegments, there is a net
// from the start.
const (
	few          = 8
	askedOften   = 16
	ManyWilds    = 256
	manySegments = 16 << 10
)

// A Form is how an index keeps its rules.
type Form uint8

// The forms in which a [Builder] makes an index.
const (
	List  Form = iota // a list, or a net if there are so many wilds that a list would be slow
	Table             // a table, or a net
	Net               // a net, if there is a wild at all
)

// ListOf returns a list of rules that are plain and in normal form. It shares their
// memory. With first set, the first rule that matches decides, else the heaviest.
func ListOf(rules []Rule, first bool) *Index { return &Index{plain: rules, first: first} }

// Form returns the form of x. That of a sieve is List.
func (x *Index) Form() Form {
	switch {
	case x.table == nil:
		return List
	case x.table.net != nil:
		return Net
	}
	return Table
}

// Rough reports whether the caller has marked x: patterns may not be in normal form
// yet. They match no path with a "%" that they should match. What x is replaced by is
// marked too.
func (x *Index) Rough() bool { return x.rough.Load() }

// SetRough marks x, or takes the mark away.
func (x *Index) SetRough(rough bool) { x.rough.Store(rough) }

// Match returns the rule that decides for a path, which has bytes of the classes in
// has, and the index that knows the rule: x, or what x was replaced by.
//
// An index that is a list, and is asked often, replaces itself at a place by a form
// that answers faster. Where that takes long, each question does a part of it.
func (x *Index) Match(at *atomic.Pointer[Index], file, path string, has byteclass.Set) (found Decision, by *Index, ok bool) {
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

// match returns the rule that decides for path, which holds bytes of the
// classes in has. Patterns are parts of text.
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

// findListed returns 1 + the number of the plain rule that decides for path
// among the plain ones, which are a list, or 0.
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
	number uint32 // of the rule among the plain ones, or after these among the wilds
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

// Value returns the value of a rule of x that decides, as the file has it.
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

// precedence compares two decisions: the one that wins where both match comes
// first.
func (x *Index) precedence(a, b Decision) int {
	if !x.first && a.Weight != b.Weight {
		return cmp.Compare(b.Weight, a.Weight)
	}
	return cmp.Compare(a.line&lineMask, b.line&lineMask)
}

// beats reports whether plain rule a decides where b matches too.
func (x *Index) beats(a, b *Rule) bool {
	c := x.precedence(Decision{Weight: a.Weight, line: a.Line}, Decision{Weight: b.Weight, line: b.Line})
	return c < 0 || c == 0 && a.At < b.At
}

// matchWild returns 1 + the number of the rule that decides, or 0: best, or a
// better one of the wilds from head up, which are all of them in a list.
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
				break // all that follow are lighter still
			}
			if w.weight >= weight && x.mayMatch(w, text, path, has) && (w.weight > weight || w.line < line) && w.follows(text, path) {
				best, weight, line = uint32(len(x.plain))+i+1, w.weight, w.line
			}
			if w.flags&wildLast != 0 {
				break
			}
		}
	}
	return best
}

// mayMatch reports whether path, which holds bytes of the classes in has,
// starts with the stem of w and has what else it needs, in whatever order.
func (x *Index) mayMatch(w *wild, text, path string, has byteclass.Set) bool {
	return w.needs&^has == 0 && len(path) >= int(w.stem)+int(w.least) &&
		(x.table != nil || path[:w.stem] == text[w.at:w.at+w.stem])
}

// follows reports whether what follows the stem of w in path matches.
func (w *wild) follows(text, path string) bool {
	segments := ""
	if w.flags&wildStar != 0 {
		segments = text[w.at+w.stem+1 : w.at+w.end]
	}
	return follows(path[w.stem:], segments, w.flags&wildStar != 0, w.flags&wildAnchored != 0)
}
