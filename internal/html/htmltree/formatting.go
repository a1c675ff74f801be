package htmltree

import (
	"math"
	"slices"
)

// maxAlike is the maximum number of formatting elements with the same name that are reopened
// (HTML, section 13.2.4.3, "the Noah's Ark clause").
const maxAlike = 3

// A formatting is an element in the list of active formatting elements, or a marker.
type formatting struct {
	name   uint32
	el     element
	marker bool
	open   bool
}

// A formattingList is the list of active formatting elements (HTML, section 13.2.4.3).
type formattingList []formatting

// hasMarker reports whether formatting elements outside of n are not reopened inside.
func (n *node) hasMarker() bool {
	return n.space == HTML && n.el.is(isScope) && n.el != tableElement && n.el != selectElement
}

// add adds n to the list of active formatting elements.
func (l *formattingList) add(n node) {
	alike, first := 0, -1
	for i := len(*l) - 1; i >= 0 && !(*l)[i].marker; i-- {
		if (*l)[i].name == n.name {
			alike, first = alike+1, i
		}
	}
	if alike == maxAlike {
		*l = slices.Delete(*l, first, first+1)
	}
	*l = append(*l, formatting{name: n.name, el: n.el, open: true})
}

// clear removes formatting elements up to the last marker.
func (l *formattingList) clear() {
	for n := len(*l) - 1; n >= 0; n-- {
		marker := (*l)[n].marker
		*l = (*l)[:n]
		if marker {
			return
		}
	}
}

// indexOf returns the index of the last open formatting element like n after the last
// marker, or -1.
func (l formattingList) indexOf(n *node) int {
	if i := int(n.active) - 1; i >= 0 && i < len(l) && l[i].name == n.name && l[i].open {
		return i
	}
	for i := len(l) - 1; i >= 0 && !l[i].marker; i-- {
		if l[i].open && l[i].name == n.name {
			return i
		}
	}
	return -1
}

// has reports whether an element with this name is in the list after the last marker.
func (l formattingList) has(hash uint32) bool { return l.lastNamed(hash) >= 0 }

// lastNamed returns the index of the last element with this name after the last marker, or -1.
func (l formattingList) lastNamed(hash uint32) int {
	for i := len(l) - 1; i >= 0 && !l[i].marker; i-- {
		if l[i].name == hash {
			return i
		}
	}
	return -1
}

// reconstruct reopens formatting elements that the end of a block has closed.
func (t *Tree) reconstruct() {
	i := len(t.active)
	for i > 0 && !t.active[i-1].marker && !t.active[i-1].open {
		i--
	}
	if t.tired() {
		t.active = t.active[:i]
		return
	}
	for ; i < len(t.active); i++ {
		if len(t.stack) == maxDepth {
			return
		}
		f := &t.active[i]
		f.open = true
		t.link(node{name: f.name, el: f.el, active: int16(min(i+1, math.MaxInt16))})
	}
}

// forget removes a formatting element from the list and the stack.
func (t *Tree) forget(el element, hash uint32) {
	i := t.active.lastNamed(hash)
	if i < 0 {
		return
	}
	open := t.active[i].open
	t.active = slices.Delete(t.active, i, i+1)
	if !open {
		return
	}
	if at := t.last[el]; at > 0 {
		t.remove(int(at) - 1)
	}
}

// endFormatting closes a formatting element by the "adoption agency algorithm" (HTML,
// section 13.2.6.4.7).
func (t *Tree) endFormatting(el element, hash uint32) {
	if n := t.top(); n.space == HTML && n.name == hash && t.active.indexOf(n) < 0 {
		t.popTo(len(t.stack) - 1)
		return
	}
	i := t.active.lastNamed(hash)
	if i < 0 {
		t.endOther(hash)
		return
	}
	if !t.active[i].open {
		t.active = slices.Delete(t.active, i, i+1)
		return
	}
	at := t.find(anyScope, el)
	switch {
	case at < 0:
		return
	case int(t.top().special) > at+1:
		if t.tired() {
			t.active = slices.Delete(t.active, i, i+1)
			return
		}
		t.adopt(at)
	default:
		t.popTo(at)
	}
	if i = t.active.lastNamed(hash); i >= 0 && !t.active[i].open {
		t.active = slices.Delete(t.active, i, i+1)
	}
}

// maxAdoptions and maxInner are the limits of the loops of the adoption agency algorithm.
const (
	maxAdoptions = 8
	maxInner     = 3
)

// adopt removes the formatting element stack[at], which contains special elements, from the
// stack. The algorithm moves the element below each special element in turn, and closes it
// after the last one with everything inside. Of the elements that are not special, formatting
// elements stay, up to three before each special element.
func (t *Tree) adopt(at int) {
	lifted := t.lift(at)
	moved, rest := lifted[0], lifted[1:]
	for range maxAdoptions {
		next := slices.IndexFunc(rest, func(n node) bool { return n.isSpecial() })
		if next < 0 {
			break
		}
		for i, n := range rest[:next] {
			switch j := t.active.indexOf(&n); {
			case n.space != HTML || j < 0:
			case next-i <= maxInner:
				t.link(n)
			default:
				t.active = slices.Delete(t.active, j, j+1)
			}
		}
		t.link(rest[next])
		rest = rest[next+1:]
	}
	if slices.ContainsFunc(rest, func(n node) bool { return n.isSpecial() }) { // the algorithm has reached its limit
		t.link(moved)
		for _, n := range rest {
			t.link(n)
		}
		return
	}
	for _, n := range append(rest, moved) {
		if i := t.active.indexOf(&n); n.space == HTML && i >= 0 {
			t.active[i].open = false
		}
	}
}
