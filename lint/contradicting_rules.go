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
		"line %[1]d says the opposite of the same paths: %[2]s wins in rfc9309 and google, the first line in koster1996, Disallow in koster1994",
		"la línea %[1]d dice lo contrario sobre las mismas rutas: en rfc9309 y google prevalece %[2]s, en koster1996 la primera línea, en koster1994 Disallow",
		"%[1]d번째 줄은 같은 경로에 대해 반대로 말합니다. rfc9309와 google에서는 %[2]s이(가), koster1996에서는 먼저 나온 줄이, koster1994에서는 Disallow가 우선합니다",
		"строка %[1]d говорит противоположное о тех же путях: в rfc9309 и google решает %[2]s, в koster1996 — первая строка, в koster1994 — Disallow",
	)
	textContradictsWild = language.New(
		"line %[1]d says the opposite of the same paths: %[2]s wins in rfc9309 and google, and dialects without wildcards read both otherwise",
		"la línea %[1]d dice lo contrario sobre las mismas rutas: en rfc9309 y google prevalece %[2]s, y los dialectos sin comodines leen ambas de otro modo",
		"%[1]d번째 줄은 같은 경로에 대해 반대로 말합니다. rfc9309와 google에서는 %[2]s이(가) 우선하고, 와일드카드가 없는 방언은 둘 다 다르게 읽습니다",
		"строка %[1]d говорит противоположное о тех же путях: в rfc9309 и google решает %[2]s, а диалекты без подстановочных знаков читают обе иначе",
	)
	textOpposite = language.New("the opposite", "lo contrario", "반대되는 규칙", "противоположное правило")
)
