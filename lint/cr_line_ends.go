package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var crLineEnds = &Check{
	Name:     "cr-line-ends",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if !strings.Contains(p.text, "\r") {
			return
		}
		first, ends := span{}, lineEnds{}
		joined, lost := false, false // joined: with the previous line; lost: such a line has a meaning
		p.lines(func(l *line) {
			lost = lost || joined && l.Kind != robots.Blank && l.Kind != robots.Comment
			if joined = l.end() == "\r"; joined {
				if first.line == 0 {
					first = l.span(len(l.body), len(l.body))
				}
				ends.add(l)
			}
		})
		p.end(func() {
			if ends.count > 0 {
				message := textCR
				if !lost {
					message = textCRHarmless
				}
				d := p.report(first, message, ends.count)
				if !lost {
					d.Severity = Info
				}
				d.Fix = &Fix{Title: p.say(textSameEnds, "LF"), Safe: true, Edits: ends.edits(p.policy, "\n")}
			}
		})
	},
}

var (
	textCR = language.New(
		"lines end with CR alone, %[1]d from this one on: many robots read each as one line with the next, and lose rules",
		"desde aquí hay líneas que terminan solo con CR (%[1]d en total): muchos robots leen cada una unida a la siguiente y pierden reglas",
		"CR만으로 끝나는 줄이 여기부터 모두 %[1]d개 있습니다. 많은 로봇이 다음 줄과 이어 한 줄로 읽기 때문에 규칙이 사라집니다",
		"начиная с этой, строки заканчиваются одним CR (всего: %[1]d): многие роботы читают каждую из них слитно со следующей и теряют правила",
	)
	textCRHarmless = language.New(
		"lines end with CR alone, %[1]d from this one on: many robots read each as one line with the next, though no rule is lost by it here",
		"desde aquí hay líneas que terminan solo con CR (%[1]d en total): muchos robots leen cada una unida a la siguiente, aunque aquí no se pierde ninguna regla",
		"CR만으로 끝나는 줄이 여기부터 모두 %[1]d개 있습니다. 많은 로봇이 다음 줄과 이어 한 줄로 읽지만 여기서는 사라지는 규칙이 없습니다",
		"начиная с этой, строки заканчиваются одним CR (всего: %[1]d): многие роботы читают каждую из них слитно со следующей, но правила здесь не теряются",
	)
)
