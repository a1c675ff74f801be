package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var doubleWildcard = &Check{
	Name:     "double-wildcard",
	Severity: Info,
	Profiles: usually,
	run: func(p *pass) {
		p.rules(func(l *line) {
			i := strings.Index(l.Value, "**")
			if i < 0 {
				return
			}
			to := i
			for to < len(l.Value) && l.Value[to] == '*' {
				to++
			}
			d := p.report(l.within(i, to), textDoubleWildcard)
			d.Fix = &Fix{Title: p.say(textOneWildcard), Effect: Changes,
				Edits: []Edit{l.value().edit(manyStars().ReplaceAllString(l.Value, "*"))}}
		})
	},
}

var manyStars = lazyRegexp(`\*\*+`)

var (
	textDoubleWildcard = language.New(
		"\"**\" matches what \"*\" does: slashes too; but it is longer, and the longest pattern decides")
	textOneWildcard = language.New("write \"*\"; the pattern becomes shorter, so that another rule may win")
)
