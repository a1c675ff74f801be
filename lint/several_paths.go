package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var severalPaths = &Check{
	Name:     "several-paths",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueList {
				return
			}
			message, paths := textSeveralPaths, pathsIn(l.Value)
			joined := paths == nil
			if joined {
				message, paths = textJoinedPaths, joinedPaths(l.Value)
			}
			d := p.report(l.value(), message)
			if joined {
				d.Severity = Warning
			}
			d.Fix = &Fix{
				Title:  p.say(textSplitPaths),
				Effect: Changes,
				Safe:   !joined, // a URL cannot contain blanks, but it can contain semicolons and commas
				Edits:  []Edit{l.value().edit(strings.Join(paths, l.ending()+l.Field+": "))},
			}
		})
	},
}

var (
	textSeveralPaths = language.New(
		"a rule has one path: robots take the blanks for a part of it, and the paths of the site have none, so nothing matches; write a rule for each")
	textJoinedPaths = language.New(
		"a rule has one path: robots take the semicolons or commas for a part of it; if these are several paths, write a rule for each")
	textSplitPaths = language.New("write a rule for each path; all take effect")
)
