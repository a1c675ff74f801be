package monitor

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// engines are the product tokens of large search engines. Robots of theirs that robots.txt does not
// name obey the group for everyone, so they are asked about too.
var engines = []string{"Googlebot", "bingbot", "DuckDuckBot", "YandexBot", "Baiduspider", "Applebot", "Yeti",
	"SeznamBot"}

// named returns the product tokens to ask about: those of the policies, "*", and search engines.
func named(policies ...*robots.Policy) (names []string) {
	seen := make(map[string]bool) // in lower case
	add := func(tokens ...string) {
		for _, token := range tokens {
			if key := strings.ToLower(token); !seen[key] {
				seen[key] = true
				names = append(names, token)
			}
		}
	}
	add("*")
	for _, p := range policies {
		for _, g := range p.Groups() {
			add(g.Agents()...)
		}
	}
	add(engines...)
	return names
}

// isEngine reports whether a product token is that of a large search engine.
func isEngine(token string) bool {
	return slices.ContainsFunc(engines, func(engine string) bool { return strings.EqualFold(engine, token) })
}
