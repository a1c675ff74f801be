package lint

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var controlOctet = &Check{
	Name:     "control-octet",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			for i := range len(l.body) {
				c := l.body[i]
				if c == 0 || !isControl(c) {
					continue
				}
				d := p.report(l.span(i, i+1), textControl, fmt.Sprintf("0x%02X", c))
				if at, ok := l.comment(); ok && i >= at.from || strings.Trim(l.body, "\x1A") == "" ||
					l.Kind == robots.Comment {
					d.Severity = Info
				}
				return
			}
		})
	},
}

var textControl = language.New(
	"control byte %[1]s in the line: no URL has it as it is, so hardly anything matches; remove it")
