package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var strayRule = &Check{
	Name:     "stray-rule",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		// All stray rules are before the first group, for one reason, and are reported once.
		var place span // the first one with a path, or otherwise the first one
		var at span    // the position before the first one
		var end string
		n, paths, cause := 0, 0, 0
		p.lines(func(l *line) {
			if m := l.meant(); cause == 0 && n == 0 && m.field == "User-agent" && m.class != fieldKnown {
				cause = l.Number
			}
		}, robots.Other, robots.Malformed)
		p.lines(func(l *line) {
			if p.ignores.ignore(p.check.Name, l.Number) {
				return
			}
			if n++; n == 1 {
				place, at, end = l.all(), l.span(0, 0), l.ending()
			}
			if l.Value != "" {
				if paths++; paths == 1 {
					place = l.all()
				}
			}
		}, robots.Stray)
		p.end(func() {
			if n == 0 {
				return
			}
			var d *Diagnostic
			if n > 1 {
				d = p.report(place, textStrayRules, n)
			} else {
				d = p.report(place, textStrayRule)
			}
			if paths == 0 {
				d.Severity = Info // rules without a path have no effect on robots anyway
			}
			if cause > 0 {
				d.Related = []Related{p.related(cause, textNoGroup)}
			}
			d.Fix = &Fix{Title: p.say(textAddEveryone), Effect: Changes, Edits: []Edit{at.edit("User-agent: *" + end)}}
		})
	},
}

var (
	textStrayRule   = language.New("no user-agent line stands before this rule: robots ignore it")
	textStrayRules  = language.New("no user-agent line stands before these rules: robots ignore all %[1]d of them")
	textNoGroup     = language.New("this line was to start their group")
	textAddEveryone = language.New("put \"User-agent: *\" before it; the rules are for all robots then")
)
