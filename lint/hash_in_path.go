package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var hashInPath = &Check{
	Name:     "hash-in-path",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			at, ok := l.comment()
			if !ok || at.from == 0 || strings.IndexByte(" \t", l.body[at.from-1]) >= 0 || l.Value == "" ||
				classOf(l.Value) != valueFine {
				return
			}
			d := p.report(at, textHashInPath, l.Value)
			switch rest := l.body[at.from+1:]; {
			case strings.Trim(rest, " \t") == "", rest[0] == ' ', rest[0] == '\t':
				d.Severity = Info // a comment, or nothing is lost
			case l.Value != "/" || l.Kind != robots.Disallow || !isFragment(rest):
				d.Severity = Warning // "Disallow: /#!" closes the whole site, other values close a part
			}
		})
	},
}

// isFragment reports whether the text after "#" is a fragment of a URL: it starts without a
// blank, and has a typical character of fragments.
func isFragment(s string) bool {
	return s != "" && strings.IndexByte("!/*?", s[0]) >= 0
}

var textHashInPath = language.New(
	"\"#\" starts a comment, also within a path: robots read the pattern as \"%[1]s\"; they never send a fragment, and a \"#\" of the path itself is written %%23")
