package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var notARecord = &Check{
	Name:     "not-a-record",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if l.meant().class != fieldUnknown || l.isBarePath() || isForeignComment(l.body) ||
				l.isTemplate() || strings.TrimSpace(folded(l.body)) == "" || strings.Trim(l.body, "\x00\x1A \t") == "" {
				return
			}
			if at := l.mojibake(); at.to > at.from {
				return // mojibake reports the line
			}
			at := l.all()
			d := p.report(at, textNotARecord)
			at.to = at.from
			if !googleReads(l.body) {
				d.Fix = &Fix{Title: p.say(textMakeComment), Edits: []Edit{at.edit("# ")}}
			}
		}, robots.Malformed)
		p.last(p.yield)
	},
}

var textNotARecord = language.New("this is not a record, which is a field, a colon and a value: the line has no effect")
