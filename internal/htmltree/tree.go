// Package htmltree follows which elements of a page are open, tag by tag, and so tells what
// is HTML and what is SVG or MathML: there style, script, title and the like have markup
// in them, and tags close themselves. It builds no tree.
package htmltree

import (
	"math"
	"slices"

	"github.com/robotsexclusion/robots/internal/htmltoken"
)

// maxDepth is how many elements may be open. An element beyond that takes the place of
// the innermost one, as in Chromium, so that memory does not grow with the page.
const maxDepth = 512

// maxAlike is how many formatting elements of one name are opened again (HTML, section
// 13.2.4.3, "the Noah's Ark clause").
const maxAlike = 3

// A Namespace is the vocabulary that an element belongs to.
type Namespace uint8

// The vocabularies.
const (
	HTML Namespace = iota
	SVG
	MathML
)

// An integration point is an element of SVG or MathML that may have HTML in it.
type integration uint8

const (
	noIntegration   integration = iota
	htmlIntegration             // HTML, section 13.2.6: "HTML integration point"
	textIntegration             // "MathML text integration point"
)

// A node is an open element. It knows where on the stack what ends a search is, so that no
// search goes through a deep stack again and again: places are indexes plus one, 0 for none.
type node struct {
	name  uint32 // the hash of its name
	el    element
	space Namespace
	point integration

	stop    int16 // the last one, up to this, inside of which those outside cannot be closed
	special int16 // that isSpecial
	item    int16 // inside of which list items do not end those outside
	html    int16 // that is of HTML
	same    int16 // the last one below of HTML with the same el
	active  int16 // where it was put into the list of active formatting elements
	alike   int16 // the last one below in the same slot
}

// What following the elements of a page may cost: these steps, and some for each byte of its
// tags. A step is an element that is opened, closed, moved or looked at. Real pages take
// one for ten bytes of theirs.
const (
	freeSteps    = 1 << 16
	stepsPerByte = 1
	tiredSearch  = 16 // elements that a search looks at, when there are no steps left
)

// slotCount is how many slots there are for names of open elements.
const slotCount = 64

func (n node) slot() int { return int(n.name % slotCount) }

// isSpecial reports whether n is special.
func (n node) isSpecial() bool {
	return n.space == HTML && n.el.is(isSpecial) || n.foreignSpecial()
}

// foreignSpecial reports whether n is one of the elements of SVG and MathML that HTML
// counts among the special ones. They are the integration points and annotation-xml.
func (n node) foreignSpecial() bool {
	switch n.space {
	case SVG:
		return n.point == htmlIntegration
	case MathML:
		return n.point == textIntegration || n.el == annotationXMLElement
	}
	return false
}

// A formatting is an element of the list of active formatting elements, or a marker.
type formatting struct {
	name   uint32
	el     element
	marker bool
	open   bool
}

// A Tree is the open elements of a page. It follows the tree construction of HTML (section
// 13.2.6) as far as open elements depend on it. These parts are left out, because the head,
// the body and what is after it are all the same to robots: the insertion modes of head,
// frameset and what is after the body, and quirks mode. The zero Tree is that of an empty
// page. Its memory does not grow with the page, and its time is linear in it: where a page
// has many formatting elements closed and opened again by each of its tags, as no page for people
// has, they are not opened again, nor moved, from some tag on.
type Tree struct {
	stack  []node // without html, head and body
	active []formatting
	open   [elementCount]int   // elements of HTML on the stack
	last   [elementCount]int16 // where the last one is
	slots  [slotCount]int16    // where the last element with a name of this slot is
	svgs   int                 // elements of SVG on the stack
	spare  []node

	steps int
	size  int // of the tags, in bytes
}

// Empty returns a tree for another page, which takes over the memory of t.
func (t *Tree) Empty() Tree {
	return Tree{stack: t.stack[:0], active: t.active[:0], spare: t.spare[:0]}
}

// tired reports whether there are no steps left for what is not needed to tell HTML from SVG.
func (t *Tree) tired() bool { return t.steps > freeSteps+stepsPerByte*t.size }

// InSVG reports whether an element of SVG is open. What is in it may be HTML.
func (t *Tree) InSVG() bool { return t.svgs > 0 }

// top returns the current node: for one of HTML that is not on the stack, the zero one.
func (t *Tree) top() node {
	if len(t.stack) == 0 {
		return node{}
	}
	return t.stack[len(t.stack)-1]
}

// topIs reports whether the current node is that element of HTML. It and topSpace look at
// what they need only: a copy of a node that was written a moment ago waits for that.
func (t *Tree) topIs(el element) bool {
	n := len(t.stack)
	return n > 0 && t.stack[n-1].el == el && t.stack[n-1].space == HTML
}

// topSpace returns the vocabulary of the current node.
func (t *Tree) topSpace() Namespace {
	if n := len(t.stack); n > 0 {
		return t.stack[n-1].space
	}
	return HTML
}

// InTemplate reports whether a template is open. What is in it is not in the page.
func (t *Tree) InTemplate() bool { return t.open[templateElement] > 0 }

// IsForeign reports whether the innermost open element is one of SVG or MathML. Then
// CDATA sections may follow.
func (t *Tree) IsForeign() bool { return t.topSpace() != HTML }

// link puts n on the stack.
func (t *Tree) link(n node) {
	t.steps++
	at := int16(len(t.stack) + 1)
	n.stop, n.special, n.item, n.html = 0, 0, 0, 0
	if len(t.stack) > 0 {
		top := &t.stack[len(t.stack)-1]
		n.stop, n.special, n.item, n.html = top.stop, top.special, top.item, top.html
	}
	slot := &t.slots[n.slot()]
	n.alike, *slot = *slot, at
	switch n.space {
	case HTML:
		traits := traitsOf[n.el]
		if traits&isScope != 0 {
			n.stop = at
		}
		if traits&isSpecial != 0 {
			n.special = at
			if traits&isNoItem != 0 {
				n.item = at
			}
		}
		n.html = at
		n.same, t.last[n.el] = t.last[n.el], at
		t.open[n.el]++
	default:
		if n.foreignSpecial() {
			n.stop, n.special, n.item = at, at, at
		}
		if n.space == SVG {
			t.svgs++
		}
	}
	t.stack = append(t.stack, n)
}

// unlink takes the last element off the stack.
func (t *Tree) unlink() node {
	t.steps++
	last := len(t.stack) - 1
	n := t.stack[last]
	t.stack = t.stack[:last]
	t.slots[n.slot()] = n.alike
	if n.space == HTML {
		t.last[n.el] = n.same
		t.open[n.el]--
	}
	if n.space == SVG {
		t.svgs--
	}
	return n
}

// lift takes the elements from stack[i] on off the stack, and returns them. They are valid
// until the next call.
func (t *Tree) lift(i int) []node {
	t.spare = append(t.spare[:0], t.stack[i:]...)
	for len(t.stack) > i {
		t.unlink()
	}
	return t.spare
}

// remove takes stack[i] off the stack, and leaves what is in it.
func (t *Tree) remove(i int) {
	if t.tired() {
		return
	}
	for _, n := range t.lift(i)[1:] {
		t.link(n)
	}
}

// push opens an element.
func (t *Tree) push(n node) {
	if len(t.stack) == maxDepth {
		t.popTo(maxDepth - 1)
	}
	t.link(n)
	if n.space != HTML {
		return
	}
	switch {
	case n.el.is(isFormatting):
		t.activate(n)
		t.stack[len(t.stack)-1].active = int16(min(len(t.active), math.MaxInt16))
	case n.hasMarker():
		t.active = append(t.active, formatting{el: n.el, marker: true, open: true})
	}
}

// hasMarker reports whether formatting elements outside of n are not opened again inside.
func (n node) hasMarker() bool {
	return n.space == HTML && n.el.is(isScope) && n.el != tableElement && n.el != selectElement
}

// activate adds n to the list of active formatting elements.
func (t *Tree) activate(n node) {
	alike, first := 0, -1
	for i := len(t.active) - 1; i >= 0 && !t.active[i].marker; i-- {
		if t.active[i].name == n.name {
			alike, first = alike+1, i
		}
	}
	if alike == maxAlike {
		t.active = slices.Delete(t.active, first, first+1)
	}
	t.active = append(t.active, formatting{name: n.name, el: n.el, open: true})
}

// popTo closes the elements from stack[i] on.
func (t *Tree) popTo(i int) {
	for len(t.stack) > i {
		n := t.unlink()
		if n.space != HTML || !n.el.is(isFormatting|isScope) {
			continue
		}
		if n.hasMarker() {
			t.clearActive()
		} else if j := t.activeOf(n); j >= 0 && n.el.is(isFormatting) {
			t.active[j].open = false
		}
	}
}

// clearActive removes formatting elements up to the last marker.
func (t *Tree) clearActive() {
	for n := len(t.active) - 1; n >= 0; n-- {
		marker := t.active[n].marker
		t.active = t.active[:n]
		if marker {
			return
		}
	}
}

// activeOf returns the index of the last open formatting element like n after the last
// marker, or -1.
func (t *Tree) activeOf(n node) int {
	if i := int(n.active) - 1; i >= 0 && i < len(t.active) && t.active[i].name == n.name && t.active[i].open {
		return i
	}
	for i := len(t.active) - 1; i >= 0 && !t.active[i].marker; i-- {
		if t.active[i].open && t.active[i].name == n.name {
			return i
		}
	}
	return -1
}

// reconstruct opens formatting elements again that the end of a block has closed.
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

// A scope says which elements end the search for an open one, beside those that always do.
type scope uint8

const (
	anyScope scope = iota
	listScope
	buttonScope
	tableScope // only tables and templates end it
)

// find returns the index of the last open element of HTML of this name, or -1 where there
// is none in scope.
func (t *Tree) find(s scope, el element) int {
	stop := t.top().stop
	switch s {
	case listScope:
		stop = max(stop, t.last[olElement], t.last[ulElement])
	case buttonScope:
		stop = max(stop, t.last[buttonElement])
	case tableScope:
		stop = max(t.last[tableElement], t.last[templateElement])
	}
	if at := t.last[el]; at > 0 && at >= stop {
		return int(at) - 1
	}
	return -1
}

// closeIn closes an element and all in it, if it is in scope.
func (t *Tree) closeIn(s scope, el element) {
	if i := t.find(s, el); i >= 0 {
		t.popTo(i)
	}
}

// implyEnds closes elements that need no end tag.
func (t *Tree) implyEnds(but element) {
	for n := t.top(); n.space == HTML && n.el.is(isImplied) && n.el != but; n = t.top() {
		t.popTo(len(t.stack) - 1)
	}
}

// Text notes that a text stands here, between tags.
func (t *Tree) Text() {
	if len(t.active) == 0 {
		return
	}
	n := t.top()
	if n.space == HTML && !n.el.is(inTable|isRaw) && n.el != tableElement || n.point != noIntegration {
		t.reconstruct()
	}
}

// Start opens the element of a start tag, and returns what vocabulary it belongs to. Raw is
// the tag as it stands in the page, name its name in letters of any case. SelfClosing tells
// that the tag ends with "/>".
func (t *Tree) Start(raw, name []byte, selfClosing bool) Namespace {
	t.size += len(raw)
	el, hash := elementNamed(name)
	if t.topSpace() != HTML && !t.top().takesHTML(el) {
		top := t.top()
		if !el.is(endsForeign) && !(el == fontElement && isStyledFont(raw)) {
			if !selfClosing {
				t.push(foreignNode(top.space, el, hash, raw))
			}
			return top.space
		}
		t.leaveForeign()
	}
	switch el {
	case svgElement, mathElement:
		space := SVG
		if el == mathElement {
			space = MathML
		}
		t.reconstruct()
		if !selfClosing {
			t.push(node{name: hash, el: el, space: space})
		}
		return space
	}
	t.startHTML(el, hash)
	return HTML
}

// takesHTML reports whether the start tag of an element inside of n, which is of SVG or
// MathML, is read by the rules for HTML.
func (n node) takesHTML(el element) bool {
	switch n.point {
	case htmlIntegration:
		return true
	case textIntegration:
		return el != mglyphElement && el != malignmarkElement
	}
	return n.space == MathML && n.el == annotationXMLElement && el == svgElement
}

// leaveForeign closes elements up to one that may have HTML in it.
func (t *Tree) leaveForeign() {
	for n := t.top(); n.space != HTML && n.point == noIntegration; n = t.top() {
		t.popTo(len(t.stack) - 1)
	}
}

// foreignNode returns an element of SVG or MathML.
func foreignNode(space Namespace, el element, hash uint32, raw []byte) node {
	n := node{name: hash, el: el, space: space}
	switch el {
	case foreignObjectElement, descElement, titleElement:
		if space == SVG {
			n.point = htmlIntegration
		}
	case miElement, moElement, mnElement, msElement, mtextElement:
		if space == MathML {
			n.point = textIntegration
		}
	case annotationXMLElement:
		if space == MathML && isHTMLAnnotation(raw) {
			n.point = htmlIntegration
		}
	}
	return n
}

// isStyledFont reports whether a font tag has one of the attributes with which it ends
// foreign content.
func isStyledFont(raw []byte) bool {
	for r := htmltoken.AttributesOf(raw); ; {
		name, _, ok := r.Next()
		if !ok || htmltoken.EqualFold(name, "color") || htmltoken.EqualFold(name, "face") || htmltoken.EqualFold(name, "size") {
			return ok
		}
	}
}

// isHTMLAnnotation reports whether an annotation-xml tag says that HTML is in it.
func isHTMLAnnotation(raw []byte) bool {
	for r := htmltoken.AttributesOf(raw); ; {
		name, value, ok := r.Next()
		if !ok {
			return false
		}
		if htmltoken.EqualFold(name, "encoding") {
			kind, _ := htmltoken.Value(value, nil)
			return htmltoken.EqualFold(kind, "text/html") || htmltoken.EqualFold(kind, "application/xhtml+xml")
		}
	}
}

// startHTML opens an element of HTML (HTML, section 13.2.6.4.7, "in body", and what is
// different in tables).
func (t *Tree) startHTML(el element, hash uint32) {
	if t.topIs(colgroupElement) && el != colElement && el != templateElement {
		t.popTo(len(t.stack) - 1)
	}
	if el.is(isIgnored) {
		return
	}
	if el.is(inTable) {
		t.startInTable(el, hash)
		return
	}
	if el == formElement && t.open[formElement] > 0 && t.open[templateElement] == 0 {
		return
	}
	if el == tableElement && t.inTableMode() {
		t.closeIn(tableScope, tableElement)
	}
	switch el { // elements that end others before they may end a paragraph
	case liElement:
		t.endItems(liElement, liElement)
	case ddElement, dtElement:
		t.endItems(ddElement, dtElement)
	}
	if el.is(closesP) || el == liElement || el == ddElement || el == dtElement {
		t.closeIn(buttonScope, pElement)
	}
	switch {
	case el.isHeading():
		if n := t.top(); n.space == HTML && n.el.isHeading() {
			t.popTo(len(t.stack) - 1)
		}
	case el == buttonElement:
		t.closeIn(anyScope, buttonElement)
	case el == aElement:
		if t.hasActive(hash) {
			t.endFormatting(el, hash)
			t.forget(el, hash)
		}
	case el == nobrElement:
		if t.find(anyScope, nobrElement) >= 0 {
			t.reconstruct()
			t.endFormatting(el, hash)
		}
	case el == inputElement:
		t.closeIn(anyScope, selectElement)
	case el == selectElement:
		if i := t.find(anyScope, selectElement); i >= 0 {
			t.popTo(i)
			return
		}
	case el == optionElement, el == optgroupElement, el == hrElement:
		t.startOption(el)
	case el == rbElement, el == rtcElement, el == rpElement, el == rtElement:
		if t.find(anyScope, rubyElement) >= 0 {
			if el == rbElement || el == rtcElement {
				t.implyEnds(otherElement)
			} else {
				t.implyEnds(rtcElement)
			}
		}
	}
	if !el.is(keepsFormat | closesP) {
		t.reconstruct()
	}
	switch {
	case el.is(isVoid):
	case el == formElement && t.inTableMode():
	default:
		t.push(node{name: hash, el: el})
	}
}

// startOption closes what the start tag of an option, a group of options or a line
// between them ends.
func (t *Tree) startOption(el element) {
	switch {
	case t.find(anyScope, selectElement) >= 0:
		if el == optionElement {
			t.implyEnds(optgroupElement)
		} else {
			t.implyEnds(otherElement)
		}
	case el != hrElement && t.top().space == HTML && t.top().el == optionElement:
		t.popTo(len(t.stack) - 1)
	}
}

// endItems closes the last item of a list that has one of these names, before another
// one.
func (t *Tree) endItems(a, b element) {
	at := max(t.last[a], t.last[b])
	if at > 0 && at >= t.top().item {
		t.popTo(int(at) - 1)
	}
}

// inTableMode reports whether the rules for tables are in force: those outside of cells
// and captions.
func (t *Tree) inTableMode() bool {
	in := max(t.last[tableElement], t.last[tbodyElement], t.last[theadElement], t.last[tfootElement], t.last[trElement])
	return in > max(t.last[tdElement], t.last[thElement], t.last[captionElement], t.last[templateElement])
}

// startInTable opens a part of a table, with those that it is in.
func (t *Tree) startInTable(el element, hash uint32) {
	at := t.find(tableScope, tableElement)
	if at < 0 {
		// Only a template may have parts of a table without one.
		at = t.find(anyScope, templateElement)
		if at < 0 || at+1 < len(t.stack) && !(t.stack[at+1].space == HTML && t.stack[at+1].el.is(inTable)) {
			return
		}
	}
	is := func(i int, elements ...element) bool {
		return i < len(t.stack) && t.stack[i].space == HTML && slices.Contains(elements, t.stack[i].el)
	}
	in := at + 1 // what is outside of the new element
	section := is(in, tbodyElement, theadElement, tfootElement)
	row := section && is(in+1, trElement)
	table := t.stack[at].el == tableElement
	switch el {
	case colElement:
		if !is(in, colgroupElement) || in+1 < len(t.stack) {
			t.popTo(in)
			t.pushHTML(colgroupElement)
		}
		return // it has no content
	case tdElement, thElement:
		switch {
		case row:
			t.popTo(in + 2)
		case section:
			t.popTo(in + 1)
			t.pushHTML(trElement)
		case table:
			t.popTo(in)
			t.pushHTML(tbodyElement)
			t.pushHTML(trElement)
		case is(in, trElement):
			t.popTo(in + 1)
		default:
			t.popTo(in)
		}
	case trElement:
		switch {
		case section:
			t.popTo(in + 1)
		case table:
			t.popTo(in)
			t.pushHTML(tbodyElement)
		default:
			t.popTo(in)
		}
	default:
		t.popTo(in)
	}
	t.push(node{name: hash, el: el})
}

func (t *Tree) pushHTML(el element) {
	t.push(node{name: hashName([]byte(elementTraits[el].name)), el: el})
}

// End closes the element of an end tag, if it is open.
func (t *Tree) End(name []byte) {
	t.size += len("</>") + len(name)
	el, hash := elementNamed(name)
	if t.topSpace() != HTML {
		if el == brElement || el == pElement {
			t.leaveForeign()
		} else {
			n := node{name: hash}
			for at, tries := t.slots[n.slot()], t.tries(); at > t.top().html && tries > 0; at, tries = t.stack[at-1].alike, tries-1 {
				t.steps++
				if t.stack[at-1].name == hash {
					t.popTo(int(at) - 1)
					return
				}
			}
		}
	}
	t.endHTML(el, hash)
}

// tries returns how many elements a search may look at.
func (t *Tree) tries() int {
	if t.tired() {
		return tiredSearch
	}
	return maxDepth
}

// endHTML closes an element by the rules for HTML.
func (t *Tree) endHTML(el element, hash uint32) {
	if t.topIs(colgroupElement) && el != colElement && el != templateElement {
		t.popTo(len(t.stack) - 1)
		if el == colgroupElement {
			return
		}
	}
	switch {
	case el.is(isIgnored | isVoid):
	case el.is(isRaw):
		if t.topIs(el) {
			t.popTo(len(t.stack) - 1)
		} else {
			t.endOther(hash)
		}
	case el == pElement:
		t.closeIn(buttonScope, el)
	case el == liElement:
		t.closeIn(listScope, el)
	case el.is(isBlock):
		t.closeIn(anyScope, el)
	case el.is(inTable), el == tableElement:
		t.closeIn(tableScope, el)
	case el == templateElement:
		if at := t.last[el]; at > 0 {
			t.popTo(int(at) - 1)
		}
	case el == formElement:
		t.endForm()
	case el.isHeading():
		heading := h1Element
		for el := h2Element; el <= h6Element; el++ {
			if t.last[el] > t.last[heading] {
				heading = el
			}
		}
		t.closeIn(anyScope, heading)
	case el.is(isFormatting):
		t.endFormatting(el, hash)
	default:
		t.endOther(hash)
	}
}

// endForm takes a form off the stack. What is in it stays open.
func (t *Tree) endForm() {
	i := t.find(anyScope, formElement)
	switch {
	case i < 0:
	case t.open[templateElement] > 0:
		t.popTo(i)
	default:
		t.implyEnds(otherElement)
		t.remove(i)
	}
}

// endOther closes an element that no other rule is about, unless a special element is in
// between.
func (t *Tree) endOther(hash uint32) {
	n := node{name: hash}
	for at, tries := t.slots[n.slot()], t.tries(); at > 0 && at >= t.top().special && tries > 0; at, tries = t.stack[at-1].alike, tries-1 {
		t.steps++
		if n := t.stack[at-1]; n.space == HTML && n.name == hash {
			t.popTo(int(at) - 1)
			return
		}
	}
}

// hasActive reports whether there is an active formatting element of this name after the
// last marker.
func (t *Tree) hasActive(hash uint32) bool { return t.lastActive(hash) >= 0 }

func (t *Tree) lastActive(hash uint32) int {
	for i := len(t.active) - 1; i >= 0 && !t.active[i].marker; i-- {
		if t.active[i].name == hash {
			return i
		}
	}
	return -1
}

// forget removes a formatting element from the list and the stack.
func (t *Tree) forget(el element, hash uint32) {
	i := t.lastActive(hash)
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
	if n := t.top(); n.space == HTML && n.name == hash && t.activeOf(n) < 0 {
		t.popTo(len(t.stack) - 1)
		return
	}
	i := t.lastActive(hash)
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
	if i = t.lastActive(hash); i >= 0 && !t.active[i].open {
		t.active = slices.Delete(t.active, i, i+1)
	}
}

// maxAdoptions and maxInner are the limits of the loops of the adoption agency algorithm.
const (
	maxAdoptions = 8
	maxInner     = 3
)

// adopt takes the formatting element stack[at], in which there are special elements, off
// the stack: the algorithm moves it below each of them in turn, and closes it after the
// last one, with what is in it. Of elements that are not special, those that are formatting
// stay, up to three before each special one.
func (t *Tree) adopt(at int) {
	lifted := t.lift(at)
	moved, rest := lifted[0], lifted[1:]
	for range maxAdoptions {
		next := slices.IndexFunc(rest, node.isSpecial)
		if next < 0 {
			break
		}
		for i, n := range rest[:next] {
			switch j := t.activeOf(n); {
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
	if slices.ContainsFunc(rest, node.isSpecial) { // the algorithm has given up
		t.link(moved)
		for _, n := range rest {
			t.link(n)
		}
		return
	}
	for _, n := range append(rest, moved) {
		if i := t.activeOf(n); n.space == HTML && i >= 0 {
			t.active[i].open = false
		}
	}
}
