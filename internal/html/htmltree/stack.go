package htmltree

// maxDepth is the maximum number of open elements. An element beyond it replaces the
// innermost one, as in Chromium, so that the memory does not grow with the page.
const maxDepth = 512

// An integration point is an element of SVG or MathML that may contain HTML.
type integration uint8

const (
	noIntegration   integration = iota
	htmlIntegration             // HTML, section 13.2.6: "HTML integration point"
	textIntegration             // "MathML text integration point"
)

// A node is an open element. It records the places on the stack where a search ends, so that no
// search visits a deep stack again and again. A place is an index plus one, or 0 for none.
type node struct {
	name  uint32 // the hash of its name
	el    element
	space Namespace
	point integration

	// Place of the last element up to and including this one
	stop    int16 // that keeps elements outside of it from being closed
	special int16 // that is special
	item    int16 // that keeps list items inside from ending those outside
	html    int16 // of HTML

	same   int16 // the previous element of HTML with the same el
	alike  int16 // the previous element in the same slot
	active int16 // place in the list of active formatting elements when it was added
}

// The budget of a page in steps: a constant number, and some for each byte of its tags. A step
// opens, closes, moves or visits one element. Real pages take one step for ten bytes.
const (
	freeSteps    = 1 << 16
	stepsPerByte = 1
	tiredSearch  = 16 // elements that a search visits once the budget is spent
)

// slotCount is the number of slots for names of open elements.
const slotCount = 64

func (n *node) slot() int { return int(n.name % slotCount) }

// isSpecial reports whether n is special.
func (n *node) isSpecial() bool {
	return n.space == HTML && n.el.is(isSpecial) || n.foreignSpecial()
}

// foreignSpecial reports whether HTML counts n, which is SVG or MathML, among the special
// elements. These are the integration points and annotation-xml.
func (n *node) foreignSpecial() bool {
	switch n.space {
	case SVG:
		return n.point == htmlIntegration
	case MathML:
		return n.point == textIntegration || n.el == annotationXMLElement
	}
	return false
}

// An openElements is the stack of open elements (HTML, section 13.2.4.2), without html, head and
// body. It knows where the last element of each name is.
type openElements struct {
	stack []node
	open  [elementCount]int   // number of elements of HTML on the stack
	last  [elementCount]int16 // place of the last of them
	slots [slotCount]int16    // place of the last element whose name has this slot
	svgs  int                 // elements of SVG on the stack
	spare []node

	steps int
	size  int // of the tags, in bytes
}

// tired reports whether the budget is spent. For the rest of the page the tree does only the
// work that is needed to distinguish HTML from SVG.
func (t *openElements) tired() bool { return t.steps > freeSteps+stepsPerByte*t.size }

// tries returns the maximum number of elements that a search visits.
func (t *openElements) tries() int {
	if t.tired() {
		return tiredSearch
	}
	return maxDepth
}

// top returns the current node. For html, head and body, which are not on the stack, it is the
// zero node. The result is valid until the stack changes. top returns a pointer because copying
// a node that was just written would stall on the write.
func (t *openElements) top() *node {
	if len(t.stack) == 0 {
		return &noNode
	}
	return &t.stack[len(t.stack)-1]
}

// noNode is the node that top returns when no element is open. It is never written.
var noNode node

// topIs reports whether the current node is this element of HTML.
func (t *openElements) topIs(el element) bool {
	n := len(t.stack)
	return n > 0 && t.stack[n-1].el == el && t.stack[n-1].space == HTML
}

// topSpace returns the vocabulary of the current node.
func (t *openElements) topSpace() Namespace {
	if n := len(t.stack); n > 0 {
		return t.stack[n-1].space
	}
	return HTML
}

// InSVG reports whether an element of SVG is open. It may contain HTML.
func (t *openElements) InSVG() bool { return t.svgs > 0 }

// InTemplate reports whether a template is open. The content of a template is not a part of the
// page.
func (t *openElements) InTemplate() bool { return t.open[templateElement] > 0 }

// TakesCDATA reports whether a CDATA section is text in the current node: one of SVG or MathML that
// takes no HTML. Firefox and the letter of the standard (section 13.2.5.42) have such sections at
// integration points too, where Chromium and parse5 read a comment that ends at the first ">".
func (t *openElements) TakesCDATA() bool {
	return t.topSpace() != HTML && t.top().point == noIntegration
}

// link pushes n on the stack.
func (t *openElements) link(n node) {
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

// unlink pops the last element. The result is valid until the stack grows.
func (t *openElements) unlink() *node {
	t.steps++
	last := len(t.stack) - 1
	n := &t.stack[last]
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

// lift pops the elements from stack[i] on and returns them. The result is valid until the next
// call.
func (t *openElements) lift(i int) []node {
	t.spare = append(t.spare[:0], t.stack[i:]...)
	for len(t.stack) > i {
		t.unlink()
	}
	return t.spare
}

// remove removes stack[i] from the stack, and keeps the elements inside.
func (t *openElements) remove(i int) {
	if t.tired() {
		return
	}
	for _, n := range t.lift(i)[1:] {
		t.link(n)
	}
}

// A scope says which elements end the search for an open element, in addition to those that
// always do.
type scope uint8

const (
	anyScope scope = iota
	listScope
	buttonScope
	tableScope // only tables and templates end it
)

// find returns the index of the last open element of HTML with this name in scope, or -1.
func (t *openElements) find(s scope, el element) int {
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

// inTableMode reports whether the rules for tables apply, outside of cells and captions.
func (t *openElements) inTableMode() bool {
	in := max(t.last[tableElement], t.last[tbodyElement], t.last[theadElement], t.last[tfootElement], t.last[trElement])
	return in > max(t.last[tdElement], t.last[thElement], t.last[captionElement], t.last[templateElement])
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

// takesHTML reports whether the start tag of an element inside n, which is SVG or MathML,
// follows the rules for HTML.
func (n *node) takesHTML(el element) bool {
	switch n.point {
	case htmlIntegration:
		return true
	case textIntegration:
		return el != mglyphElement && el != malignmarkElement
	}
	return n.space == MathML && n.el == annotationXMLElement && el == svgElement
}
