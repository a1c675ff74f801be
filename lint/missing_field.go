package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var missingField = &Check{
	Name:     "missing-field",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if at := l.all(); l.isBarePath() {
				p.report(at, textMissingField)
			}
		}, robots.Other, robots.Malformed)
	},
}

// isBarePath reports whether a line is only a path. The path may contain a colon, which makes
// the line a record.
func (l *line) isBarePath() bool {
	body := strings.Trim(l.body, " \t")
	return strings.HasPrefix(body, "/") && !isForeignComment(body) && !strings.ContainsAny(body, " \t#") &&
		l.meant().class == fieldUnknown
}

var textMissingField = language.New(
	"a path without a field has no effect: write \"Disallow:\" or \"Allow:\" before it, or \"#\" if it is a comment")
