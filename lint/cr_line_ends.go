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
		"lines end with CR alone, %[1]d from this one on: many robots read each as one line with the next, and lose rules")
	textCRHarmless = language.New(
		"lines end with CR alone, %[1]d from this one on: many robots read each as one line with the next, though no rule is lost by it here")
)
