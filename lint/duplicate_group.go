package lint

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var duplicateGroup = &Check{
	Name:     "duplicate-group",
	Severity: Info,
	Profiles: everywhere,
	run: func(p *pass) {
		type place struct{ line, group int }
		seen := make(map[string]place)
		p.lines(func(l *line) {
			name := robots.ProductToken(l.Value)
			first, ok := seen[strings.ToLower(name)]
			switch {
			case name == "":
			case !ok && len(seen) < maxRemembered:
				seen[strings.ToLower(name)] = place{l.Number, l.Group}
			case ok && first.group != l.Group && (p.options.Profile == Strict || !p.sameRules(first.group, l.Group)):
				d := p.report(l.value(), textDuplicateGroup, name, first.line)
				d.Related = []Related{p.related(first.line, textFirstGroup)}
			}
		}, robots.UserAgent)
	},
}

// sameRules reports whether two groups, given by number, have the same rules in the same order.
// A robot that reads only one of them misses nothing then.
func (f *file) sameRules(a, b int) bool {
	if f.sums == nil {
		seed := maphash.MakeSeed()
		for _, g := range f.policy.Groups() {
			var h maphash.Hash
			h.SetSeed(seed)
			for rule := range g.Rules() {
				fmt.Fprintf(&h, "%t %s\n", rule.Allow, rule.Pattern)
			}
			f.sums = append(f.sums, h.Sum64())
		}
	}
	return f.sums[a] == f.sums[b]
}

var (
	textDuplicateGroup = language.New(
		"%[1]s has a group in line %[2]d already: rfc9309 and google combine them, other parsers read the first only, or the last")
	textFirstGroup = language.New("the first group")
)
