package proof

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/pathset"
)

// A Redundancy is a line that says nothing: without it, and without all others
// that are told with it, every robot gets the same answer for every path.
type Redundancy struct {
	Rule robots.Rule // of a rule; else only its Line is set
	Why  string      // such as "never decides"
}

// String returns the redundancy as a line, such as "line 4: Disallow: /a/b: never
// decides".
func (r Redundancy) String() string {
	if r.Rule.Pattern == "" {
		return fmt.Sprintf("line %d: %s", r.Rule.Line, r.Why)
	}
	return fmt.Sprintf("line %d: %v: %s", r.Rule.Line, r.Rule, r.Why)
}

// Redundant returns the rules that can be left out together, in the order of
// their lines: in RFC 9309 and in dialect Google, for every robot. A group keeps
// at least one of its rules, because a group without any is joined with the next
// one. What could not be decided is kept, and undecided tells that there was such
// a rule.
func Redundant(p *robots.Policy, o Options) (redundant []Redundancy, undecided bool) {
	r := newReduction(p, o)
	r.run()
	for line, why := range r.removed {
		redundant = append(redundant, Redundancy{r.rules[line], why})
	}
	slices.SortFunc(redundant, func(a, b Redundancy) int { return cmp.Compare(a.Rule.Line, b.Rule.Line) })
	return redundant, r.undecided
}

// A reduction finds lines to leave out, one by one.
type reduction struct {
	limit     int
	rules     map[int]robots.Rule // that may be left out, by line
	groups    map[int][]*reduced  // in which a line has a rule, of both dialects
	blocks    map[int]int         // for each of rules the line of its group
	left      map[int]int         // for each of these how many lines with a rule are left
	removed   map[int]string      // why a line is left out
	undecided bool
}

// A reduced is the group of some robots in one dialect.
type reduced struct {
	rules    *pathset.Rules
	patterns map[int][]ruled // by line
}

type ruled struct {
	rule    robots.Rule
	pattern robots.Pattern
}

// bothDialects are those in which a reduction changes nothing.
var bothDialects = []robots.Dialect{robots.RFC9309, robots.Google}

func newReduction(p *robots.Policy, o Options) *reduction {
	r := &reduction{
		limit: o.Limit, rules: make(map[int]robots.Rule), groups: make(map[int][]*reduced),
		blocks: make(map[int]int), left: make(map[int]int), removed: make(map[int]string),
	}
	seen := make(map[int]int) // in how many dialects a line is the same rule
	for i, d := range bothDialects {
		policy := p.In(d)
		for _, g := range policy.Groups() {
			for rule := range g.Rules() {
				switch line := rule.Line; {
				case i == 0:
					r.rules[line] = rule
					r.blocks[line] = g.Line()
					r.left[g.Line()]++
					seen[line] = 1
				case r.rules[line] == rule && r.blocks[line] == g.Line():
					seen[line]++
				}
			}
		}
		for _, g := range combined(policy) {
			of := &reduced{rules: pathset.Compile(g), patterns: make(map[int][]ruled)}
			for rule, pattern := range g.Patterns() {
				if len(of.patterns[rule.Line]) == 0 {
					r.groups[rule.Line] = append(r.groups[rule.Line], of)
				}
				of.patterns[rule.Line] = append(of.patterns[rule.Line], ruled{rule, pattern})
			}
		}
	}
	for line := range r.rules {
		if seen[line] < len(bothDialects) {
			delete(r.rules, line) // the dialects do not agree on what it is
		}
	}
	return r
}

// combined returns the groups that some robot obeys, each once.
func combined(p *robots.Policy) (groups []*robots.Group) {
	seen := make(map[string]bool)
	for _, name := range named(p) {
		g := p.For(name)
		if key := fmt.Sprint(g.Lines()); !seen[key] {
			seen[key] = true
			groups = append(groups, g)
		}
	}
	return groups
}

// run leaves out what it can, the longest patterns first.
func (r *reduction) run() {
	lines := make([]int, 0, len(r.rules))
	for line := range r.rules {
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(r.rules[b].Pattern), len(r.rules[a].Pattern)), cmp.Compare(b, a))
	})
	for _, line := range lines {
		block := r.blocks[line]
		if r.left[block] < 2 {
			continue
		}
		if why := r.why(line); why != "" {
			r.removed[line] = why
			r.left[block]--
			for _, g := range r.groups[line] {
				g.rules = g.rules.Where(func(rule robots.Rule, _ robots.Pattern) bool { return rule.Line != line })
			}
		}
	}
}

// why returns why a line can be left out, or nothing if it cannot.
func (r *reduction) why(line int) string {
	why := "never decides"
	for _, g := range r.groups[line] {
		without := g.rules.Where(func(rule robots.Rule, _ robots.Pattern) bool { return rule.Line != line }).Allowed()
		for _, of := range g.patterns[line] {
			decides := g.rules.DecidedBy(of.rule, of.pattern)
			differs := decides.Intersect(without)
			if of.rule.Allow {
				differs = decides.Minus(without)
			}
			if some := simplest(of.pattern); differs.Contains(some) {
				return ""
			}
			empty, err := differs.Empty(r.limit)
			if err != nil {
				r.undecided = true
				return ""
			}
			if !empty {
				return ""
			}
			if why != "never decides" {
				continue
			}
			if never, err := decides.Empty(r.limit); err != nil || !never {
				why = "says what others say without it"
			}
		}
	}
	return why
}

// simplest returns a simple path that a pattern matches. It may not be in normal
// form.
func simplest(p robots.Pattern) string {
	return p.Stem() + strings.Join(slices.Collect(iter.Seq[string](p.Segments())), "")
}
