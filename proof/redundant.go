package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/pathset"
)

// A Redundancy is a line that says nothing: without it, and without all others
// that are told with it, every robot gets the same answer for every path.
type Redundancy struct {
	Rule robots.Rule // of a rule; else only its Line is set
	Text string      // of the line, without its end
	Why  string      // such as "never decides"
}

// String returns the redundancy as a line, such as "line 4: Disallow: /a/b: never
// decides". It is safe for a terminal.
func (r Redundancy) String() string {
	return fmt.Sprintf("line %d: %s: %s", r.Rule.Line, printable.Text(strings.TrimSpace(r.Text)), r.Why)
}

// Redundant returns the rules that can be left out together, in the order of
// their lines: in RFC 9309 and in dialect Google, for every robot. A group keeps
// at least one of its rules, because a group without any is joined with the next
// one. What could not be decided is kept, and undecided tells that there was such
// a rule.
func Redundant(p *robots.Policy, o Options) (redundant []Redundancy, undecided bool) {
	r := newReduction(p, o)
	r.run()
	for number, line := range p.Lines() {
		if why := r.removed[number]; why != "" {
			redundant = append(redundant, Redundancy{r.rules[number], strings.TrimRight(line.Text, "\r\n"), why})
		}
	}
	return redundant, r.undecided
}

// A reduction finds lines to leave out, one by one.
type reduction struct {
	purse     *purse
	rules     map[int]robots.Rule // that may be left out, by line
	groups    map[int][]*reduced  // in which a line has a rule, of both dialects
	blocks    map[int]int         // for each of rules the line of its group
	left      map[int]int         // for each of these how many lines with a rule are left
	removed   map[int]string      // why a line is left out
	undecided bool
}

// A reduced is the group of some robots in one dialect.
type reduced struct {
	dialect  robots.Dialect
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
		purse: o.purse(), rules: make(map[int]robots.Rule), groups: make(map[int][]*reduced),
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
			of := &reduced{dialect: d, rules: pathset.Compile(g), patterns: make(map[int][]ruled)}
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
		}
	}
}

// why returns why a line can be left out, or nothing if it cannot.
func (r *reduction) why(line int) (why string) {
	for _, g := range r.groups[line] {
		for _, of := range g.patterns[line] {
			because := r.covered(g, of)
			if because == "" {
				because = r.searched(g, of)
			}
			if because == "" {
				return ""
			}
			if why == "" || why == "never decides" {
				why = because
			}
		}
	}
	return why
}

// covered returns why a pattern can be left out if that is seen at once: another
// one matches all that it does, and either wins or says the same, and nothing that
// says something else stands between them.
func (r *reduction) covered(g *reduced, of ruled) string {
	between := false // a rule that says something else may decide where the pattern does not
	won := false
	for rule, p := range g.rules.Near(of.pattern).All() {
		switch {
		case r.removed[rule.Line] != "":
		case rule == of.rule && p == of.pattern:
			won = true
		case !won && covers(p, of.pattern):
			return "never decides"
		case won && rule.Allow != of.rule.Allow:
			between = true
		case won && !between && covers(p, of.pattern):
			return fmt.Sprintf("line %d says the same", rule.Line)
		}
	}
	if won && !between && of.rule.Allow && !g.rules.Closed() {
		return "allowed without it"
	}
	return ""
}

// covers reports whether p matches all paths that q does, as far as that is seen
// at once: where p matches the text of q, with octets that nothing but a "*" of p
// matches for what is open in q.
func covers(p, q robots.Pattern) bool {
	const open = "\xff" // never in a pattern in normal form, which has only ASCII
	var text strings.Builder
	text.WriteString(q.Stem())
	for segment := range q.Segments() {
		text.WriteString(open + segment)
	}
	if !q.Anchored() {
		text.WriteString(open)
	}
	return p.Matches(text.String())
}

// searched returns why a pattern can be left out, as a search proves.
func (r *reduction) searched(g *reduced, of ruled) string {
	near := g.rules.Near(of.pattern).Where(func(rule robots.Rule, _ robots.Pattern) bool { return r.removed[rule.Line] == "" })
	decides := near.DecidedBy(of.rule, of.pattern)
	without := near.Where(func(rule robots.Rule, _ robots.Pattern) bool { return rule.Line != of.rule.Line }).Allowed()
	differs := decides.Intersect(without)
	if of.rule.Allow {
		differs = decides.Minus(without)
	}
	_, ok, err := r.purse.example(differs, of.pattern, noPatterns)
	switch {
	case err != nil:
		r.undecided = true
		return ""
	case ok:
		return ""
	}
	if _, ok, err := r.purse.example(decides, of.pattern, noPatterns); !ok && err == nil {
		return "never decides"
	}
	return "others say the same"
}

// simplest returns a short path that a pattern matches, with a letter where two
// slashes would meet. It may not be in normal form.
func simplest(p robots.Pattern) string {
	path := p.Stem()
	for segment := range p.Segments() {
		if strings.HasSuffix(path, "/") && strings.HasPrefix(segment, "/") {
			path += "a"
		}
		path += segment
	}
	return path
}
