package htmltree

import "slices"

// startHTML opens an element of HTML (HTML, section 13.2.6.4.7, "in body", with the differences
// of tables).
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
	switch el { // these elements end others before they may end a paragraph
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
		if t.active.has(hash) {
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

// startOption closes the elements that the start tag of an option, an option group or a line
// between options ends.
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

// endItems closes the last list item with one of these names before the next item starts.
func (t *Tree) endItems(a, b element) {
	at := max(t.last[a], t.last[b])
	if at > 0 && at >= t.top().item {
		t.popTo(int(at) - 1)
	}
}

// endHTML closes an element according to the rules for HTML.
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

// endForm removes a form from the stack. The elements inside stay open.
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

// endOther closes an element without a rule of its own, unless a special element is in between.
func (t *Tree) endOther(hash uint32) {
	n := node{name: hash}
	for at, tries := t.slots[n.slot()], t.tries(); at > 0 && at >= t.top().special &&
		tries > 0; at, tries = t.stack[at-1].alike, tries-1 {
		t.steps++
		if n := t.stack[at-1]; n.space == HTML && n.name == hash {
			t.popTo(int(at) - 1)
			return
		}
	}
}

// closeIn closes an element and everything inside, if the element is in scope.
func (t *Tree) closeIn(s scope, el element) {
	if i := t.find(s, el); i >= 0 {
		t.popTo(i)
	}
}

// implyEnds closes elements whose end tag is optional.
func (t *Tree) implyEnds(but element) {
	for n := t.top(); n.space == HTML && n.el.is(isImplied) && n.el != but; n = t.top() {
		t.popTo(len(t.stack) - 1)
	}
}

// startInTable opens a part of a table, and the missing parts around it.
func (t *Tree) startInTable(el element, hash uint32) {
	at := t.find(tableScope, tableElement)
	if at < 0 {
		// Only a template may contain parts of a table without a table.
		at = t.find(anyScope, templateElement)
		if at < 0 || at+1 < len(t.stack) && !(t.stack[at+1].space == HTML && t.stack[at+1].el.is(inTable)) {
			return
		}
	}
	is := func(i int, elements ...element) bool {
		return i < len(t.stack) && t.stack[i].space == HTML && slices.Contains(elements, t.stack[i].el)
	}
	in := at + 1 // in is the number of open elements outside of the new one
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
