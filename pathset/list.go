package pathset

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
)

// Rules are the rules of a group, ready to be asked about all paths at once. They
// are immutable and safe for concurrent use.
type Rules struct {
	dialect   robots.Dialect
	rules     []patternRule // in the order in which they win
	otherwise bool          // whether paths are allowed that no pattern matches

	stems func() *stems // made when it is first asked for
}

// A patternRule is a rule with one of its patterns.
type patternRule struct {
	rule      robots.Rule
	pattern   robots.Pattern
	automaton *automaton
	always    bool // it is no rule of the file, but that robots.txt itself is allowed
}

// Compile makes the rules of a group ready. It takes time linear in them, but for
// sorting.
func Compile(g *robots.Group) *Rules {
	d := g.Dialect()
	var rules []patternRule
	for rule, pattern := range g.Patterns() {
		rules = append(rules, patternRule{rule: rule, pattern: pattern})
	}
	if !d.FirstMatch() { // else the first in the file wins
		sortByWeight(rules, func(_ robots.Rule, p robots.Pattern) int { return p.Bytes })
	}
	if d.AllowsRobotsFile() {
		rules = slices.Insert(rules, 0, patternRule{pattern: d.Pattern("/robots.txt$"), always: true})
	}
	for i := range rules {
		rules[i].automaton = newAutomaton(rules[i].pattern)
	}
	// Where robots.txt is unreachable, nothing is allowed but that file.
	return newRules(d, rules, g.Match("/").Reason != robots.Unreachable)
}

// sortByWeight puts rules of more weight first, and of equal ones those that allow.
func sortByWeight(rules []patternRule, weight func(robots.Rule, robots.Pattern) int) {
	slices.SortStableFunc(rules, func(a, b patternRule) int {
		heavier := cmp.Compare(weight(b.rule, b.pattern), weight(a.rule, a.pattern))
		if heavier != 0 || a.rule.Allow == b.rule.Allow {
			return heavier
		}
		if a.rule.Allow {
			return -1
		}
		return 1
	})
}

func newRules(d robots.Dialect, rules []patternRule, otherwise bool) *Rules {
	stems := sync.OnceValue(func() *stems { return newStems(rules) })
	return &Rules{d, rules, otherwise, stems}
}

// All returns the rules with their patterns, in the order in which they win.
func (r *Rules) All() iter.Seq2[robots.Rule, robots.Pattern] {
	return func(yield func(robots.Rule, robots.Pattern) bool) {
		for i := range r.rules {
			if of := &r.rules[i]; !of.always && !yield(of.rule, of.pattern) {
				return
			}
		}
	}
}

// By returns the rules in another order, for readers that decide otherwise than
// by bytes: those of more weight win, and of equal ones those that allow.
func (r *Rules) By(weight func(robots.Rule, robots.Pattern) int) *Rules {
	rules := slices.Clone(r.rules)
	files := 0 // robots.txt itself is allowed before all rules
	for files < len(rules) && rules[files].always {
		files++
	}
	sortByWeight(rules[files:], weight)
	return newRules(r.dialect, rules, r.otherwise)
}

// Closed reports whether paths are disallowed that no rule matches, because
// robots.txt is unreachable.
func (r *Rules) Closed() bool { return !r.otherwise }

// Near returns the rules without those that match no path which a pattern
// matches, as far as the texts that they start with tell. To ask only about the
// rules near a pattern is much faster where there are thousands.
func (r *Rules) Near(p robots.Pattern) *Rules {
	near := r.stems().near(p.Stem)
	rules := make([]patternRule, len(near))
	for i, n := range near {
		rules[i] = r.rules[n]
	}
	return newRules(r.dialect, rules, r.otherwise)
}

// stems finds rules by what their patterns start with.
type stems struct {
	exact  map[string][]int32 // the numbers of rules with a stem
	sorted []string           // all stems
}

func newStems(rules []patternRule) *stems {
	s := &stems{exact: make(map[string][]int32)}
	for i := range rules {
		stem := rules[i].pattern.Stem
		if s.exact[stem] == nil {
			s.sorted = append(s.sorted, stem)
		}
		s.exact[stem] = append(s.exact[stem], int32(i))
	}
	slices.Sort(s.sorted)
	return s
}

// near returns the numbers of rules of which the stem starts with the given one,
// or starts it, in order.
func (s *stems) near(stem string) (numbers []int32) {
	for n := range len(stem) {
		numbers = append(numbers, s.exact[stem[:n]]...)
	}
	for i, _ := slices.BinarySearch(s.sorted, stem); i < len(s.sorted) && strings.HasPrefix(s.sorted[i], stem); i++ {
		numbers = append(numbers, s.exact[s.sorted[i]]...)
	}
	slices.Sort(numbers)
	return numbers
}

// Where returns the rules without those patterns for which keep returns false.
func (r *Rules) Where(keep func(robots.Rule, robots.Pattern) bool) *Rules {
	rules := make([]patternRule, 0, len(r.rules))
	for _, of := range r.rules {
		if of.always || keep(of.rule, of.pattern) {
			rules = append(rules, of)
		}
	}
	return newRules(r.dialect, rules, r.otherwise)
}

// Until returns the rules up to the first one for which covers returns true, and
// takes that one to match every path. Where covers is true only of patterns that
// match all paths of a set, the answers about paths of that set are the same, and
// those about others have no meaning: a search knows at once what it would find out
// only after all rules were compared with each other.
func (r *Rules) Until(covers func(robots.Rule, robots.Pattern) bool) *Rules {
	for i, of := range r.rules {
		if !of.always && covers(of.rule, of.pattern) {
			rules := slices.Clone(r.rules[:i+1])
			rules[i].automaton = &automaton{}
			return newRules(r.dialect, rules, r.otherwise)
		}
	}
	return r
}

// Allowed returns the paths that the rules allow.
func (r *Rules) Allowed() Set {
	in := make([]bool, len(r.rules))
	for i := range r.rules {
		in[i] = r.rules[i].always || r.rules[i].rule.Allow
	}
	return r.set(&list{r.rules, in, r.otherwise})
}

// Decided returns the paths that are decided by a rule with a pattern for which by
// returns true.
func (r *Rules) Decided(by func(robots.Rule, robots.Pattern) bool) Set {
	in := make([]bool, len(r.rules))
	for i := range r.rules {
		in[i] = !r.rules[i].always && by(r.rules[i].rule, r.rules[i].pattern)
	}
	return r.set(&list{r.rules, in, false})
}

func (r *Rules) set(l *list) Set { return Set{formOf(r.dialect), &node{list: l}} }

// A list is a decision list: the first of its rules whose pattern matches a path
// tells whether the path is in. It is immutable.
type list struct {
	rules     []patternRule
	in        []bool
	otherwise bool // for paths that no pattern matches
}

// contains reports whether a path is in, by trying each rule. It is the slow twin
// of what a search does.
func (l *list) contains(path string) bool {
	for i := range l.rules {
		if l.rules[i].automaton.matches(path) {
			return l.in[i]
		}
	}
	return l.otherwise
}

// A listState is what a list knows of a path that was read so far: whether it is
// in if no live rule matches it, then the number and state of each live rule, in
// the order in which they win. Those whose match would change nothing are left
// out, so that a list that has decided has none.
type listState []int32

// start appends to b the state in which nothing was read.
func (l *list) start(b []int32) listState {
	begin, fallback := len(b), l.otherwise
	b = append(b, 0)
	for i := range l.rules {
		s := l.rules[i].automaton.start()
		if s == all {
			fallback = l.in[i]
			break
		}
		b = append(b, int32(i), s)
	}
	return l.complete(b, begin, fallback)
}

// step appends to b the state after byte c.
func (l *list) step(b []int32, from listState, c byte) listState {
	begin, fallback := len(b), from.fallback()
	b = append(b, 0)
	for k := 1; k < len(from); k += 2 {
		s := l.rules[from[k]].automaton.step(from[k+1], c)
		if s == all {
			fallback = l.in[from[k]]
			break
		}
		if s != dead {
			b = append(b, from[k], s)
		}
	}
	return l.complete(b, begin, fallback)
}

// complete completes the state that begins at place begin of b: it sets what is in
// if no live rule matches, and drops the last rules that say the same.
func (l *list) complete(b []int32, begin int, fallback bool) listState {
	for len(b) > begin+1 && l.in[b[len(b)-2]] == fallback {
		b = b[:len(b)-2]
	}
	if fallback {
		b[begin] = 1
	}
	return b
}

// fallback reports whether a path is in if no live rule matches it.
func (s listState) fallback() bool { return s[0] != 0 }

// decided reports whether nothing that follows changes the fallback.
func (s listState) decided() bool { return len(s) == 1 }

// ends reports whether a path that ends in state s is in.
func (l *list) ends(s listState) bool {
	for k := 1; k < len(s); k += 2 {
		if l.rules[s[k]].automaton.accepts(s[k+1]) {
			return l.in[s[k]]
		}
	}
	return s.fallback()
}

// telling adds to set the bytes that matter in state s.
func (l *list) telling(s listState, set *byteSet) {
	for k := 1; k < len(s); k += 2 {
		l.rules[s[k]].automaton.telling(s[k+1], set)
	}
}

// hopeful adds to set the bytes after which paths that are in, or, if in is
// false, that are not, may still go on. It returns false if these are all.
func (l *list) hopeful(s listState, in bool, set *byteSet) bool {
	if s.fallback() == in {
		return false
	}
	for k := 1; k < len(s); k += 2 {
		if l.in[s[k]] == in && !l.rules[s[k]].automaton.narrow(s[k+1], set) {
			return false
		}
	}
	return true
}
