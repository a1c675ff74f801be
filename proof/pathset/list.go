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
	rules     []patternRule // in order of precedence
	otherwise bool          // whether paths that match no pattern are allowed

	stems func() *stems // built on first use
}

// A patternRule is a rule with one of its patterns.
type patternRule struct {
	rule      robots.Rule
	pattern   robots.Pattern
	automaton *automaton
	always    bool // not a rule of the file: robots.txt itself is always allowed
}

// Compile prepares the rules of a group. It takes time linear in their size,
// except for sorting.
func Compile(g *robots.Group) *Rules {
	d := g.Dialect()
	var rules []patternRule
	for rule, pattern := range g.Patterns() {
		rules = append(rules, patternRule{rule: rule, pattern: pattern})
	}
	if !d.FirstMatch() { // otherwise the first rule in the file wins
		sortByWeight(rules, func(_ robots.Rule, p robots.Pattern) int { return p.Bytes })
	}
	if d.AllowsRobotsFile() {
		rules = slices.Insert(rules, 0, patternRule{pattern: d.Pattern("/robots.txt$"), always: true})
	}
	for i := range rules {
		rules[i].automaton = newAutomaton(rules[i].pattern)
	}
	// If robots.txt is unreachable, only that file is allowed.
	return newRules(d, rules, g.Match("/").Reason != robots.Unreachable)
}

// sortByWeight sorts rules by decreasing weight, and puts allowing rules before disallowing
// ones of equal weight.
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

// By returns the rules in another order, for readers that do not decide by bytes: the rule with the
// larger weight wins, and of equal ones the rule that allows.
func (r *Rules) By(weight func(robots.Rule, robots.Pattern) int) *Rules {
	rules := slices.Clone(r.rules)
	files := 0 // the leading rules that allow robots.txt itself
	for files < len(rules) && rules[files].always {
		files++
	}
	sortByWeight(rules[files:], weight)
	return newRules(r.dialect, rules, r.otherwise)
}

// Closed reports whether paths are disallowed that no rule matches, because
// robots.txt is unreachable.
func (r *Rules) Closed() bool { return !r.otherwise }

// Near drops rules that cannot match any path that a pattern matches, judging by the stems of both,
// and returns the others. With thousands of rules, a question about only the rules near a pattern
// is much faster.
func (r *Rules) Near(p robots.Pattern) *Rules {
	near := r.stems().near(p.Stem)
	rules := make([]patternRule, len(near))
	for i, n := range near {
		rules[i] = r.rules[n]
	}
	return newRules(r.dialect, rules, r.otherwise)
}

// stems finds rules by the beginnings of their patterns.
type stems struct {
	exact  map[string][]int32 // the indexes of the rules with a stem
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

// near returns the indexes of the rules whose stem is a prefix of the given stem or begins with
// it, in order.
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
// treats that rule as one that matches every path. Use it to search a set when
// covers is true only of patterns that match all paths of the set: then the answers
// for the set stay the same, and the search need not compare all rules with each
// other. The answers for other paths have no meaning.
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

// Decided returns the paths whose deciding rule satisfies by.
func (r *Rules) Decided(by func(robots.Rule, robots.Pattern) bool) Set {
	in := make([]bool, len(r.rules))
	for i := range r.rules {
		in[i] = !r.rules[i].always && by(r.rules[i].rule, r.rules[i].pattern)
	}
	return r.set(&list{r.rules, in, false})
}

func (r *Rules) set(l *list) Set { return Set{formOf(r.dialect), &node{list: l}} }

// A list is a decision list: the first rule whose pattern matches a path decides whether the
// path is in the list. A list is immutable.
type list struct {
	rules     []patternRule
	in        []bool
	otherwise bool // for paths that match no pattern
}

// contains reports whether a path is in the list, by trying each rule. It is the slow twin of a
// search.
func (l *list) contains(path string) bool {
	for i := range l.rules {
		if l.rules[i].automaton.matches(path) {
			return l.in[i]
		}
	}
	return l.otherwise
}

// A listState is the state of a list after a part of a path was read: whether the path is in
// the list if no live rule matches, and then the number and state of each live rule, in order
// of precedence. Rules whose match would change nothing are omitted, so a list that has decided
// has no live rules.
type listState []int32

// start appends the state before the first byte to b.
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

// step appends the state after byte c to b.
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

// complete completes the state that begins at index begin of b: it sets the fallback, and drops
// the last rules if they agree with the fallback.
func (l *list) complete(b []int32, begin int, fallback bool) listState {
	for len(b) > begin+1 && l.in[b[len(b)-2]] == fallback {
		b = b[:len(b)-2]
	}
	if fallback {
		b[begin] = 1
	}
	return b
}

// fallback reports whether a path is in the list if no live rule matches.
func (s listState) fallback() bool { return s[0] != 0 }

// decided reports whether no further byte can change the fallback.
func (s listState) decided() bool { return len(s) == 1 }

// ends reports whether a path that ends in state s is in the list.
func (l *list) ends(s listState) bool {
	for k := 1; k < len(s); k += 2 {
		if l.rules[s[k]].automaton.accepts(s[k+1]) {
			return l.in[s[k]]
		}
	}
	return s.fallback()
}

// telling adds to set the bytes that are relevant in state s.
func (l *list) telling(s listState, set *byteSet) {
	for k := 1; k < len(s); k += 2 {
		l.rules[s[k]].automaton.telling(s[k+1], set)
	}
}

// hopeful adds to set the bytes after which paths in the list may continue, or, if in is false,
// paths outside of it. It returns false if they may continue with any byte.
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
