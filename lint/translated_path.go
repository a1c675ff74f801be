package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var translatedPath = &Check{
	Name:     "translated-path",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueTranslated {
				return
			}
			path := strings.NewReplacer("/ ", "/", " /", "/").Replace(l.Value)
			path = strings.NewReplacer("/ ", "/", " /", "/").Replace(path)
			d := p.report(l.value(), textTranslatedPath)
			if !strings.ContainsAny(path, " \t") && len(path) > 2 && path[0] == '/' && path[1] != '*' {
				d.Fix = &Fix{Title: p.say(textJoinPath, path), Effect: Changes, Edits: []Edit{l.value().edit(path)}}
			}
		})
	},
}

var (
	textTranslatedPath = language.New(
		"there is a blank after a slash, as machine translations put one: the paths of the site have none there, so nothing matches; and a translated path is another path")
	textJoinPath = language.New("write \"%[1]s\"; the rule takes effect")
)
