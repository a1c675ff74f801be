package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var blankAfterAgent = &Check{
	Name:     "blank-after-agent",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		var (
			agent  line   // the last user-agent line of a group that has no rules so far
			blanks []Edit // edits that remove the blank lines after it
			more   bool   // more blank lines than blanks has
		)
		group := -1
		p.lines(func(l *line) {
			switch l.Kind {
			case robots.UserAgent:
				agent, group, blanks, more = *l, l.Group, blanks[:0], false
			case robots.Blank:
				if group >= 0 && len(blanks) < maxBlanks {
					blanks = append(blanks, l.whole(""))
				} else {
					more = true
				}
			case robots.Allow, robots.Disallow:
				if group >= 0 && len(blanks) > 0 {
					d := p.report(agent.all(), textBlankAfterAgent, l.Number)
					d.Related = []Related{p.related(l.Number, textLostRule)}
					if !more {
						d.Fix = &Fix{Title: p.say(textDropBlanks), Safe: true, Edits: append([]Edit(nil), blanks...)}
					}
				}
				group = -1
			}
		})
	},
}

// maxBlanks is the maximum number of blank lines between a user-agent line and its first rule
// that a fix removes.
const maxBlanks = 1000

var (
	textBlankAfterAgent = language.New(
		"a blank line stands between this user-agent line and its first rule, in line %[1]d: some robots end the group at a blank line, and lose its rules")
	textLostRule   = language.New("the rule that these robots lose")
	textDropBlanks = language.New("remove the blank lines")
)
