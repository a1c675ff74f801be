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
		"a blank line stands between this user-agent line and its first rule, in line %[1]d: some robots end the group at a blank line, and lose its rules",
		"hay una línea en blanco entre esta línea User-agent y su primera regla, la de la línea %[1]d: algunos robots terminan ahí el grupo y pierden sus reglas",
		"이 User-agent 줄과 첫 규칙(%[1]d번째 줄) 사이에 빈 줄이 있습니다. 일부 로봇은 빈 줄에서 그룹을 끝내므로 그 규칙을 잃습니다",
		"между этой строкой User-agent и её первым правилом в строке %[1]d стоит пустая строка: некоторые роботы завершают на ней группу и теряют её правила",
	)
	textLostRule = language.New(
		"the rule that these robots lose",
		"la regla que pierden esos robots",
		"그런 로봇이 잃는 규칙",
		"правило, которое теряют такие роботы",
	)
	textDropBlanks = language.New(
		"remove the blank lines",
		"quitar las líneas en blanco",
		"빈 줄을 지웁니다",
		"убрать пустые строки",
	)
)
