package proof

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// everyone means all robots that are not named.
const everyone = "*"

// named returns everyone and the names of all robots in policies, each once.
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

// followers returns the robots that are not in names and that obey the group of a robot in
// names, if no group names them.
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
