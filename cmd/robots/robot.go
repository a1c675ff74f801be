package main

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A robot is who is asked for.
type robot struct {
	name   string   // as on the command line
	tokens []string // the closest first
	meta   []string // names of META tags that it obeys besides
	others []string // tokens of another operator's robots, whose rules in robots.txt it obeys
	only   bool     // it does not obey the group for everyone
}

// names returns the names by which pages speak to the robot. What it obeys of another
// operator is about robots.txt: Applebot takes the rules for Googlebot, and not its tags.
func (r *robot) names() []string {
	names := slices.DeleteFunc(slices.Clone(r.tokens), func(token string) bool { return slices.Contains(r.others, token) })
	return append(names, r.meta...)
}

// robotsOf returns the robots that values of --agent name, or the one of no
// name. A name with commas is taken as it is: the names of one robot, the closest
// first. Any other is looked up, so that the robot obeys what its operator says
// that it obeys; a User-Agent header stands for the robot that sends it. The table
// may be nil.
func robotsOf(table *agent.Table, names []string) ([]robot, error) {
	if len(names) == 0 {
		return []robot{{name: "*", tokens: []string{"*"}}}, nil
	}
	var all []robot
	for _, name := range names {
		r := robot{name: name}
		if strings.Contains(name, ",") && !agent.IsHeader(name) {
			for token := range strings.SplitSeq(name, ",") {
				if token = strings.TrimSpace(token); token != "" {
					r.tokens = append(r.tokens, token)
				}
			}
		} else {
			r.lookUp(table, strings.TrimSpace(name))
		}
		if len(r.tokens) == 0 {
			return nil, misusef("--agent %q names no robot: give a product token such as ExampleBot", name)
		}
		all = append(all, r)
	}
	return all, nil
}

// lookUp sets the tokens of the robot with a name, or that sends a header.
func (r *robot) lookUp(table *agent.Table, name string) {
	a, tokens := table.Identify(name)
	r.only, r.tokens, r.meta = !a.Everyone(), tokens, a.Meta()
	for _, token := range tokens[min(1, len(tokens)):] {
		if other, _ := table.Identify(token); other.Operator != a.Operator {
			r.others = append(r.others, token)
		}
	}
}

// obeys returns the names of the groups that the robot obeys, the closest first.
func (r *robot) obeys() []string {
	if r.only || slices.Contains(r.tokens, "*") {
		return r.tokens
	}
	return append(slices.Clip(r.tokens), "*")
}

// group returns the group of a policy that is for the robot.
func (r *robot) group(p *robots.Policy) *robots.Group {
	if r.only {
		return p.ForOnly(r.tokens...)
	}
	return p.For(r.tokens...)
}
