package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var emptyAllow = &Check{
	Name:     "empty-allow",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if l.Value == "" {
				p.report(l.all(), textEmptyAllow)
			}
		}, robots.Allow)
	},
}

var textEmptyAllow = language.New(
	"\"Allow:\" without a path is not a rule: it opens nothing and closes nothing; write \"Allow: /\" to open the whole site, or remove the line")
