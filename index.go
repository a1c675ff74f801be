package robots

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// An index answers which rule of one group decides for a path, without trying
// each rule in turn.
//
// The stems of all patterns stand in a trie. A walk along the path passes the
// stems that the path starts with, and no others. Each node knows the best
// plain rule passed so far, so the last node of the walk has the answer unless
// a pattern with wildcards is better. Those hang on the node of their stem,
// the heaviest first, and are tried only while they could still win.
type index struct {
	labels string // the text that labels of nodes are parts of
	nodes  []node // the root first; the children of a node are neighbours
	rules  []rule // in the order of the file
	wilds  []wild // those of a node are neighbours, the heaviest first
}

// A rule is a rule of the group as written.
type rule struct {
	value  uint32 // where in the text of the policy its value starts
	size   uint32 // octets of the value
	line   uint32
	weight uint32
}

// weight makes a number of what decides between rules in the dialects in which
// the longest wins: its octets, then Allow before Disallow.
func weight(octets int, allow bool) uint32 {
	w := uint32(min(octets, math.MaxInt32)) << 1
	if allow {
		w |= 1
	}
	return w
}

func (r *rule) allows() bool { return r.weight&1 != 0 }

// A node stands for the octets on the way from the root to it.
type node struct {
	label uint32 // where in labels the octets start that this node adds
	size  uint32 // how many they are
	first uint32 // its first child
	best  uint32 // 1 + the plain rule that decides here, of this node and those above
	wild  uint32 // 1 + the first of wilds here, or else at the next node above
	kids  uint16 // how many children it has
	head  byte   // the first octet of the label
}

// A wild is a rule whose pattern is more than a stem.
type wild struct {
	segments string
	needs    classes // the path must have these after the stem
	least    uint32  // and this many octets
	stem     uint32  // octets of the stem
	rule     uint32
	weight   uint32
	above    uint32 // as node.wild, for the next node above with wilds
	last     bool   // of those that hang on one node
	wild     bool
	anchored bool
}

// A draft is a rule on its way into an index.
type draft struct {
	pattern
	key  uint64 // the octets of the stem after "/", as a number
	rule uint32
}

// A builder makes indexes. It keeps its memory from one to the next.
type builder struct {
	rules  []rule
	drafts []draft
	nodes  []node
	spans  []stemSpan
	wilds  []wild
}

// A stemSpan is what a node was made for: drafts with the same first octets.
type stemSpan struct {
	lo, hi, depth int
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// index returns the index of the rules of b, and makes it if it is not there.
func (b *block) index(p *Policy) *index {
	if x := b.rules.Load(); x != nil {
		return x
	}
	b.rules.CompareAndSwap(nil, newIndex(p, b))
	return b.rules.Load()
}

// newIndex makes the index of the rules of block b.
func newIndex(p *Policy, b *block) *index {
	r := p.dialect.reading()
	w := builders.Get().(*builder)
	shared := w.read(p, r, b)
	x := &index{rules: slices.Clone(w.rules)}
	if len(w.drafts) > 0 {
		w.sort()
		x.labels = p.text
		if !shared {
			x.labels = w.join()
		}
		w.grow(x, r)
		x.nodes = slices.Clone(w.nodes)
		x.wilds = slices.Clone(w.wilds)
	}
	w.reset()
	builders.Put(w)
	return x
}

// reset empties w. It drops what a hostile file made large.
func (w *builder) reset() {
	if cap(w.drafts) > 1<<12 {
		*w = builder{}
		return
	}
	clear(w.drafts)
	clear(w.wilds)
	w.rules, w.drafts, w.nodes, w.spans, w.wilds = w.rules[:0], w.drafts[:0], w.nodes[:0], w.spans[:0], w.wilds[:0]
}

// read reads the rules of b and reports whether all their stems are parts of
// the text.
func (w *builder) read(p *Policy, r *reading, b *block) (shared bool) {
	shared = true
	line := b.line
	for pos := int(b.start); pos < int(b.end); line++ {
		end, next := lineEnd(p.text, pos, p.loneCR)
		text := p.text[pos:end]
		pos = next
		kind := r.kind(text)
		if kind != Allow && kind != Disallow {
			continue
		}
		value := r.value(text)
		if r.lists {
			for path := range strings.FieldsSeq(value) {
				shared = w.add(p, r, kind, path, line) && shared
			}
			continue
		}
		if value != "" {
			shared = w.add(p, r, kind, value, line) && shared
		}
	}
	return shared
}

// add adds a rule and reports whether its stem is a part of the text.
func (w *builder) add(p *Policy, r *reading, kind Kind, value string, line uint32) (shared bool) {
	pat := r.compile(value)
	number := uint32(len(w.rules))
	w.rules = append(w.rules, rule{
		value:  uint32(offset(p.text, value)),
		size:   uint32(len(value)),
		line:   line,
		weight: weight(pat.octets, kind == Allow),
	})
	shared = w.draft(pat, number, value)
	if second, ok := r.indexFile(kind == Allow, value); ok {
		w.rules = append(w.rules, w.rules[number])
		w.rules[number+1].weight = weight(second.octets, true)
		w.draft(second, number+1, "")
		shared = false
	}
	return shared
}

// draft keeps a pattern if any path can match it: all paths start with "/".
func (w *builder) draft(pat pattern, number uint32, value string) (shared bool) {
	if pat.stem != "" && pat.stem[0] != '/' || pat.stem == "" && pat.anchored && !pat.wild {
		return true
	}
	d := draft{pattern: pat, rule: number}
	for i := 1; i <= 8; i++ {
		d.key <<= 8
		if i < len(pat.stem) {
			d.key |= uint64(pat.stem[i])
		}
	}
	w.drafts = append(w.drafts, d)
	return len(pat.stem) <= len(value) && (pat.stem == "" || unsafe.StringData(pat.stem) == unsafe.StringData(value))
}

// offset returns where in text its part starts.
func offset(text, part string) int {
	return int(uintptr(unsafe.Pointer(unsafe.StringData(part))) - uintptr(unsafe.Pointer(unsafe.StringData(text))))
}

// sort sorts the drafts by stem, then by weight, then as in the file.
func (w *builder) sort() {
	slices.SortFunc(w.drafts, func(a, b draft) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		if c := strings.Compare(a.stem, b.stem); c != 0 {
			return c
		}
		if c := cmp.Compare(w.rules[b.rule].weight, w.rules[a.rule].weight); c != 0 {
			return c
		}
		return cmp.Compare(a.rule, b.rule)
	})
}

// join makes one text of all stems, where they are not parts of one already.
func (w *builder) join() string {
	n := 0
	for i := range w.drafts {
		n += len(w.drafts[i].stem)
	}
	b := make([]byte, 0, n)
	for i := range w.drafts {
		b = append(b, w.drafts[i].stem...)
	}
	all := unsafe.String(unsafe.SliceData(b), len(b))
	n = 0
	for i := range w.drafts {
		d := &w.drafts[i]
		d.stem = all[n : n+len(d.stem)]
		n += len(d.stem)
	}
	return all
}

// grow makes the trie of the sorted drafts, a level at a time.
func (w *builder) grow(x *index, r *reading) {
	w.nodes = append(w.nodes, node{})
	w.spans = append(w.spans, stemSpan{0, len(w.drafts), 0})
	for i := 0; i < len(w.nodes); i++ {
		lo, hi, depth := w.spans[i].lo, w.spans[i].hi, w.spans[i].depth
		lo = w.settle(i, lo, hi, depth, r)
		// What is left has more octets. Part it by the next one.
		w.nodes[i].first = uint32(len(w.nodes))
		for lo < hi {
			head := w.drafts[lo].stem[depth]
			to := lo + 1
			for to < hi && w.drafts[to].stem[depth] == head {
				to++
			}
			first, last := w.drafts[lo].stem, w.drafts[to-1].stem
			end := depth + 1
			for end < len(first) && end < len(last) && first[end] == last[end] {
				end++
			}
			w.nodes = append(w.nodes, node{
				label: uint32(offset(x.labels, first)) + uint32(depth),
				size:  uint32(end - depth),
				head:  head,
				best:  w.nodes[i].best,
				wild:  w.nodes[i].wild,
			})
			w.spans = append(w.spans, stemSpan{lo, to, end})
			w.nodes[i].kids++
			lo = to
		}
	}
}

// settle gives node i the drafts from lo on whose stem ends there, and
// returns the first that goes on.
func (w *builder) settle(i, lo, hi, depth int, r *reading) int {
	n := &w.nodes[i]
	above := n.wild
	start := len(w.wilds)
	for ; lo < hi && len(w.drafts[lo].stem) == depth; lo++ {
		d := &w.drafts[lo]
		if d.plain() {
			if n.best == 0 || w.beats(d.rule, n.best-1, r) {
				n.best = d.rule + 1
			}
			continue
		}
		var needs classes
		least := 0
		for k := 0; k < len(d.segments); k++ {
			if c := d.segments[k]; c != '*' {
				needs |= classOf[c]
				least++
			}
		}
		w.wilds = append(w.wilds, wild{
			segments: d.segments, needs: needs, least: uint32(least),
			stem: uint32(depth), rule: d.rule, weight: w.rules[d.rule].weight,
			above: above, wild: d.wild, anchored: d.anchored,
		})
	}
	if len(w.wilds) > start {
		w.wilds[len(w.wilds)-1].last = true
		n.wild = uint32(start) + 1
	}
	return lo
}

// beats reports whether rule a decides where both match.
func (w *builder) beats(a, b uint32, r *reading) bool {
	if !r.firstMatch && w.rules[a].weight != w.rules[b].weight {
		return w.rules[a].weight > w.rules[b].weight
	}
	return a < b
}

// match returns the rule that decides for path, which holds octets of the
// classes in has, or nil.
func (x *index) match(path string, has classes) *rule {
	if len(x.nodes) == 0 {
		return nil
	}
	n := &x.nodes[0]
	for rest := path; n.kids > 0 && rest != ""; {
		child := x.child(n, rest[0])
		if child == nil || uint32(len(rest)) < child.size ||
			rest[:child.size] != x.labels[child.label:child.label+child.size] {
			break
		}
		rest = rest[child.size:]
		n = child
	}
	best := n.best
	if n.wild > 0 {
		best = x.matchWild(n.wild, best, path, has)
	}
	if best == 0 {
		return nil
	}
	return &x.rules[best-1]
}

// child returns the child of n whose label starts with head, or nil.
func (x *index) child(n *node, head byte) *node {
	kids := x.nodes[n.first : n.first+uint32(n.kids)]
	for len(kids) > 4 {
		if half := len(kids) / 2; kids[half].head <= head {
			kids = kids[half:]
		} else {
			kids = kids[:half]
		}
	}
	for i := range kids {
		if kids[i].head == head {
			return &kids[i]
		}
	}
	return nil
}

// matchWild returns 1 + the rule that decides: best, or a better one of the
// wilds from number on, those of one node after the other.
func (x *index) matchWild(number, best uint32, path string, has classes) uint32 {
	var weight uint32
	if best > 0 {
		weight = x.rules[best-1].weight
	}
	for number > 0 {
		for i := number - 1; ; i++ {
			w := &x.wilds[i]
			number = w.above
			if w.weight < weight {
				break
			}
			if w.needs&^has == 0 && uint32(len(path)) >= w.stem+w.least &&
				(w.weight > weight || best == 0 || w.rule < best-1) &&
				follows(path[w.stem:], w.segments, w.wild, w.anchored) {
				best, weight = w.rule+1, w.weight
				break
			}
			if w.last {
				break
			}
		}
	}
	return best
}
