package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var strayRecord = &Check{
	Name:     "stray-record",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		grouped := false
		var everyone robots.Line // after which the records of the group for everyone stand
		named := false
		if p.alien == robotsText {
			everyone, named = p.everyoneNamed()
		}
		p.lines(func(l *line) {
			grouped = grouped || l.Group >= 0
			f, _ := robots.FieldNamed(l.Field)
			if grouped || !f.OfGroup || f.Name == "License" { // a license may be the file's
				return
			}
			d := p.report(l.all(), textStrayRecord, f.Name)
			if !named {
				return
			}
			record := strings.TrimSpace(l.body) + l.ending()
			if !strings.HasSuffix(everyone.Text, "\n") && !strings.HasSuffix(everyone.Text, "\r") {
				record = l.ending() + strings.TrimSpace(l.body)
			}
			end := everyone.Offset + len(everyone.Text)
			d.Fix = &Fix{Title: p.say(textMoveRecord, everyone.Number), Edits: []Edit{l.whole(""), {end, end, record}}}
		}, robots.UserAgent, robots.Other)
	},
}

// everyoneNamed returns the last of the user-agent lines that begin the first group for everyone.
func (f *file) everyoneNamed() (last robots.Line, ok bool) {
	for _, l := range f.policy.Lines() {
		switch {
		case l.Kind == robots.UserAgent:
			last, ok = l, ok || robots.ProductToken(l.Value) == "*"
		case l.Kind == robots.Allow, l.Kind == robots.Disallow, l.Kind == robots.Other:
			if ok {
				return last, true
			}
		}
	}
	return last, ok
}

var (
	textStrayRecord = language.New("no user-agent line stands before this %[1]s: robots read it only in a group")
	textMoveRecord  = language.New("move it below line %[1]d; it is for all robots without a group of their own then")
)
