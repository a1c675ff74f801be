package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var missingColon = &Check{
	Name:     "missing-colon",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			m := l.meant()
			if m.class != fieldNoColon {
				return
			}
			message := textMissingColon
			if googleReads(l.body) {
				message = textMissingColonGoogle
			}
			d := p.report(m.name, message, m.field)
			d.Fix = p.renamed(l)
			d.Fix.Title = p.say(textAddColon, m.field)
		}, robots.Malformed, robots.Other)
	},
}

var (
	textAddColon           = language.New("write \"%[1]s:\"; the record takes effect")
	textMissingColon       = language.New("no colon stands after \"%[1]s\": the line has no effect")
	textMissingColonGoogle = language.New(
		"no colon stands after \"%[1]s\": Google guesses it, but for most other robots the line has no effect")
)
