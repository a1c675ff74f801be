package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var emptyAgent = &Check{
	Name:     "empty-agent",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if strings.TrimSpace(folded(l.Value)) == "" { // empty, or only invisible characters
				p.report(l.all(), textEmptyAgent)
			}
		}, robots.UserAgent)
	},
}

var textEmptyAgent = language.New(
	"the user-agent line names no robot, so no robot obeys its rules: write \"*\" for all robots, or a name")
