package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var twoRecords = &Check{
	Name:     "two-records",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			i, field := recordIn(l.Value)
			if i < 0 {
				return
			}
			d := p.report(l.within(i, len(l.Value)), textTwoRecords, field)
			first := strings.TrimRight(l.Value[:i], " \t")
			fix := &Fix{Title: p.say(textSplitRecords), Effect: Changes, Safe: first != "" && len(first) < i}
			if first == "" {
				// The previous field has no value: it is a slip.
				fix.Title = p.say(textDropField, l.Field)
				at := l.field()
				at.to = l.within(i, i).from
				fix.Edits = []Edit{at.edit("")}
			} else {
				fix.Edits = []Edit{l.within(len(first), i).edit(l.ending())}
			}
			d.Fix = fix
		}, robots.UserAgent, robots.Allow, robots.Disallow)
	},
}

var (
	textTwoRecords = language.New(
		"\"%[1]s\" stands on the line of another record: robots take it for a part of that value, so it has no effect of its own; write it on a line of its own")
	textSplitRecords = language.New("write each record on a line of its own; both take effect")
	textDropField    = language.New("remove \"%[1]s:\" before it; the record takes effect")
)
