package proof

import (
	"fmt"
	"iter"
	"slices"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A collation compares how a policy and other readers read the same file.
type collation struct {
	policy      *robots.Policy
	table       *agent.Table
	purse       *purse
	rules       map[string]*pathset.Rules // by the lines of the groups of policy
	witnesses   map[string][]string       // paths that other readers found, by robot
	left        int                       // number of rules that may still be compared
	divergences []Divergence
	undecided   bool
}

// read compares the policy with its reading by one reader, for some robots.
func (c *collation) read(r Reader, names []string) {
	if len(names) == 0 {
		return
	}
	other := r.policy(c.policy)
	seen := make(map[string]bool) // the groups that were compared
	for _, name := range names {
		g, h := c.policy.For(name), r.robot(c.table, name).Group(other)
		own := fmt.Sprint(g.Lines())
		key := own + fmt.Sprint(h.Lines())
		if seen[key] {
			continue
		}
		seen[key] = true
		if c.left -= size(g) + size(h); c.left < 0 {
			c.undecided = true
			return
		}
		pair := &groupPair{c, r, name, g, h, [2]bool{}}
		switch same := pair.sameRules(); {
		case same && r.quirks == nil:
			pair.spell(false)
			pair.spell(true)
		case same && c.policy.Dialect() == r.Dialect:
			pair.compareWeights(c.compiled(own, g))
		default:
			pair.compare(c.compiled(own, g))
		}
	}
}

// maxRules is the maximum number of compared rules. A file in which many robots have many
// groups has many more pairs of rules than lines.
const maxRules = 1 << 21

// size returns the number of rules of a group.
func size(g *robots.Group) (n int) {
	for range g.Rules() {
		n++
	}
	return n
}

// compiled returns the rules of a group of the policy, by the lines of the group.
func (c *collation) compiled(lines string, g *robots.Group) *pathset.Rules {
	rules := c.rules[lines]
	if rules == nil {
		rules = pathset.Compile(g)
		c.rules[lines] = rules
	}
	return rules
}

// A groupPair is the group of a robot in the policy and its group for another reader.
type groupPair struct {
	*collation
	reader      Reader
	agent       string
	here, there *robots.Group
	told        [2]bool // whether a path was found that is closed only there, or open only there
}

// sameRules reports whether both groups have the same rules in normal form and the same order
// of precedence, except for the reader's quirks.
func (c *groupPair) sameRules() bool {
	here, there := c.here.Dialect(), c.there.Dialect()
	return here.FirstMatch() == there.FirstMatch() && unreachable(c.here) == unreachable(c.there) &&
		sameOrder(c.here, c.there)
}

// compare searches for a path that is closed only there, and for one that is open only there.
func (c *groupPair) compare(rules *pathset.Rules) {
	others := c.reader.rules(c.there)
	here, there := rules.Allowed(), others.Allowed()
	all := c.policy.Dialect().Pattern("/")
	if !c.askAgain(false) && c.ask(here.Minus(there), all, patternsOf(others, false), false) {
		c.spell(false)
	}
	if !c.askAgain(true) && c.ask(there.Minus(here), all, patternsOf(rules, false), true) {
		c.spell(true)
	}
}

// askAgain tries the paths on which other readers differ for the robot.
func (c *groupPair) askAgain(opened bool) (found bool) {
	return slices.ContainsFunc(c.witnesses[c.agent], func(path string) bool { return c.tell(path, opened) })
}

// direction returns the array index for open or closed.
func direction(open bool) int {
	if open {
		return 1
	}
	return 0
}

// ask searches a set of paths that match a pattern for a path that is open only there, or closed
// only there, and reports it. The rivals are rules that may decide such paths for the closing side.
// ask returns true if it is proven that there is no such path.
func (c *groupPair) ask(differs pathset.Set, p robots.Pattern, rivals iter.Seq[robots.Pattern],
	opened bool) (none bool) {
	file := pathset.Of(robots.RFC9309, "/robots.txt$")
	path, ok, err := c.purse.example(differs.Minus(file), p, rivals)
	if err != nil || ok && !c.tell(witness(path), opened) {
		c.undecided = true // the matcher decides in case of doubt
	}
	return !ok && err == nil
}

// spell searches the spellings of paths of rules for such a path. It is unknown how engines
// compare percent-encoded bytes.
func (c *groupPair) spell(opened bool) {
	if !c.reader.document || c.policy.Dialect() == c.reader.Dialect {
		return
	}
	for path := range spelt(c.here, c.there) {
		if c.tell(path, opened) {
			return
		}
	}
}

// tell reports a path if it is a divergence.
func (c *groupPair) tell(path string, opened bool) bool {
	v := Divergence{Agent: c.agent, Reader: c.reader, Witness: path}
	v.Match, v.Other = c.here.Match(anySite+path), c.reader.match(c.there, anySite+path)
	isFile := v.Match.Reason == robots.RobotsFile || v.Other.Reason == robots.RobotsFile
	if isFile || v.Match.Allowed == opened || v.Other.Allowed != opened {
		return false
	}
	c.told[direction(opened)] = true
	c.divergences = append(c.divergences, v)
	if !slices.Contains(c.witnesses[c.agent], path) {
		c.witnesses[c.agent] = append(c.witnesses[c.agent], path)
	}
	return true
}
