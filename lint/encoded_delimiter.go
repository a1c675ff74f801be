package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var encodedDelimiter = &Check{
	Name:     "encoded-delimiter",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		p.rules(func(l *line) {
			query := strings.IndexByte(l.Value, '?')
			for i := 0; i+3 <= len(l.Value); i++ {
				if l.Value[i] != '%' || query >= 0 && i > query {
					continue // in a query these must be encoded
				}
				plain, ok := delimiters[strings.ToUpper(l.Value[i:i+3])]
				if ok {
					p.report(l.within(i, i+3), textEncodedDelimiter, l.Value[i:i+3], plain)
					return
				}
			}
		})
	},
}

var delimiters = map[string]string{"%2F": "/", "%3F": "?", "%3D": "=", "%26": "&"}

var textEncodedDelimiter = language.New(
	"%[1]s is not \"%[2]s\" to a robot: the pattern matches only URLs that have it encoded")
