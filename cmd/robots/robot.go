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
	only   bool     // it does not obey the group for everyone
}

// names returns the names by which pages speak to the robot.
func (r *robot) names() []string { return slices.Concat(r.tokens, r.meta) }

// robotsOf returns the robots that values of --agent name, or the one of no
// name. A name with commas is taken as it is: the names of one robot, the closest
// first. Any other is looked up, so that the robot obeys what its operator says
// that it obeys; a User-Agent header stands for the robot that sends it.
func robotsOf(names []string) ([]robot, error) {
	if len(names) == 0 {
		return []robot{{name: "*", tokens: []string{"*"}}}, nil
	}
	var all []robot
	for _, name := range names {
		r := robot{name: name}
		if strings.Contains(name, ",") && !isHeader(name) {
			for token := range strings.SplitSeq(name, ",") {
				if token = strings.TrimSpace(token); token != "" {
					r.tokens = append(r.tokens, token)
				}
			}
		} else {
			r.lookUp(strings.TrimSpace(name))
		}
		if len(r.tokens) == 0 {
			return nil, misusef("--agent %q names no robot: give a product token such as ExampleBot", name)
		}
		all = append(all, r)
	}
	return all, nil
}

// lookUp sets the tokens of the robot with a name, or that sends a header.
func (r *robot) lookUp(name string) {
	a := agent.Named(name)
	if isHeader(name) {
		a = agent.Lookup(name)
	} else if name != "" && !strings.EqualFold(a.Token, productToken(name)) {
		r.tokens = append(r.tokens, productToken(name)) // it has its own token, and the table another
	}
	r.only = a.Known() && !a.Everyone()
	r.tokens = append(r.tokens, a.Tokens()...)
	r.meta = a.Meta()
}

// isHeader reports whether a name is the text of a User-Agent header, and not
// only a token, perhaps with a version.
func isHeader(name string) bool {
	return strings.ContainsAny(name, "(;") || strings.Count(name, "/") > 1
}

// productToken returns a name without its version.
func productToken(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return strings.TrimSpace(name)
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
