package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var noFinalLineEnd = &Check{
	Name:     "no-final-line-end",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		if p.text == "" || strings.HasSuffix(p.text, "\n") || strings.HasSuffix(p.text, "\r") {
			return
		}
		var at span
		p.lines(func(l *line) { at = l.span(len(l.body), len(l.body)) })
		p.end(func() {
			if at.line == 0 {
				return // the text is not robots.txt
			}
			end := "\n"
			if strings.Contains(p.text, "\r\n") {
				end = "\r\n"
			}
			d := p.report(at, textNoFinalEnd)
			d.Fix = &Fix{Title: p.say(textAddEnd), Safe: true, Edits: []Edit{at.edit(end)}}
		})
	},
}

var (
	textNoFinalEnd = language.New(
		"the last line has no end: whatever is put behind the file, by a tool or a server, becomes part of it")
	textAddEnd = language.New("end the line")
)
