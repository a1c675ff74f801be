package proof

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A robot is who is asked about: by the names that it obeys.
type robot struct {
	tokens []string
	only   bool // it does not obey the group for everyone
}

// robotOf returns the robot with a product token, as far as a table knows it.
func robotOf(table *agent.Table, name string) robot {
	a := table.Named(name)
	if !a.Known() || !strings.EqualFold(a.Token, name) {
		return robot{tokens: []string{name}}
	}
	return robot{a.Tokens(), !a.Everyone()}
}

func (r robot) group(p *robots.Policy) *robots.Group {
	if r.only {
		return p.ForOnly(r.tokens...)
	}
	return p.For(r.tokens...)
}

// Group returns the group of a policy that a robot obeys, by its product token: as
// [robots.Policy.For], and as package agent knows the robot. Googlebot-Image,
// where the policy does not name it, obeys Googlebot, and AdsBot-Google never the
// group for everyone.
func Group(p *robots.Policy, token string) *robots.Group { return Options{}.Group(p, token) }

// Group does what the function [Group] does, with the robots of the options.
func (o Options) Group(p *robots.Policy, token string) *robots.Group {
	return robotOf(o.Robots, token).group(p)
}

// everyone is who stands for all robots that are not named.
const everyone = "*"

// named returns the names of all robots that policies name, each once, after
// that of everyone.
func named(policies ...*robots.Policy) []string {
	names := []string{everyone}
	seen := map[string]bool{everyone: true}
	for _, p := range policies {
		for _, g := range p.Groups() {
			for _, name := range g.Agents() {
				if lower := strings.ToLower(name); !seen[lower] {
					seen[lower] = true
					names = append(names, name)
				}
			}
		}
	}
	return slices.Clip(names)
}

// followers returns the robots that are not among names, and that obey the group of
// one that is where no group is for themselves.
func followers(table *agent.Table, names []string) (tokens []string) {
	isNamed := make(map[string]bool)
	for _, name := range names {
		isNamed[strings.ToLower(name)] = true
	}
	for a := range table.All() {
		if isNamed[strings.ToLower(a.Token)] {
			continue
		}
		for _, token := range a.Tokens()[1:] {
			if isNamed[strings.ToLower(token)] {
				tokens = append(tokens, a.Token)
				break
			}
		}
	}
	return tokens
}
