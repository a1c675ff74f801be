package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var nulOctet = &Check{
	Name:     "nul-octet",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		if strings.IndexByte(p.text, 0) < 0 {
			return
		}
		p.lines(func(l *line) {
			i := strings.IndexByte(l.body, 0)
			if i < 0 {
				return
			}
			to := i
			for to < len(l.body) && l.body[to] == 0 {
				to++
			}
			d := p.report(l.span(i, to), textNUL)
			if at, ok := l.comment(); ok && i >= at.from {
				d.Severity = Info
				return
			}
			if l.Kind == robots.Other || l.Kind == robots.Malformed {
				d.Severity = Warning
			}
		})
	},
}

var textNUL = language.New(
	"NUL in the line: Google drops the rest of the line from there on, and others take it for a part of the value")
