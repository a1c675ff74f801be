package robots

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/robotsexclusion/robots/internal/byteclass"
)

// An index answers which rule of one group decides for a path, without trying
// each rule in turn.
//
// What a pattern starts with, up to its first wildcard, is its stem. A path
// can match only patterns whose stems it starts with. Most patterns are only a
// stem: they are plain, and match where the stem does. The others, the wilds,
// are tried where their stem was found, the heaviest first, and only while they
// could still win.
//
// At first rules are in a list, as Parse found them, and the index looks at each.
// That costs nothing to make, and many robots ask no more than one question.
//
// A list that is asked about often becomes a sieve if it is of no more than 64
// rules: it leaves few rules to try, and the first of them that matches wins.
//
// More rules become a hash table of their stems. The index looks up the starts of the
// path, but only those of lengths that stems have. A marker for the first eight bytes,
// and for each further thirty-two, tells which lengths follow it, so that paths that go
// another way are soon done with. That needs neither sorting nor nodes, so that making a
// table costs little more than reading the rules.
//
// Where many rules are wilds, they become a net from the start, which finds the one that
// decides in one pass over the path. Its stems are in a table too.
type index struct {
	plain []plain
	wilds []wild

	sieve *sieve // of all rules, if they are a short list that is asked often
	table *table // of the stems, if there are many, and with it a net of the wilds, if these are many

	own *ownPatterns // if not all patterns are parts of the file

	first bool // the first rule of the file wins, not the heaviest

	// rough tells that patterns may have bytes of the classes that
	// reading.encodes has: then they match no path.
	rough atomic.Bool

	asks atomic.Int32 // questions that a list of more than few rules has answered

	quickening atomic.Bool // a question is making what answers faster than a list
	growth     *growth     // what was made of that, if it takes several questions
}

// ownPatterns are the normal forms of patterns, and where the values of their
// rules stand in the file: those of plain, then those of wilds.
type ownPatterns struct {
	text   string
	values []valueSpan
}

// patterns returns the text that patterns are parts of, of the file or of x.
func (x *index) patterns(file string) string {
	if x.own != nil {
		return x.own.text
	}
	return file
}

// patience is the number of questions up to which a list of more than few rules
// is faster than to make a sieve or a table first. With more wilds than
// manyWilds, or more bytes in their segments than manySegments, there is a net
// from the start.
const (
	few          = 8
	patience     = 16
	manyWilds    = 256
	manySegments = 16 << 10
)

// A plain is a rule whose pattern is only a stem, or a stem and one "*".
type plain struct {
	at     uint32 // where in the text the pattern starts
	line   uint32 // the number of its line, with flags in its highest bits
	weight uint32
}

// The flags of plain.line.
const (
	starred  = 1 << 31 // the stem is a byte shorter than the pattern
	headed   = 1 << 30 // it is no rule, but the stem of the wilds from number weight on
	lineMask = headed - 1
)

// maxText is what Parse reads at most: 512 MiB. The normal form of a pattern has
// up to three times the bytes of its value, and in dialect Google a rule may have
// two patterns.
const maxText = 1 << 29

// These do not compile if maxText is too large for where it is counted.
const (
	_ = uint32(lineMask - maxText)       // the number of a line
	_ = uint32(2 * 3 * maxText)          // where in the own text of an index a pattern is
	_ = uint32(3*maxText)<<1 | uint32(1) // the weight of a pattern
)

// weight makes a number of what decides between rules in the dialects in which
// the longest wins: its bytes, then Allow before Disallow.
func weight(octets int, allow bool) uint32 {
	w := uint32(octets) << 1
	if allow {
		w |= 1
	}
	return w
}

// stem returns the bytes of the stem.
func (p *plain) stem() uint32 {
	if p.line&starred != 0 {
		return p.weight>>1 - 1
	}
	return p.weight >> 1
}

// stem returns the bytes of the stem of p, of a rule or of wilds.
func (x *index) stem(p *plain) uint32 {
	switch {
	case p.line&headed == 0:
		return p.stem()
	case x.table.net != nil:
		return x.table.net.nodes[p.weight].symbol
	}
	return x.wilds[p.weight].stem
}

// A wild is a rule whose pattern is more than a stem, or shares its stem with
// one that is.
type wild struct {
	needs  byteclass.Set // the path must have these after the stem
	at     uint32        // where in the text the pattern starts
	stem   uint32        // bytes of the stem
	end    uint32        // bytes up to the end of the segments, which start after the stem and a "*"
	line   uint32        // the number of its line
	weight uint32        // of the rule
	above  uint32        // 1 + the first of the wilds of the next shorter stem of the path, or 0
	least  uint16        // bytes that the segments need, or as many as this can hold
	flags  wildFlags
}

type wildFlags uint8

const (
	wildStar     wildFlags = 1 << iota // there are segments
	wildAnchored                       // the path ends where the pattern does
	wildLast                           // of those with this stem
)

// valueSpan is where in the file the value of a rule stands.
type valueSpan struct{ at, size uint32 }

// index returns the index of the rules of a block, and makes it if it is not
// there.
func (p *Policy) index(block uint32) *index {
	b := &p.blocks[block]
	x := b.rules.Load()
	if x == nil {
		b.rules.CompareAndSwap(nil, newIndex(p, []uint32{block}, asList, false))
		x = b.rules.Load()
	}
	return x
}

// match returns the rule of blocks that decides for path, which holds bytes of
// the classes in has, and the index that knows it. Their index is at a place; that
// of a block may have to be made.
func (p *Policy) match(at *atomic.Pointer[index], blocks []uint32, path string, has byteclass.Set) (found decision, x *index, ok bool) {
	if x = at.Load(); x == nil {
		x = p.index(blocks[0])
	}
	if has&byteclass.Percent != 0 && x.rough.Load() {
		x = p.smooth(at, blocks, x)
	}
	if x.sieve == nil && x.table == nil && len(x.plain)+len(x.wilds) > few && x.asks.Add(1) >= patience {
		x = p.quicken(at, x)
	}
	if x.sieve != nil {
		found, ok = x.sieve.find(x, x.patterns(p.text), path, has)
	} else {
		found, ok = x.match(x.patterns(p.text), path, has)
	}
	return found, x, ok
}

// smooth returns an index for x, which is rough, in which all patterns are in
// normal form. Nearly always that is x itself: few files have such patterns, and
// to look for them when a path with a "%" is asked for spares all others the time.
func (p *Policy) smooth(at *atomic.Pointer[index], blocks []uint32, x *index) *index {
	if given, _ := p.rulesOf(blocks); p.anyRough(given) {
		form := asList
		switch {
		case x.table == nil:
		case x.table.net != nil:
			form = asNet
		default:
			form = asTable
		}
		x = newIndex(p, blocks, form, true)
		at.Store(x)
	}
	x.rough.Store(false)
	return x
}

// anyRough reports whether rules, as Parse found them, are rough.
func (p *Policy) anyRough(rules []plain) bool {
	first, last := rules[0], rules[len(rules)-1]
	return maybeRough(p.text[first.at:last.at+last.weight>>1]) && slices.ContainsFunc(rules, p.isRough)
}

// isRough reports whether a rule, as Parse found it, has bytes that are encoded
// in normal form.
func (p *Policy) isRough(rule plain) bool {
	value := p.text[rule.at : rule.at+rule.weight>>1]
	return maybeNever(value) && byteclass.Of(value)&p.dialect.reading().encodes != 0
}

// match returns the rule that decides for path, which holds bytes of the
// classes in has. Patterns are parts of text.
func (x *index) match(text, path string, has byteclass.Set) (found decision, ok bool) {
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
		return decision{}, false
	}
	return x.decision(best - 1), true
}

// findListed returns 1 + the number of the plain rule that decides for path
// among the plain ones, which are a list, or 0.
func (x *index) findListed(text, path string) (best uint32) {
	for i := range x.plain {
		p := &x.plain[i]
		n := int(p.stem())
		if n > len(path) || n > 1 && text[p.at+1] != path[1] || n > 2 && text[p.at+2] != path[2] {
			continue
		}
		if (best == 0 || x.beats(p, &x.plain[best-1])) && path[:n] == text[p.at:int(p.at)+n] {
			best = uint32(i) + 1
		}
	}
	return best
}

// A decision is a rule that decides: its number among the plain rules, or
// after these among the wilds.
type decision struct {
	weight uint32
	number uint32
	line   uint32
}

// decision returns the rule with a number.
func (x *index) decision(n uint32) decision {
	if int(n) < len(x.plain) {
		p := &x.plain[n]
		return decision{p.weight, n, p.line}
	}
	w := &x.wilds[int(n)-len(x.plain)]
	return decision{w.weight, n, w.line}
}

// value returns the value of the rule that decides, as the file has it.
func (x *index) value(d decision, p *Policy) string {
	if x.own != nil {
		v := x.own.values[d.number]
		return p.text[v.at : v.at+v.size]
	}
	at := uint32(0)
	if int(d.number) < len(x.plain) {
		at = x.plain[d.number].at
	} else {
		at = x.wilds[int(d.number)-len(x.plain)].at
	}
	return p.text[at : at+d.weight>>1]
}

// precedence compares two decisions: the one that wins where both match comes
// first.
func (x *index) precedence(a, b decision) int {
	if !x.first && a.weight != b.weight {
		return cmp.Compare(b.weight, a.weight)
	}
	return cmp.Compare(a.line&lineMask, b.line&lineMask)
}

// beats reports whether plain rule a decides where b matches too.
func (x *index) beats(a, b *plain) bool {
	c := x.precedence(decision{weight: a.weight, line: a.line}, decision{weight: b.weight, line: b.line})
	return c < 0 || c == 0 && a.at < b.at
}

// matchWild returns 1 + the number of the rule that decides, or 0: best, or a
// better one of the wilds from head up, which are all of them in a list.
func (x *index) matchWild(best, head uint32, text, path string, has byteclass.Set) uint32 {
	var weight, line uint32
	if best > 0 {
		weight, line = x.plain[best-1].weight, x.plain[best-1].line&lineMask
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
func (x *index) mayMatch(w *wild, text, path string, has byteclass.Set) bool {
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
