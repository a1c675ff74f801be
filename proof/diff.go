package proof

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// Options are the robots and readers to ask about, and the limit. The zero Options ask about all
// robots that the files name, and about all others.
type Options struct {
	// Agents are the product tokens of the robots to ask about. Nil means those
	// that one of the files names, and "*" for all others.
	Agents []string

	// Robots is the table of robots: it has their operators and purposes, and the group
	// that each obeys where none names it. Nil is the table of package agent.
	Robots *agent.Table

	// Limit is how many states each search may look at; 0 means
	// [pathset.DefaultLimit]. All searches together may look at
	// maxSearches times as many.
	Limit int

	// Keep has the lines of rules that [Redundant] never leaves out.
	Keep map[int]bool

	// Readers are the readers that Portable compares; nil means all. Minimize keeps their answers,
	// besides those of RFC 9309 and of Google; nil means no others.
	Readers []Reader

	// Noted are other readers: Minimize reports what changes for them.
	Noted []Reader

	// Language is the language of a [Redundancy] by its code in ISO 639-1: en, es, ko or
	// ru. Any other one is English.
	Language string
}

// names returns the product tokens of the robots to ask about.
func (o Options) names(policies ...*robots.Policy) []string {
	if o.Agents != nil {
		return o.Agents
	}
	return named(policies...)
}

// A Difference is the difference between two policies. It must not be modified.
type Difference struct {
	// Agents are the robots that the options asked about, or nil: then it is about all robots.
	Agents []string

	// Changes are the paths that were closed or opened, for robots that obey the
	// same groups together: for "*" first, then in the order in which the files
	// name the robots.
	Changes []Change

	// Undecided are the robots with an undecided question. Their Changes are right, but may be
	// incomplete.
	Undecided []string

	// Records are the changed records other than rules.
	Records []RecordChange

	recordAt map[recordID]int // index of a change in Records
}

// A Change is a set of paths that were all closed to some robots, or all opened.
type Change struct {
	Agents  []string // product tokens; "*" is all robots that no file names, except for Followers
	Opened  bool     // they may be fetched now, and could not be before; else the reverse
	Regions []Region // all of it, each path in one of them

	// Followers are the robots of Agents that no file names, and that obey the
	// group of a named robot, as Googlebot-Image obeys that of Googlebot.
	Followers []string
}

// A Region is a part of a change: the paths that one rule opens or closes.
type Region struct {
	Rule    robots.Rule  // that decides now, or decided before
	Now     bool         // it is a rule of the new file; else of the old one
	Witness string       // a path of the region
	Before  robots.Match // about the witness
	After   robots.Match

	compiled robots.Pattern // pattern of Rule
}

// Equal reports whether it is proven that all robots asked about get the same
// answer for every path, though the records may differ.
func (d *Difference) Equal() bool { return len(d.Changes) == 0 && len(d.Undecided) == 0 }

// Same returns those of Agents that are proven to get the same answer for every path.
func (d *Difference) Same() (agents []string) {
	other := slices.Clone(d.Undecided)
	for _, c := range d.Changes {
		other = append(other, c.Agents...)
	}
	return slices.DeleteFunc(slices.Clone(d.Agents), func(name string) bool { return slices.Contains(other, name) })
}

// Diff returns what differs between two policies, which are read in the dialect
// of before. Policies that mean the same, however they are written, have no
// changes. The error wraps [pathset.ErrUndecided] if there may be more changes, for the robots of
// Difference.Undecided.
//
// A robot that package agent knows obeys the groups that its operator documents: if a file does not
// name Googlebot-Image, it obeys the group of Googlebot. If the options name no robots, Diff also
// asks about such robots.
func Diff(before, after *robots.Policy, o Options) (*Difference, error) {
	after = after.In(before.Dialect())
	names := o.names(before, after)
	asked := len(names)
	if o.Agents == nil {
		names = slices.Concat(names, followers(o.Robots, names))
	}
	d := &Difference{Agents: slices.Clone(o.Agents)}
	d.compareFile(before, after)
	purse := o.purse()
	groups := make(map[string]*comparison) // by the compared groups
	rules := make(map[string]*comparison)  // by the rules of the compared groups
	var all []*comparison
	for i, name := range names {
		r := o.Robots.SubjectNamed(name)
		b, a := r.Group(before), r.Group(after)
		key := fmt.Sprint(b.Lines(), a.Lines())
		c := groups[key]
		if c == nil {
			byRules := written(b) + "\x00\x00" + written(a)
			if same := rules[byRules]; same != nil {
				c = same.of(b, a)
			} else {
				c = compare(b, a, purse)
				rules[byRules] = c
			}
			groups[key] = c
			all = append(all, c)
		}
		c.agents = append(c.agents, name)
		if i >= asked {
			c.followers = append(c.followers, name)
		}
	}
	for _, c := range all {
		d.compareRecords(c.agents, groupRecords(c.before), groupRecords(c.after))
		if c.undecided {
			d.Undecided = append(d.Undecided, c.agents...)
		}
		for _, opened := range []bool{false, true} {
			if regions := c.regions[opened]; len(regions) > 0 {
				d.Changes = append(d.Changes, Change{c.agents, opened, regions, c.followers})
			}
		}
	}
	return d, undecidedError(len(d.Undecided) > 0)
}

// written returns the rules of a group as text, so that equal ones are compared once.
func written(g *robots.Group) string {
	var b strings.Builder
	for rule := range g.Rules() {
		verb := byte('-')
		if rule.Allow {
			verb = '+'
		}
		b.WriteByte(verb)
		b.WriteString(rule.Pattern)
		b.WriteByte('\n')
	}
	if unreachable(g) {
		b.WriteString("unreachable")
	}
	return b.String()
}

// A comparison compares two groups.
type comparison struct {
	before, after *robots.Group
	agents        []string
	followers     []string          // agents that no file names
	regions       map[bool][]Region // key: whether the paths were opened
	undecided     bool
}

// of returns the comparison of two other groups with the same rules in the same order. The
// regions are the same, but other lines decide.
func (c *comparison) of(before, after *robots.Group) *comparison {
	other := &comparison{before: before, after: after, regions: make(map[bool][]Region), undecided: c.undecided}
	old, now := counterparts(c.before, before), counterparts(c.after, after)
	for opened, regions := range c.regions {
		for _, r := range regions {
			if of := old; r.Rule.Line > 0 {
				if r.Now {
					of = now
				}
				r.Rule = of[r.Rule]
			}
			r.Before, r.After = before.Match(anySite+r.Witness), after.Match(anySite+r.Witness)
			other.regions[opened] = append(other.regions[opened], r)
		}
	}
	return other
}

// counterparts returns, for the rules of a group, those of another group with the same rules.
func counterparts(g, h *robots.Group) map[robots.Rule]robots.Rule {
	same := make(map[robots.Rule]robots.Rule)
	next, stop := iter.Pull(h.Rules())
	defer stop()
	for rule := range g.Rules() {
		if other, ok := next(); ok {
			same[rule] = other
		}
	}
	return same
}

// compare finds the differences between the groups of one robot.
//
// If two rules decide that are in both files, the verdicts agree: the rule that wins in one
// file wins in the other. So only paths decided by a rule that is in one file alone can differ,
// and each such rule is one question. In the other file, only the rules matter that it would
// win against: any other rule is in the first file too, or is itself a question. Paths decided
// by rules of the new file are asked about first, and then the remaining paths decided by rules
// of the old file.
func compare(before, after *robots.Group, purse *purse) *comparison {
	return (&question{before: before, after: after, reader: Reader{Dialect: before.Dialect()}, purse: purse}).compare()
}

func (q *question) compare() *comparison {
	before, after, purse := q.before, q.after, q.purse
	c := &comparison{before: before, after: after, regions: make(map[bool][]Region)}
	q.found = c
	isOld, isNew := changed(before, after)
	closedBefore, closedAfter := unreachable(before), unreachable(after)
	if len(isOld)+len(isNew) == 0 && closedBefore == closedAfter {
		return c
	}
	b, a := q.reader.rules(before), q.reader.rules(after)
	for rule, p := range after.Patterns() {
		if isNew[rule] && !q.done() {
			was, is := b.Near(p), a.Near(p)
			if !purse.pays(was) || !purse.pays(is) {
				c.undecided = true
				return c
			}
			lost := was.Where(q.lostTo(rule, p, isOld))
			q.ask(Region{Rule: rule, Now: true}, p, purse.decidedBy(rule, p, is), purse.under(p, lost))
		}
	}
	for rule, p := range before.Patterns() {
		if isOld[rule] && !q.done() {
			lost := q.lostTo(rule, p, isNew)
			was, near := b.Near(p), a.Near(p)
			if !purse.pays(was) || !purse.pays(near) {
				c.undecided = true
				return c
			}
			rest := purse.under(p, near.Where(lost)).Decided(func(r robots.Rule,
				_ robots.Pattern) bool {
				return isNew[r]
			}).Complement()
			same := near.Where(func(r robots.Rule, of robots.Pattern) bool { return lost(r, of) && !isNew[r] })
			q.ask(Region{Rule: rule}, p, purse.decidedBy(rule, p, was).Intersect(rest), purse.under(p, same))
		}
	}
	if closedBefore != closedAfter && !q.done() {
		// If no rule decides, it matters whether robots.txt is unreachable.
		any := func(robots.Rule, robots.Pattern) bool { return true }
		none := b.Decided(any).Union(a.Decided(any)).Union(b.Allowed().Intersect(a.Allowed())).Complement()
		q.ask(Region{Rule: robots.Rule{Allow: closedBefore}, Now: true}, before.Dialect().Pattern("/"), none, b)
	}
	return c
}

// done reports whether one region was found and no more are needed.
func (q *question) done() bool { return q.one && len(q.found.regions) > 0 }

// lostTo returns a function that selects the patterns that do not win against the pattern of a
// rule, and those of changed rules.
func (q *question) lostTo(rule robots.Rule, p robots.Pattern, isChanged map[robots.Rule]bool) func(robots.Rule,
	robots.Pattern) bool {
	weight := q.reader.weight(rule, p)
	return func(r robots.Rule, of robots.Pattern) bool {
		other := q.reader.weight(r, of)
		wins := other > weight || other == weight && r.Allow && !rule.Allow
		return !wins || isChanged[r]
	}
}

// unreachable reports whether a group is that of an unreachable robots.txt, so that nothing is
// allowed.
func unreachable(g *robots.Group) bool { return g.Match("/").Reason == robots.Unreachable }

// changed returns the rules of each group that the other group lacks.
func changed(before, after *robots.Group) (old, now map[robots.Rule]bool) {
	missing := func(from, in *robots.Group) map[robots.Rule]bool {
		has := make(map[string]bool)
		for rule, p := range in.Patterns() {
			has[meaning(rule, p)] = true
		}
		rules := make(map[robots.Rule]bool)
		for rule, p := range from.Patterns() {
			if !has[meaning(rule, p)] {
				rules[rule] = true
			}
		}
		return rules
	}
	if before.Dialect().FirstMatch() && !sameOrder(before, after) {
		// A rule may now win because it comes earlier.
		old, now = make(map[robots.Rule]bool), make(map[robots.Rule]bool)
		for rule := range before.Rules() {
			old[rule] = true
		}
		for rule := range after.Rules() {
			now[rule] = true
		}
		return old, now
	}
	return missing(before, after), missing(after, before)
}

// meaning returns the same value for rules with the same meaning, wherever they are.
func meaning(rule robots.Rule, p robots.Pattern) string {
	return fmt.Sprintf("%t %d %s", rule.Allow, p.Bytes, p)
}

// sameOrder reports whether two groups have the same rules in the same order.
func sameOrder(a, b *robots.Group) bool {
	next, stop := iter.Pull2(b.Patterns())
	defer stop()
	for rule, p := range a.Patterns() {
		if other, q, ok := next(); !ok || meaning(rule, p) != meaning(other, q) {
			return false
		}
	}
	_, _, more := next()
	return !more
}

// A question is a question about two groups.
type question struct {
	before, after *robots.Group
	reader        Reader // the reader of both
	purse         *purse
	one           bool // one region is enough
	found         *comparison
}

// ask adds a region if the rule of r, which decides the paths of where, has a different verdict
// there than others, the rules of the other file.
func (q *question) ask(r Region, p robots.Pattern, where pathset.Set, others *pathset.Rules) {
	r.compiled = p
	opened := r.Rule.Allow == r.Now
	if r.Rule.Allow {
		where = where.Minus(others.Allowed())
	} else {
		where = where.Intersect(others.Allowed())
	}
	path, ok, err := q.purse.example(where, p, patternsOf(others, !r.Rule.Allow))
	if err != nil {
		q.found.undecided = true
		return
	}
	if !ok {
		return
	}
	r.Witness = witness(path)
	r.Before, r.After = q.reader.match(q.before, anySite+r.Witness), q.reader.match(q.after, anySite+r.Witness)
	if r.Before.Allowed == r.After.Allowed || r.After.Allowed != opened {
		// The matcher decides in case of doubt.
		q.found.undecided = true
		return
	}
	q.found.regions[opened] = append(q.found.regions[opened], r)
}

// anySite is put before a path, because a path that begins with "//" would be read as a host.
const anySite = "http://any"

// robotsFile is the pattern of the path that RFC 9309, section 2.2.2, always allows.
const robotsFile = "/robots.txt$"

// witness returns a URL for a path in normal form. In the dialects that decode paths, "#" in a
// normal form is "%23" in the URL.
func witness(path string) string { return strings.ReplaceAll(path, "#", "%23") }
