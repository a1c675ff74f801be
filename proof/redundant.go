package proof

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A Redundancy is a line that changes nothing: without it, and without all others in
// the same result, every robot gets the same answer for every path.
type Redundancy struct {
	Rule robots.Rule // of a rule; else only its Line is set
	Text string      // of the line, without its end
	Why  string      // such as "never decides", in Options.Language

	language language.Language
}

// String returns the redundancy as a line, such as "line 4: Disallow: /a/b: never
// decides". It is safe for a terminal.
func (r Redundancy) String() string {
	return textRedundant.In(r.language, r.Rule.Line, printable.Text(strings.TrimSpace(r.Text)), r.Why)
}

// Redundant returns the rules that can be left out together, in the order of their lines, without a
// change for any robot in RFC 9309 and in dialect Google. Each group keeps at least one rule,
// because a group without rules is joined with the next one. No line of o.Keep is left out. The
// error wraps [pathset.ErrUndecided] if a rule was kept because it could not be decided whether the
// rule is redundant.
func Redundant(p *robots.Policy, o Options) ([]Redundancy, error) {
	r := newReduction(p, o)
	r.run()
	var redundant []Redundancy
	l := language.Parse(o.Language)
	for number, line := range p.Lines() {
		if why, ok := r.removed[number]; ok {
			redundant = append(redundant, Redundancy{r.rules[number], strings.TrimRight(line.Text, "\r\n"), why.in(l),
				l})
		}
	}
	return redundant, undecidedError(r.undecided)
}

// A reason is the reason for omitting a line.
type reason struct {
	text language.Text
	line int // the line mentioned in text, if text has a %[1]d
}

// in returns the reason in a language.
func (r reason) in(l language.Language) string {
	if r.line == 0 {
		return r.text.In(l)
	}
	return r.text.In(l, r.line)
}

var (
	neverDecides   = reason{text: language.New("never decides")}
	allowedWithout = reason{text: language.New("allowed without it")}
	othersSaySo    = reason{text: language.New("others say the same")}

	textRedundant     = language.New("line %[1]d: %[2]s: %[3]s")
	textLineSaysSame  = language.New("line %[1]d says the same")
	textAsksNothing   = language.New("asks nothing")
	textRepeatsAll    = language.New("repeats the group for everyone of line %[1]d")
	textSameRobots    = language.New("the group of line %[1]d has the same robots")
	textSameGroup     = language.New("has the rules of the group of line %[1]d")
	textGoesWithGroup = language.New("goes with its group to line %[1]d")
)

// A reduction finds lines to omit, one by one.
type reduction struct {
	purse     *purse
	rules     map[int]robots.Rule    // the rules that may be omitted, by line
	groups    map[int][]*readerGroup // the groups in which a line is a rule, of both dialects
	blocks    map[int][]readBlock    // the groups in which a line is a rule, for each reader
	left      map[readBlock]int      // the number of lines with rules that each of these has left
	removed   map[int]reason         // the omitted lines, with the reasons
	blocked   map[int][]int          // by line: rules that were kept because this line would decide in their place
	undecided bool
}

// A readBlock is a group as written: the number of a reader, and the line of the group as the
// reader reads the policy.
type readBlock struct{ reader, line int }

// A readerGroup is the group of some robots for one reader.
type readerGroup struct {
	dialect  robots.Dialect
	rules    *pathset.Rules
	patterns map[int][]patternRule // by line
}

type patternRule struct {
	rule    robots.Rule
	pattern robots.Pattern
}

// beats returns the patterns of rules with the opposite verdict that the rule wins against.
func (of patternRule) beats(rules *pathset.Rules) iter.Seq[robots.Pattern] {
	return func(yield func(robots.Pattern) bool) {
		won := false
		for rule, p := range rules.All() {
			won = won || rule == of.rule && p == of.pattern
			if won && rule.Allow != of.rule.Allow && !yield(p) {
				return
			}
		}
	}
}

// promised has the readers for which a reduction changes nothing.
var promised = readers[:2]

func newReduction(p *robots.Policy, o Options) *reduction {
	r := &reduction{
		purse: o.purse(), rules: make(map[int]robots.Rule), groups: make(map[int][]*readerGroup),
		blocks: make(map[int][]readBlock), left: make(map[readBlock]int), removed: make(map[int]reason),
		blocked: make(map[int][]int),
	}
	seen := make(map[int]int) // number of promised readers for which a line is the same rule of the same group
	for i, reader := range slices.Concat(promised, o.Readers) {
		policy := reader.policy(p)
		for _, g := range policy.Groups() {
			for rule := range g.Rules() {
				line, block := rule.Line, readBlock{i, g.Line()}
				r.blocks[line] = append(r.blocks[line], block)
				r.left[block]++
				switch {
				case i == 0:
					r.rules[line] = rule
					seen[line] = 1
				case i < len(promised) && r.rules[line] == rule && r.blocks[line][0].line == g.Line():
					seen[line]++
				}
			}
		}
		for _, g := range combined(policy) {
			of := &readerGroup{dialect: policy.Dialect(), rules: reader.rules(g), patterns: make(map[int][]patternRule)}
			for rule, pattern := range g.Patterns() {
				if len(of.patterns[rule.Line]) == 0 {
					r.groups[rule.Line] = append(r.groups[rule.Line], of)
				}
				of.patterns[rule.Line] = append(of.patterns[rule.Line], patternRule{rule, pattern})
			}
		}
	}
	for line := range r.rules {
		if seen[line] < len(promised) || o.Keep[line] {
			delete(r.rules, line) // the readers disagree about the line, or the caller keeps it
		}
	}
	return r
}

// combined returns the groups that any robot obeys, each once.
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

// maxRetries is the maximum number of retries for each line, on average.
const maxRetries = 8

// run omits rules, those with the longest patterns first, until no remaining rule alone could be
// omitted.
//
// A rule is kept because of one path that another line would decide differently. As long as
// that line is present, omitting further rules changes nothing, because omissions change no
// answers. So a rule is retried only when the line that kept it is omitted.
func (r *reduction) run() {
	lines := make([]int, 0, len(r.rules))
	for line := range r.rules {
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(r.rules[b].Pattern), len(r.rules[a].Pattern)), cmp.Compare(b, a))
	})
	most := len(lines) * (1 + maxRetries)
	for n := 0; n < len(lines); n++ {
		line := lines[n]
		if slices.ContainsFunc(r.blocks[line], func(of readBlock) bool { return r.left[of] < 2 }) {
			continue
		}
		why, keeper, ok := r.why(line)
		if !ok {
			if keeper > 0 {
				r.blocked[keeper] = append(r.blocked[keeper], line)
			}
			continue
		}
		r.removed[line] = why
		for _, block := range r.blocks[line] {
			r.left[block]--
		}
		lines = append(lines, r.blocked[line]...)
		delete(r.blocked, line)
		if len(lines) > most {
			r.undecided = true
			return
		}
	}
}

// why returns the reason why a line can be omitted. If it cannot, keeper is the line that would
// decide in its place, or 0 if there is none or it is unknown.
func (r *reduction) why(line int) (why reason, keeper int, ok bool) {
	for _, g := range r.groups[line] {
		for _, of := range g.patterns[line] {
			because, ok := r.covered(g, of)
			if !ok {
				if because, keeper, ok = r.searched(g, of); !ok {
					return reason{}, keeper, false
				}
			}
			if why == (reason{}) || why == neverDecides {
				why = because
			}
		}
	}
	return why, 0, why != reason{}
}

// covered returns the reason why a pattern can be omitted, if that is obvious: another pattern
// matches every path that it matches, and either wins or has the same verdict, and no rule with
// another verdict is in between.
func (r *reduction) covered(g *readerGroup, of patternRule) (why reason, ok bool) {
	between := false // a rule with another verdict may decide if the pattern does not
	won := false
	path := typical(of.pattern)
	for rule, p := range g.rules.Near(of.pattern).All() {
		if r.purse.bytes -= len(path); r.purse.bytes < 0 {
			r.undecided = true
			return reason{}, false
		}
		switch {
		case r.isRemoved(rule):
		case rule == of.rule && p == of.pattern:
			won = true
		case !won && p.Matches(path):
			return neverDecides, true
		case won && rule.Allow != of.rule.Allow:
			between = true
		case won && !between && p.Matches(path):
			return reason{textLineSaysSame, rule.Line}, true
		}
	}
	if won && !between && of.rule.Allow && !g.rules.Closed() {
		return allowedWithout, true
	}
	return reason{}, false
}

func (r *reduction) isRemoved(rule robots.Rule) bool {
	_, ok := r.removed[rule.Line]
	return ok
}

// searched returns the reason why a pattern can be omitted, if a search proves it. Otherwise
// keeper is the line that decides the path that was found.
func (r *reduction) searched(g *readerGroup, of patternRule) (why reason, keeper int, ok bool) {
	near := g.rules.Near(of.pattern).Where(func(rule robots.Rule, _ robots.Pattern) bool { return !r.isRemoved(rule) })
	decides := r.purse.decidedBy(of.rule, of.pattern, near)
	others := near.Where(func(rule robots.Rule, _ robots.Pattern) bool { return rule.Line != of.rule.Line })
	under := r.purse.under(of.pattern, others)
	differs := decides.Intersect(under.Allowed())
	if of.rule.Allow {
		differs = decides.Minus(under.Allowed())
	}
	path, ok, err := r.purse.example(differs, of.pattern, of.beats(near))
	switch {
	case err != nil:
		r.undecided = true
		return reason{}, 0, false
	case ok:
		for rule, p := range others.All() {
			if p.Matches(path) {
				return reason{}, rule.Line, false
			}
		}
		return reason{}, 0, false
	}
	if _, ok, err := r.purse.example(decides, of.pattern, noPatterns); !ok && err == nil {
		return neverDecides, 0, true
	}
	return othersSaySo, 0, true
}
