package lint

import "github.com/robotsexclusion/robots"

// googleLine is how many octets of a line Google reads.
const googleLine = 16663

var longLine = &Check{
	Name:     "long-line",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if at := l.all(); at.to > googleLine {
				if c, ok := l.comment(); ok && c.from <= googleLine {
					return // what is dropped is a comment
				}
				p.report(l.span(googleLine, at.to), textLongLine, at.to)
			}
		}, robots.UserAgent, robots.Allow, robots.Disallow, robots.Other)
	},
}

var textLongLine = text{
	"the line has %[1]d octets: Google reads 16,663 of a line and drops the rest, which makes another pattern of it",
	"la línea tiene %[1]d octetos: Google lee 16 663 de una línea y descarta el resto, con lo que el patrón es otro",
	"줄이 %[1]d옥텟입니다. Google은 한 줄에서 16,663옥텟만 읽고 나머지를 버리므로 다른 패턴이 됩니다",
	"в строке %[1]d октетов: Google читает 16 663 октета строки и отбрасывает остальное, так что шаблон становится другим",
}
