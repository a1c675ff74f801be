// Package layers orders the rules of a group so that a program that knows only "the first match
// wins" gives the answers of RFC 9309, in which the longest rule wins.
package layers

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// A Rule is a rule with a pattern whose stem starts with "/".
type Rule struct {
	Rule     robots.Rule // as written
	Stem     string      // in normal form
	Segments []string    // after the stem, with any bytes before each
	Anchored bool        // the path ends with the pattern

	bytes int // the weight
}

// A Layer is rules of one verdict. Their order does not matter.
type Layer struct {
	Allow bool
	Rules []Rule
}

// Of returns the rules of a group in layers. The first layer with a rule that matches a path
// decides; if no layer has one, the path is allowed. Rules that cannot change an answer are left
// out. The dialect must be one in which the longest rule wins. Of takes n log n steps for n rules,
// and reads each stem a few times.
func Of(g *robots.Group) []Layer {
	var rules []Rule
	for rule, pattern := range g.Patterns() {
		rules = append(rules, Split(rule, pattern)...)
	}
	slices.SortStableFunc(rules, func(a, b Rule) int {
		if a.bytes != b.bytes {
			return cmp.Compare(b.bytes, a.bytes)
		}
		return cmp.Compare(verdict(a), verdict(b))
	})
	s := newStems(rules)
	rules = s.needed(rules)

	// A rule must be in a layer after those of all stronger rules of the other verdict that may
	// match the same path. Layers of even number allow, layers of odd number disallow.
	var above, below [2]maxima // by verdict: the layers of shorter stems, and of longer ones
	for v := range above {
		above[v], below[v] = newMaxima(len(s.list)), newMaxima(len(s.list))
	}
	var layers []Layer
	for _, r := range rules {
		v := verdict(r)
		from, to := s.span(r.Stem)
		n := max(above[1-v].at(from), below[1-v].within(from, to)) // 1 + the layer, or 0
		if n%2 != v {
			n++
		}
		for len(layers) <= n {
			layers = append(layers, Layer{Allow: len(layers)%2 == 0})
		}
		layers[n].Rules = append(layers[n].Rules, r)
		above[v].raise(from, to, n+1)
		below[v].set(from, n+1)
	}
	return slices.DeleteFunc(layers, func(l Layer) bool { return len(l.Rules) == 0 })
}

// verdict returns the place of the verdict of a rule among those of equal length: 0 for Allow, 1
// for Disallow.
func verdict(r Rule) int {
	if r.Rule.Allow {
		return 0
	}
	return 1
}

// Split returns a pattern as rules whose stems start with "/", as each path does: none if no path
// matches, and two for "*/x", which also matches where the path starts.
func Split(rule robots.Rule, p robots.Pattern) []Rule {
	segments := slices.Collect(p.Segments())
	r := Rule{rule, p.Stem, segments, p.Anchored, p.Bytes}
	switch {
	case strings.HasPrefix(r.Stem, "/"):
		return []Rule{r}
	case r.Stem != "" || len(segments) == 0 && r.Anchored:
		return nil
	}
	r.Stem = "/"
	rules := []Rule{r}
	if len(segments) > 0 && segments[0][0] == '/' {
		r.Stem, r.Segments = segments[0], segments[1:]
		rules = append(rules, r)
	}
	return rules
}

// stems is the sorted stems of rules. The stems that start with a stem follow it.
type stems struct {
	list []string
	ends []int // after the last stem that starts with the stem
}

func newStems(rules []Rule) *stems {
	list := make([]string, len(rules))
	for i, r := range rules {
		list[i] = r.Stem
	}
	slices.Sort(list)
	list = slices.Compact(list)
	s := &stems{list, make([]int, len(list))}
	var open []int // stems with which the current one starts
	for i, stem := range list {
		for len(open) > 0 && !strings.HasPrefix(stem, list[open[len(open)-1]]) {
			s.ends[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	for _, i := range open {
		s.ends[i] = len(list)
	}
	return s
}

// span returns the place of a stem in the list, and the end of the stems that start with it.
func (s *stems) span(stem string) (from, to int) {
	from, _ = slices.BinarySearch(s.list, stem)
	return from, s.ends[from]
}

// needed returns the rules without the Allow rules that overrule no rule. The rules are sorted, the
// strongest first.
func (s *stems) needed(rules []Rule) []Rule {
	above, below := newMaxima(len(s.list)), newMaxima(len(s.list))
	var kept []Rule
	for _, r := range slices.Backward(rules) {
		from, to := s.span(r.Stem)
		if r.Rule.Allow {
			if above.at(from) == 0 && below.within(from, to) == 0 {
				continue
			}
		} else {
			above.raise(from, to, 1)
			below.set(from, 1)
		}
		kept = append(kept, r)
	}
	slices.Reverse(kept)
	return kept
}

// maxima is a row of numbers, all 0 at first, in a tree of maxima. A row is used either with raise
// and at, or with set and within.
type maxima []int

func newMaxima(n int) maxima { return make(maxima, 2*n) }

// raise makes the numbers from i to before j at least n.
func (m maxima) raise(i, j, n int) {
	for node := range m.cover(i, j) {
		m[node] = max(m[node], n)
	}
}

// at returns the number at i, raised.
func (m maxima) at(i int) (n int) {
	for i += len(m) / 2; i > 0; i /= 2 {
		n = max(n, m[i])
	}
	return n
}

// set makes the number at i at least n.
func (m maxima) set(i, n int) {
	for i += len(m) / 2; i > 0; i /= 2 {
		m[i] = max(m[i], n)
	}
}

// within returns the largest number from i to before j.
func (m maxima) within(i, j int) (n int) {
	for node := range m.cover(i, j) {
		n = max(n, m[node])
	}
	return n
}

// cover yields the nodes of the tree that together have the numbers from i to before j.
func (m maxima) cover(i, j int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, j := i+len(m)/2, j+len(m)/2; i < j; i, j = i/2, j/2 {
			if i%2 == 1 {
				if !yield(i) {
					return
				}
				i++
			}
			if j%2 == 1 {
				j--
				if !yield(j) {
					return
				}
			}
		}
	}
}
