package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var misplacedDollar = &Check{
	Name:     "misplaced-dollar",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			i := strings.IndexByte(l.Value, '$')
			if i < 0 || i == len(l.Value)-1 || classOf(l.Value) != valueFine || looksLikeRegexp(l.Value) >= 0 {
				return
			}
			// A "$" at the start of a name, as in "/$FILE/" and "/$*", is a part of the path.
			if c := l.Value[i+1]; i > 0 && l.Value[i-1] == '/' || c == '_' || c == '(' || 'a' <= c|0x20 &&
				c|0x20 <= 'z' {
				return
			}
			p.report(l.within(i, i+1), textMisplacedDollar)
		})
	},
}

var textMisplacedDollar = language.New(
	"\"$\" stands for the end only where it is the last byte: here it is a dollar sign that the URL must have")
