package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

var redundantRule = &Check{
	Name:     "redundant-rule",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		if p.alien != robotsText || !p.fewRules() {
			return
		}
		redundant, _ := proof.Redundant(p.policy, proof.Options{Limit: searchStates / 4})
		if len(redundant) == 0 {
			return
		}
		found := make(places)
		var edits []Edit
		ignored := false
		for _, r := range redundant {
			message := textSaysNothing
			if r.Why == "never decides" {
				message = textNeverDecides
			}
			found[r.Rule.Line] = func(l *line) {
				d := p.report(l.all(), message)
				ignored = ignored || d.Check == nil
				at, commented := l.comment()
				if commented {
					edits = append(edits, l.whole(l.body[at.from:]+l.ending()))
				} else {
					edits = append(edits, l.whole(""))
				}
			}
		}
		p.tell(found)
		// That the answers stay is proven of all lines together only.
		p.end(func() {
			if !ignored && len(p.found) > 0 {
				p.found[0].Fix = &Fix{Title: p.say(textDropRules, len(edits)), Safe: true, Edits: edits}
			}
		})
	},
}

// maxRules is how many rules a file may have to be asked about all paths.
const maxRules = 2000

// fewRules reports whether a file has no more rules than maxRules.
func (f *file) fewRules() bool {
	n := 0
	for _, l := range f.policy.Lines() {
		if l.Kind == robots.Allow || l.Kind == robots.Disallow || l.Kind == robots.UserAgent {
			n++
		}
	}
	return n <= maxRules && strings.Count(f.text, "*") <= 2*maxRules
}

var (
	textNeverDecides = text{
		"never decides: whatever it matches, longer rules or equal ones decide",
		"nunca decide: en todo lo que coincide deciden reglas más largas o iguales",
		"결코 결정하지 않습니다. 이 규칙과 맞는 모든 것은 더 길거나 같은 규칙이 결정합니다",
		"никогда не решает: обо всём, с чем оно совпадает, решают более длинные или равные правила",
	}
	textSaysNothing = text{
		"says nothing new: without it every robot gets the same answer for every path",
		"no dice nada nuevo: sin ella todo robot recibe la misma respuesta para toda ruta",
		"새로운 내용이 없습니다. 없어도 모든 로봇이 모든 경로에 대해 같은 답을 얻습니다",
		"не говорит ничего нового: без него каждый робот получает тот же ответ для любого пути",
	}
	textDropRules = text{
		"remove all such rules (%[1]d)",
		"quitar todas las reglas así (%[1]d)",
		"그런 규칙을 모두 지웁니다 (%[1]d개)",
		"убрать все такие правила (%[1]d)",
	}
)
