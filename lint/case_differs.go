package lint

import (
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/language"
)

var caseDiffers = &Check{
	Name:     "case-differs",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		type rule struct {
			value string
			line  int
		}
		group, seen := -1, map[string]rule(nil)
		p.rules(func(l *line) {
			if l.Group != group {
				group, seen = l.Group, make(map[string]rule)
			}
			if l.Value == "" {
				return
			}
			lower := strings.ToLower(l.Value)
			if !utf8.ValidString(l.Value) {
				lower = lowerASCII(l.Value) // otherwise all bytes that are not UTF-8 would be equal
			}
			first, ok := seen[lower]
			if !ok && len(seen) < maxRemembered {
				seen[lower] = rule{l.Value, l.Number}
			}
			if ok && upperEscapes(first.value) != upperEscapes(l.Value) {
				d := p.report(l.value(), textCaseDiffers, first.line)
				d.Related = []Related{p.related(first.line, textOtherCase)}
			}
		})
	},
}

// upperEscapes returns a pattern with its percent-encoding in upper case, because robots
// compare hex digits in any case.
func upperEscapes(value string) string {
	if !strings.Contains(value, "%") {
		return value
	}
	b := []byte(value)
	for i := range b {
		if isEscape(value[i:]) {
			copy(b[i:], strings.ToUpper(value[i:i+3]))
		}
	}
	return string(b)
}

var (
	textCaseDiffers = language.New(
		"the pattern differs from that of line %[1]d in case only: paths are case-sensitive, and both are needed if the server is not")
	textOtherCase = language.New("the other pattern")
)
