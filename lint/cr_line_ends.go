package lint

import "strings"

var crLineEnds = &Check{
	Name:     "cr-line-ends",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if !strings.Contains(p.text, "\r") {
			return
		}
		first, ends := span{}, lineEnds{}
		p.lines(func(l *line) {
			if l.end() == "\r" {
				if first.line == 0 {
					first = l.span(len(l.body), len(l.body))
				}
				ends.add(l)
			}
		})
		p.end(func() {
			if ends.count > 0 {
				d := p.report(first, textCR, ends.count)
				d.Fix = &Fix{Title: p.say(textSameEnds, "LF"), Safe: true, Edits: ends.edits(p.policy, "\n")}
			}
		})
	},
}

var textCR = text{
	"lines end with CR alone, this one and in all %[1]d: many robots read them as one line with the next, and lose rules",
	"hay líneas que terminan solo con CR, esta y en total %[1]d: muchos robots las leen como una sola con la siguiente y pierden reglas",
	"CR만으로 끝나는 줄이 여기부터 모두 %[1]d줄 있습니다. 많은 로봇이 다음 줄과 한 줄로 읽어 규칙을 잃습니다",
	"строки, начиная с этой, заканчиваются одним CR, всего %[1]d: многие роботы читают их вместе со следующей как одну и теряют правила",
}
