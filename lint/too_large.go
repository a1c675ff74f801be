package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

// sizeLimit is the minimum number of bytes that robots must read (RFC 9309, section 2.5).
// Google reads no more.
const sizeLimit = 500 << 10

var tooLarge = &Check{
	Name:     "too-large",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		if len(p.text) <= sizeLimit {
			return
		}
		lost, found := span{}, false
		p.lines(func(l *line) {
			switch l.Kind {
			case robots.UserAgent, robots.Allow, robots.Disallow, robots.Other:
				if !found && l.Offset+len(l.Text) > sizeLimit {
					lost, found = l.all(), true
				}
			}
		})
		p.end(func() {
			if found {
				p.report(lost, textTooLarge, len(p.text)>>10)
			} else if p.alien == robotsText {
				p.report(span{line: 1}, textTooLargeComments, len(p.text)>>10).Severity = Warning
			}
		})
	},
}

var (
	textTooLarge = language.New(
		"the file has %[1]d KiB: Google and others read 500 KiB, so this line and all after it are lost; Yandex then takes the whole file for empty")
	textTooLargeComments = language.New(
		"the file has %[1]d KiB: Google and others read 500 KiB; all records are within, but Yandex takes the whole file for empty")
)
