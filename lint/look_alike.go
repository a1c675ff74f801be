package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var lookAlike = &Check{
	Name:     "look-alike",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if m := l.meant(); m.class == fieldLookAlike {
				d := p.report(m.name, textLookAlikeField, m.field)
				d.Fix = p.renamed(l)
			}
		}, robots.Other, robots.Malformed)
		p.lines(func(l *line) {
			plain := strings.TrimSpace(folded(l.Value))
			if plain == l.Value || plain == "" || !isASCII(plain) {
				return // empty-agent reports invisible names
			}
			d := p.report(l.value(), textLookAlikeAgent, plain)
			if strings.ContainsAny(plain, " '\"") {
				return // even so it is not a product token
			}
			d.Fix = &Fix{Title: p.say(textWriteASCII, plain), Effect: Changes, Safe: true,
				Edits: []Edit{l.value().edit(plain)}}
		}, robots.UserAgent)
	},
}

var (
	textLookAlikeField = language.New(
		"this looks like \"%[1]s:\", but has other characters that look the same or are not seen: robots do not know the field, and the line has no effect")
	textLookAlikeAgent = language.New(
		"this looks like \"%[1]s\", but has other characters that look the same or are not seen: no robot has this name")
	textWriteASCII = language.New("write \"%[1]s\"; the group is for this robot then")
)
