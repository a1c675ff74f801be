package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var noDisallow = &Check{
	Name:     "no-disallow",
	Severity: Info,
	Profiles: []Profile{Historic},
	run: func(p *pass) {
		var first line // of the user-agent lines of a group
		open, found := false, false
		end := func() {
			if open && !found {
				p.report(first.all(), textNoDisallow)
			}
		}
		group := -1
		p.lines(func(l *line) {
			switch l.Kind {
			case robots.UserAgent:
				if l.Group != group {
					end()
					first, group, open, found = *l, l.Group, true, false
				}
			case robots.Disallow:
				found = true
			}
		}, robots.UserAgent, robots.Disallow)
		p.end(end)
	},
}

var textNoDisallow = language.New(
	"the group has no Disallow: the standard of 1994 asks for one at least in each record, and its readers may drop the group; an empty one closes nothing")
