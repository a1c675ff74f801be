package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var contradictingRules = &Check{
	Name:     "contradicting-rules",
	Severity: Warning,
	Profiles: usually,
	run: func(p *pass) {
		type said struct {
			rule  robots.Rule
			bytes int
		}
		found := make(places)
		for _, g := range p.named() {
			allows, disallows := make(map[string]said), make(map[string]said)
			for rule, pattern := range g.Patterns() {
				same, others := allows, disallows
				if !rule.Allow {
					same, others = disallows, allows
				}
				key := pattern.String()
				if pattern.Anchored {
					key += "\x00" // distinguishes the pattern from one with an escaped "$"
				}
				if _, ok := same[key]; ok {
					continue
				}
				this, other := said{rule, pattern.Bytes}, others[key]
				same[key] = this
				if other.bytes == 0 || len(found) == maxRemembered {
					continue
				}
				message, winner := textContradicts, "Allow"
				if strings.ContainsAny(rule.Pattern+other.rule.Pattern, "*$") {
					message = textContradictsWild
					if rule.Allow && this.bytes < other.bytes || !rule.Allow && this.bytes > other.bytes {
						winner = "Disallow"
					}
				}
				found[rule.Line] = func(l *line) {
					d := p.report(l.all(), message, other.rule.Line, winner)
					d.Related = []Related{p.related(other.rule.Line, textOpposite)}
				}
			}
		}
		p.tell(found)
	},
}

var (
	textContradicts = language.New(
		"line %[1]d says the opposite of the same paths: %[2]s wins in rfc9309 and google, the first line in koster1996, Disallow in koster1994")
	textContradictsWild = language.New(
		"line %[1]d says the opposite of the same paths: %[2]s wins in rfc9309 and google, and dialects without wildcards read both otherwise")
	textOpposite = language.New("the opposite")
)
