package lint

import "github.com/robotsexclusion/robots"

var patternStart = &Check{
	Name:     "pattern-start",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueStart {
				return
			}
			d := p.report(l.value(), textPatternStart)
			at := l.within(0, 0)
			start := "/"
			if l.Value[0] == '.' || l.Value[0] == '?' || l.Value[0] == '&' || l.Value[0] == '=' {
				start = "/*" // ".pdf$" is meant for files of this kind, "?" for queries
			}
			d.Fix = &Fix{Title: p.say(textAddStart, start), Effect: addsRule(l), Edits: []Edit{at.edit(start)}}
		})
	},
}

// addsRule returns what it changes when a rule that matched nothing matches
// something.
func addsRule(l *line) Effect {
	if l.Kind == robots.Allow {
		return Opens
	}
	return Closes
}

var (
	textPatternStart = text{
		"the pattern starts with neither \"/\" nor \"*\", as all paths start with \"/\": it matches nothing",
		"el patrón no empieza ni con «/» ni con «*», y todas las rutas empiezan con «/»: no coincide con nada",
		"패턴이 \"/\"로도 \"*\"로도 시작하지 않습니다. 모든 경로는 \"/\"로 시작하므로 아무것도 맞지 않습니다",
		"шаблон не начинается ни с «/», ни с «*», а все пути начинаются с «/»: он ни с чем не совпадёт",
	}
	textAddStart = text{
		"put \"%[1]s\" before it; the rule takes effect",
		"poner «%[1]s» delante; la regla entra en vigor",
		"앞에 \"%[1]s\"를 붙입니다. 규칙이 효력을 갖습니다",
		"поставить перед ним «%[1]s»; правило начнёт действовать",
	}
)
