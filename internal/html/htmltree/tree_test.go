package htmltree

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// stopsScope reports whether elements outside of n cannot be closed inside.
func (n *node) stopsScope() bool {
	return n.space == HTML && n.el.is(isScope) || n.foreignSpecial()
}

// endsItems reports whether list items outside of n are not ended by one inside.
func (n *node) endsItems() bool {
	return n.isSpecial() && !(n.space == HTML && (n.el == addressElement || n.el == divElement || n.el == pElement))
}

// check returns an error in a tree, or "".
func (t *Tree) check() string {
	var open [elementCount]int
	names := make(map[uint32]int)
	for i, n := range t.stack {
		if n.space == HTML {
			open[n.el]++
			names[n.name]++
		}
		// The slow twin of the places that link records: the last such element up to this one.
		last := func(is func(*node) bool) int16 {
			for j := i; j >= 0; j-- {
				if is(&t.stack[j]) {
					return int16(j + 1)
				}
			}
			return 0
		}
		if n.stop != last((*node).stopsScope) || n.special != last((*node).isSpecial) ||
			n.item != last((*node).endsItems) ||
			n.html != last(func(n *node) bool { return n.space == HTML }) {
			return "places that end a search are wrong"
		}
		if i > 0 && n.alike > int16(i) || n.same > int16(i) {
			return "a place is not below"
		}
	}
	for el, at := range t.last {
		want := int16(0)
		for i, n := range t.stack {
			if n.space == HTML && n.el == element(el) {
				want = int16(i + 1)
			}
		}
		if at != want {
			return "the last " + elementTraits[el].name + " is somewhere else"
		}
	}
	if open != t.open {
		return "open elements are counted wrongly"
	}
	if len(t.stack) > maxDepth {
		return "the stack is too deep"
	}
	markers, run := 0, make(map[uint32]int)
	for _, f := range t.active {
		switch {
		case f.marker:
			markers++
			clear(run)
			continue
		case f.open:
			if names[f.name]--; names[f.name] < 0 {
				return "the formatting element " + elementTraits[f.el].name + " is not open"
			}
		}
		if run[f.name]++; run[f.name] > maxAlike {
			return "too many formatting elements alike"
		}
	}
	if markers > maxDepth {
		return "too many markers"
	}
	return ""
}

// run applies tags, which are separated by spaces. It checks the tree after each tag, or after
// some of many, because the time of a check is quadratic in the depth.
func run(t *testing.T, tags string) (tree Tree) {
	t.Helper()
	number, every := 0, 1+strings.Count(tags, " ")/200
	for tag := range strings.SplitSeq(tags, " ") {
		switch name, end := strings.CutPrefix(tag, "/"); {
		case tag == "":
			tree.Text()
		case end:
			tree.End([]byte(name))
		default:
			name, closed := strings.CutSuffix(name, "/")
			name, _, _ = strings.Cut(name, ";")
			raw := "<" + strings.ReplaceAll(tag, ";", " ") + ">"
			tree.Start([]byte(raw), []byte(name), closed)
		}
		if number++; number%every > 0 {
			continue
		}
		if wrong := tree.check(); wrong != "" {
			t.Fatalf("%s: after %q %s", tags, tag, wrong)
		}
	}
	return tree
}

// FuzzTree checks the tree after each of some tags.
func FuzzTree(f *testing.F) {
	var names []string
	for _, e := range elementTraits[1:] {
		names = append(names, e.name, "/"+e.name, e.name+"/")
	}
	names = append(names, "x-y", "/x-y", "", "font;color=x", "annotation-xml;encoding=text/html")
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var tags []string
		for range 1 + r.IntN(60) {
			tags = append(tags, names[r.IntN(len(names))])
		}
		f.Add(strings.Join(tags, " "))
	}
	f.Add(strings.Repeat("b div i ", 300) + strings.Repeat("/b ", 20))
	f.Add(strings.Repeat("object b ", 300) + strings.Repeat("/object ", 300))
	f.Add(strings.Repeat("svg desc ", 300) + strings.Repeat("/svg /desc ", 300))
	f.Fuzz(func(t *testing.T, tags string) {
		if len(tags) < 8<<10 {
			run(t, tags)
		}
	})
}

// TestNamespace follows where HTML and SVG begin and end, by where a CDATA section is text.
func TestNamespace(t *testing.T) {
	for _, test := range []struct {
		tags    string
		foreign bool
	}{
		{"svg", true},
		{"svg/", false},
		{"svg /svg", false},
		{"svg title", false}, // an integration point
		{"svg desc g", false},
		{"math mi", false},
		{"math annotation-xml", true},
		{"math annotation-xml;encoding=text/html", false},
		{"svg title p", false},
		{"svg p", false},
		{"svg g /p", false},
		{"svg g font", true},
		{"svg g font;color=x", false},
		{"math mi mglyph", true},
		{"math mi b", false},
		{"math annotation-xml svg", true},
		{"math annotation-xml p", false},
		{"math annotation-xml;encoding=text/html span", false},
		{"div svg g /div", false},
		{"svg g /div", true},
		{"div object svg /div", true},
		{"template svg /template", false},
		{"table td svg desc td", false},
	} {
		if tree := run(t, test.tags); tree.TakesCDATA() != test.foreign {
			t.Errorf("%s: foreign %t, want %t", test.tags, !test.foreign, test.foreign)
		}
	}
}
