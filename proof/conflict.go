package proof

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A Conflict is a path that a rule of one policy allows, and a rule of another
// disallows: two policies that cannot both be obeyed.
type Conflict struct {
	Agents  []string // the product tokens of the robots that both address
	Witness string
	Opens   int // the number of the policy that allows it, in the order given
	Closes  int // of the one that disallows it

	Allow    robots.Match // in the policy that allows it
	Disallow robots.Match // in the other
}

// Conflicts returns where policies of one dialect contradict each other, so that they cannot be
// merged. For each rule that disallows, and each other policy, it looks for a path that a rule of
// the other policy allows. A policy without a matching rule does not contradict, so another policy
// may close paths that it does not mention. The error wraps [pathset.ErrUndecided] if there may be
// more conflicts than those returned.
//
// For each robot, Conflicts compares the groups that it obeys in each policy: if a
// policy does not name the robot, the group for everyone.
func Conflicts(policies []*robots.Policy, o Options) ([]Conflict, error) {
	var conflicts []Conflict
	undecided := false
	found := make(map[clash]int) // where in conflicts two rules are
	contests := make(map[[2]string]*contest)
	compiled := make(map[string]*pathset.Rules)
	for _, these := range obeyed(policies, o) {
		for i, opens := range these.groups {
			for j, closes := range these.groups {
				if i == j {
					continue
				}
				key := [2]string{these.keys[i], these.keys[j]}
				c := contests[key]
				if c == nil {
					for k, g := range []*robots.Group{opens, closes} {
						if compiled[key[k]] == nil {
							compiled[key[k]] = pathset.Compile(g)
						}
					}
					c = contend(opens, closes, compiled[key[0]], compiled[key[1]], o.purse())
					contests[key] = c
				}
				undecided = undecided || c.undecided
				for _, met := range c.met {
					rules := clash{i, j, met.Allow.Rule.Line, met.Disallow.Rule.Line}
					at, ok := found[rules]
					if !ok {
						at = len(conflicts)
						found[rules] = at
						met.Opens, met.Closes = i, j
						conflicts = append(conflicts, met)
					}
					conflicts[at].Agents = append(conflicts[at].Agents, these.agents...)
				}
			}
		}
	}
	return conflicts, undecidedError(undecided)
}

// A robotSet is a set of robots that obey the same groups in several policies.
type robotSet struct {
	agents []string
	groups []*robots.Group // one of each policy
	keys   []string        // number of the policy and lines of each group
}

// obeyed returns the groups of policies that robots obey. Robots that obey the same groups
// share one set.
func obeyed(policies []*robots.Policy, o Options) (all []*robotSet) {
	seen := make(map[string]*robotSet)
	for _, name := range o.names(policies...) {
		groups := make([]*robots.Group, len(policies))
		keys := make([]string, len(policies))
		for i, p := range policies {
			groups[i] = o.Robots.SubjectNamed(name).Group(p)
			keys[i] = fmt.Sprint(i, groups[i].Lines())
		}
		key := strings.Join(keys, "")
		these := seen[key]
		if these == nil {
			these = &robotSet{groups: groups, keys: keys}
			seen[key] = these
			all = append(all, these)
		}
		these.agents = append(these.agents, name)
	}
	return all
}

// A clash identifies a conflict: two policies, and a line of each.
type clash struct{ opens, closes, allow, disallow int }

// A contest is the comparison of two groups.
type contest struct {
	met       []Conflict
	undecided bool
}

// contend searches for paths that a rule of one group allows and a rule of the other disallows.
func contend(opens, closes *robots.Group, allowing, disallowing *pathset.Rules, purse *purse) *contest {
	c := &contest{}
	if !hasAllow(allowing) {
		return c
	}
	d := opens.Dialect()
	for rule, p := range closes.Patterns() {
		near := allowing.Near(p)
		if rule.Allow || !hasAllow(near) {
			continue
		}
		both := purse.decidedBy(rule, p, disallowing.Near(p)).Intersect(purse.under(p, near).Decided(func(r robots.Rule,
			_ robots.Pattern) bool {
			return r.Allow
		}))
		if d.AllowsRobotsFile() {
			both = both.Minus(pathset.Of(d, robotsFile))
		}
		path, ok, err := purse.example(both, p, patternsOf(near, true))
		if err != nil {
			c.undecided = true
			continue
		}
		if !ok {
			continue
		}
		met := Conflict{Witness: witness(path)}
		met.Allow, met.Disallow = opens.Match(anySite+met.Witness), closes.Match(anySite+met.Witness)
		if met.Allow.Reason != robots.DecidingRule || !met.Allow.Allowed || met.Disallow.Allowed {
			c.undecided = true // the matcher decides in case of doubt
			continue
		}
		c.met = append(c.met, met)
	}
	return c
}

func hasAllow(rules *pathset.Rules) bool {
	for rule := range rules.All() {
		if rule.Allow {
			return true
		}
	}
	return false
}

// A Breach is a path where a policy contradicts its parts.
type Breach struct {
	Agents  []string // product tokens
	Witness string
	Match   robots.Match // in the policy
	Part    int          // the number of a part that closes it; -1 where none does
	InPart  robots.Match // in that part
}

// Breaches asks whether a policy gives each robot the answers of its parts together: a path is
// closed if and only if one of the parts closes it. For each rule of the policy and of its parts,
// Breaches returns a path where that does not hold, read in the dialect of the policy. The error
// wraps [pathset.ErrUndecided] if there may be more breaches than those returned. Without a breach
// and an error, it is proven that there is none.
func Breaches(whole *robots.Policy, parts []*robots.Policy, o Options) ([]Breach, error) {
	var breaches []Breach
	undecided := false
	policies := []*robots.Policy{whole}
	for _, part := range parts {
		policies = append(policies, part.In(whole.Dialect()))
	}
	for _, these := range obeyed(policies, o) {
		j := join(these.groups[0], these.groups[1:], o.purse())
		undecided = undecided || j.undecided
		for _, b := range j.breaches {
			b.Agents = these.agents
			breaches = append(breaches, b)
		}
	}
	return breaches, undecidedError(undecided)
}

// A junction is the comparison of a robot's group with its groups in the parts.
type junction struct {
	breaches  []Breach
	undecided bool
}

// join checks for each disallowing rule whether the other side agrees.
//
// Most rules are on both sides, and only few of these need a search. A path that such a rule
// decides in the policy is closed by a part with the rule, unless the part opens the path by a
// rule that the policy lacks. A path that such a rule decides in a part is closed in the
// policy, unless a rule opens it that the part lacks.
func join(whole *robots.Group, parts []*robots.Group, purse *purse) *junction {
	j := &junction{}
	rules := newSide(whole)
	sides := make([]*side, len(parts))
	for i, part := range parts {
		sides[i] = newSide(part)
	}
	for rule, p := range whole.Patterns() {
		if rule.Allow || slices.ContainsFunc(sides, func(part *side) bool {
			return part.has(rule, p) &&
				!part.mayOpen(rules, p)
		}) {
			continue
		}
		open := purse.decidedBy(rule, p, rules.compiled.Near(p))
		for _, part := range sides {
			if near := part.compiled.Near(p); part.closes(near) {
				open = open.Intersect(purse.under(p, near).Allowed())
			}
		}
		opening := func(yield func(robots.Pattern) bool) {
			for _, part := range sides {
				for rival := range patternsOf(part.compiled.Near(p), true) {
					if !yield(rival) {
						return
					}
				}
			}
		}
		j.ask(whole, nil, -1, p, open, opening, purse)
	}
	for i, part := range sides {
		for rule, p := range parts[i].Patterns() {
			if rule.Allow || rules.has(rule, p) && !rules.mayOpen(part, p) {
				continue
			}
			near := purse.under(p, rules.compiled.Near(p))
			closed := purse.decidedBy(rule, p, part.compiled.Near(p))
			j.ask(whole, parts[i], i, p, closed.Intersect(near.Allowed()), patternsOf(near, true), purse)
		}
	}
	return j
}

// A side is one of the compared groups.
type side struct {
	compiled    *pathset.Rules
	meanings    map[string]bool
	unreachable bool
}

func newSide(g *robots.Group) *side {
	s := &side{pathset.Compile(g), make(map[string]bool), unreachable(g)}
	for rule, p := range g.Patterns() {
		s.meanings[meaning(rule, p)] = true
	}
	return s
}

// has reports whether the side has a rule.
func (s *side) has(rule robots.Rule, p robots.Pattern) bool { return s.meanings[meaning(rule, p)] }

// mayOpen reports whether the side has an allowing rule near a pattern that the other side
// lacks.
func (s *side) mayOpen(other *side, p robots.Pattern) bool {
	for rule, of := range s.compiled.Near(p).All() {
		if rule.Allow && !other.has(rule, of) {
			return true
		}
	}
	return false
}

// closes reports whether any of the side's rules disallows.
func (s *side) closes(near *pathset.Rules) bool {
	if s.unreachable {
		return true
	}
	for rule := range near.All() {
		if !rule.Allow {
			return true
		}
	}
	return false
}

// ask adds a breach if a set is not empty. All paths of the set match a pattern. The rivals are
// rules that may open such paths on the other side.
func (j *junction) ask(whole, part *robots.Group, number int, p robots.Pattern, where pathset.Set,
	rivals iter.Seq[robots.Pattern], purse *purse) {
	if whole.Dialect().AllowsRobotsFile() {
		where = where.Minus(pathset.Of(whole.Dialect(), robotsFile)) // this path is allowed regardless of the rules
	}
	path, ok, err := purse.example(where, p, rivals)
	if err != nil {
		j.undecided = true
		return
	}
	if !ok {
		return
	}
	b := Breach{Witness: witness(path), Part: number}
	b.Match = whole.Match(anySite + b.Witness)
	if part != nil {
		b.InPart = part.Match(anySite + b.Witness)
	}
	if b.Match.Allowed != (part != nil) || part != nil && b.InPart.Allowed {
		j.undecided = true // the matcher decides in case of doubt
		return
	}
	j.breaches = append(j.breaches, b)
}
