package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var mojibake = &Check{
	Name:     "mojibake",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if m := l.meant(); m.class == fieldMojibake {
				d := p.report(l.field(), textMojibake, m.field)
				d.Fix = p.renamed(l)
			}
		}, robots.Other)
		p.lines(func(l *line) {
			if at := l.mojibake(); at.to > at.from {
				d := p.report(at, textMojibakeLine)
				d.Severity = Info
				d.Fix = &Fix{Title: p.say(textDropMark), Safe: true, Edits: []Edit{at.edit("")}}
			}
		}, robots.Malformed)
	},
}

// mojibake returns the place of a mark that is alone on its line, except for blanks and a
// comment.
func (l *line) mojibake() span {
	at := l.all()
	if c, ok := l.comment(); ok {
		at.to = c.from
	}
	if rest, ok := afterMojibake(strings.TrimRight(l.body[at.from:at.to], " \t")); !ok || rest != "" {
		at.to = at.from
	}
	return at
}

var (
	textMojibake = language.New(
		"a byte order mark, or an invisible character, that was read in a wrong encoding stands by \"%[1]s\": robots do not know the field, and the line has no effect")
	textMojibakeLine = language.New(
		"this is a byte order mark that was read in a wrong encoding; it is harmless here, but would break a record that stood right behind it")
)
