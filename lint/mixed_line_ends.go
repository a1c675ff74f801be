package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var mixedLineEnds = &Check{
	Name:     "mixed-line-ends",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		counts := make(map[string]int)
		most, other, ends := "", span{}, lineEnds{}
		if p.alien == robotsText && strings.Contains(p.text, "\r") {
			var here line
			for _, l := range p.policy.Lines() {
				here.set(l)
				if end := here.end(); end != "" {
					counts[end]++
				}
			}
		}
		if len(counts) < 2 {
			return
		}
		for _, end := range []string{"\n", "\r\n", "\r"} {
			if counts[end] > counts[most] {
				most = end
			}
		}
		p.lines(func(l *line) {
			if end := l.end(); end != "" && end != most {
				if other.line == 0 {
					other = l.span(len(l.body), len(l.body))
				}
				ends.add(l)
			}
		})
		p.end(func() {
			d := p.report(other, textMixedEnds, endNames[most], counts[most], ends.count)
			d.Fix = &Fix{Title: p.say(textSameEnds, endNames[most]), Safe: true, Edits: ends.edits(p.policy, most)}
		})
	},
}

var endNames = map[string]string{"\n": "LF", "\r\n": "CRLF", "\r": "CR"}

var (
	textMixedEnds = language.New(
		"lines end in different ways: %[2]d with %[1]s, %[3]d otherwise, the first of them here")
	textSameEnds = language.New("end all lines with %[1]s")
)
