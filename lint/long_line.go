package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

// googleLine is the maximum number of bytes of a line that Google reads.
const googleLine = 16663

var longLine = &Check{
	Name:     "long-line",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if at := l.all(); at.to > googleLine {
				if c, ok := l.comment(); ok && c.from <= googleLine {
					return // only a comment is cut off
				}
				p.report(l.span(googleLine, at.to), textLongLine, at.to)
			}
		}, robots.UserAgent, robots.Allow, robots.Disallow, robots.Other)
	},
}

var textLongLine = language.New(
	"the line has %[1]d bytes: Google reads 16,663 of a line and drops the rest, which makes another pattern of it")
