package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var idleWildcard = &Check{
	Name:     "idle-wildcard",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		p.rules(func(l *line) {
			switch v := l.Value; {
			case len(v) > 2 && strings.HasSuffix(v, "*$"):
				p.report(l.within(len(v)-2, len(v)), textIdleEnd)
			case len(v) > 2 && strings.HasSuffix(v, "*"):
				p.report(l.within(len(v)-1, len(v)), textIdleStar)
			}
		})
	},
}

var (
	textIdleStar = language.New(
		"\"*\" at the end changes nothing but the length of the pattern: a pattern without \"$\" matches whatever follows anyway")
	textIdleEnd = language.New(
		"\"*$\" at the end changes nothing but the length of the pattern: anything, and then the end, is anything")
)
