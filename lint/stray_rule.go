package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var strayRule = &Check{
	Name:     "stray-rule",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		first := true
		p.lines(func(l *line) {
			d := p.report(l.all(), textStrayRule)
			if l.Value == "" {
				d.Severity = Info // it would ask nothing anyway
			}
			if first {
				at := l.span(0, 0)
				d.Fix = &Fix{Title: p.say(textAddEveryone), Effect: Changes, Edits: []Edit{at.edit("User-agent: *" + l.ending())}}
				first = false
			}
		}, robots.Stray)
	},
}

var (
	textStrayRule = language.New(
		"no user-agent line stands before this rule: robots ignore it",
		"no hay ninguna línea User-agent antes de esta regla: los robots la ignoran",
		"이 규칙 앞에 User-agent 줄이 없습니다. 로봇은 이 규칙을 무시합니다",
		"перед этим правилом нет строки User-agent: роботы его не учитывают",
	)
	textAddEveryone = language.New(
		"put \"User-agent: *\" before it; the rules are for all robots then",
		"poner «User-agent: *» delante; las reglas se aplicarán a todos los robots",
		"앞에 \"User-agent: *\"를 넣습니다. 규칙이 모든 로봇에 적용됩니다",
		"поставить перед ним «User-agent: *»; правила станут относиться ко всем роботам",
	)
)
