package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var fieldCase = &Check{
	Name:     "field-case",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		p.lines(func(l *line) {
			field, ok := knownField(l.Field)
			if !ok || usualCase(l.Field, field) {
				return
			}
			d := p.report(l.field(), textFieldCase, l.Field, field)
			d.Fix = &Fix{Title: p.say(textWriteField, field), Safe: true, Edits: []Edit{l.field().edit(field)}}
		}, robots.UserAgent, robots.Allow, robots.Disallow, robots.Stray, robots.Other)
	},
}

// usualCase reports whether a field is in one of the usual forms: all lower case, all upper
// case, or with an upper-case letter after each hyphen.
func usualCase(name, usual string) bool {
	if name == usual || name == strings.ToLower(name) || name == strings.ToUpper(name) {
		return true
	}
	parts := strings.Split(usual, "-")
	for i, part := range parts {
		parts[i] = strings.ToUpper(part[:1]) + strings.ToLower(part[1:])
	}
	return name == strings.Join(parts, "-")
}

var (
	textFieldCase = language.New(
		"\"%[1]s\" is read in letters of any case, but hard to find for people; it is mostly written \"%[2]s\"")
	textWriteField = language.New("write \"%[1]s\"")
)
