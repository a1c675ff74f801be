// Package htmltree tracks the open elements of a page, tag by tag. It distinguishes HTML from
// SVG and MathML, where style, script, title and similar elements have markup, and where tags
// may be self-closing. It builds no tree.
package htmltree

import (
	"math"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// A Namespace is the vocabulary of an element.
type Namespace uint8

// The vocabularies.
const (
	HTML Namespace = iota
	SVG
	MathML
)

// A Tree has the open elements of a page. It follows the parts of the tree construction of HTML
// (section 13.2.6) on which open elements depend. It omits quirks mode and the insertion modes of
// the head, of framesets and of the text after the body, because robots treat these parts alike.
// The zero Tree is the tree of an empty page.
//
// The memory of a Tree does not grow with the page. The time is linear in the page: in some
// hostile pages each tag closes and opens many formatting elements; from some tag on, a Tree
// stops to reopen and move formatting elements.
type Tree struct {
	openElements
	active formattingList
}

// Empty returns an empty tree, which reuses the memory of t.
func (t *Tree) Empty() Tree {
	return Tree{openElements: openElements{stack: t.stack[:0], spare: t.spare[:0]}, active: t.active[:0]}
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
		t.active.add(n)
		t.stack[len(t.stack)-1].active = int16(min(len(t.active), math.MaxInt16))
	case n.hasMarker():
		t.active = append(t.active, formatting{el: n.el, marker: true, open: true})
	}
}

// popTo closes the elements from stack[i] on.
func (t *Tree) popTo(i int) {
	for len(t.stack) > i {
		n := t.unlink()
		if n.space != HTML || !n.el.is(isFormatting|isScope) {
			continue
		}
		if n.hasMarker() {
			t.active.clear()
		} else if j := t.active.indexOf(n); j >= 0 && n.el.is(isFormatting) {
			t.active[j].open = false
		}
	}
}

// Text handles a text between tags.
func (t *Tree) Text() {
	if len(t.active) == 0 {
		return
	}
	n := t.top()
	if n.space == HTML && !n.el.is(inTable|isRaw) && n.el != tableElement || n.point != noIntegration {
		t.reconstruct()
	}
}

// Start opens the element of a start tag and returns its vocabulary. raw is the tag as written,
// and name is its name in letters of any case. selfClosing says that the tag ends with "/>".
func (t *Tree) Start(raw, name []byte, selfClosing bool) Namespace {
	t.size += len(raw)
	el, hash := elementNamed(name)
	if t.topSpace() != HTML && !t.top().takesHTML(el) {
		if !el.is(endsForeign) && !(el == fontElement && isStyledFont(raw)) {
			space := t.topSpace()
			if !selfClosing {
				t.push(foreignNode(space, el, hash, raw))
			}
			return space
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

// leaveForeign closes elements up to one that may contain HTML.
func (t *Tree) leaveForeign() {
	for n := t.top(); n.space != HTML && n.point == noIntegration; n = t.top() {
		t.popTo(len(t.stack) - 1)
	}
}

// isStyledFont reports whether a font tag has an attribute that ends foreign content.
func isStyledFont(raw []byte) bool {
	for r := htmltoken.AttributesOf(raw); ; {
		name, _, ok := r.Next()
		if !ok || htmltoken.EqualFold(name, "color") || htmltoken.EqualFold(name, "face") ||
			htmltoken.EqualFold(name, "size") {
			return ok
		}
	}
}

// isHTMLAnnotation reports whether an annotation-xml tag declares HTML content.
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

// End closes the element of an end tag, if it is open.
func (t *Tree) End(name []byte) {
	t.size += len("</>") + len(name)
	el, hash := elementNamed(name)
	if t.topSpace() != HTML {
		if el == brElement || el == pElement {
			t.leaveForeign()
		} else {
			n := node{name: hash}
			for at, tries := t.slots[n.slot()], t.tries(); at > t.top().html &&
				tries > 0; at, tries = t.stack[at-1].alike, tries-1 {
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
