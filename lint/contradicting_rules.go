package lint

var contradictingRules = &Check{
	Name:     "contradicting-rules",
	Severity: Warning,
	Profiles: usually,
	run: func(p *pass) {
		type said struct{ line, opposite int }
		found := make(places)
		for _, g := range p.named() {
			allows, disallows := make(map[string]int), make(map[string]int)
			for rule, pattern := range g.Patterns() {
				same, others := allows, disallows
				if !rule.Allow {
					same, others = disallows, allows
				}
				key := pattern.String()
				if pattern.Anchored() {
					key += "\x00" // apart from an escaped "$"
				}
				if _, ok := same[key]; ok {
					continue
				}
				same[key] = rule.Line
				s := said{rule.Line, others[key]}
				if s.opposite == 0 || len(found) == maxRemembered {
					continue
				}
				found[s.line] = func(l *line) {
					d := p.report(l.all(), textContradicts, s.opposite)
					d.Related = []Related{p.related(s.opposite, textOpposite)}
				}
			}
		}
		p.tell(found)
	},
}

var (
	textContradicts = text{
		"line %[1]d says the opposite of the same paths: Allow wins in rfc9309 and google, the first line in koster1996, Disallow in koster1994",
		"la línea %[1]d dice lo contrario de las mismas rutas: gana Allow en rfc9309 y google, la primera línea en koster1996, Disallow en koster1994",
		"%[1]d번째 줄은 같은 경로에 대해 반대로 말합니다. rfc9309와 google에서는 Allow가, koster1996에서는 먼저 나온 줄이, koster1994에서는 Disallow가 이깁니다",
		"строка %[1]d говорит противоположное о тех же путях: в rfc9309 и google решает Allow, в koster1996 — первая строка, в koster1994 — Disallow",
	}
	textOpposite = text{"the opposite", "lo contrario", "반대되는 규칙", "противоположное правило"}
)
