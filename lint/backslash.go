package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var backslash = &Check{
	Name:     "backslash",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			i := strings.IndexByte(l.Value, '\\')
			if i < 0 || classOf(l.Value) != valueFine || looksLikeRegexp(l.Value) >= 0 {
				return
			}
			p.report(l.within(i, i+1), textBackslash)
		})
	},
}

var textBackslash = language.New(
	"a backslash escapes nothing in robots.txt, and URLs have \"/\" or %%5C in its place: the pattern hardly matches anything")
