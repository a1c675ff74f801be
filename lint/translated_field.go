package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var translatedField = &Check{
	Name:     "translated-field",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if m := l.meant(); m.class == fieldTranslated {
				d := p.report(l.field(), textTranslatedField, l.Field, m.field)
				d.Fix = p.renamed(l)
			}
		}, robots.Other)
	},
}

var textTranslatedField = language.New(
	"\"%[1]s\" is a translation of \"%[2]s\": robots know the English name only, and the line has no effect")
