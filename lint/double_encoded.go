package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var doubleEncoded = &Check{
	Name:     "double-encoded",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			for at := 0; ; {
				i := strings.Index(l.Value[at:], "%25")
				if i < 0 {
					return
				}
				i += at
				at = i + 3
				if i > 0 && l.Value[i-1] == '*' {
					continue // "/*%2525" matches URLs that are encoded too often
				}
				if at+2 <= len(l.Value) && isHex(l.Value[at]) && isHex(l.Value[at+1]) {
					p.report(l.within(i, at+2), textDoubleEncoded, l.Value[i:at+2], "%"+l.Value[at:at+2])
					return
				}
			}
		})
	},
}

var textDoubleEncoded = language.New("%[1]s is encoded twice: it matches a URL that has %[1]s, not one that has %[2]s")
