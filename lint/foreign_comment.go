package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var foreignComment = &Check{
	Name:     "foreign-comment",
	Severity: Warning,
	Profiles: usually,
	run: func(p *pass) {
		matter := p.frontMatter()
		p.lines(func(l *line) {
			if !isForeignComment(l.body) || l.Number <= matter || l.isTemplate() {
				return
			}
			at := l.all()
			d := p.report(at, textForeignComment)
			at.to = at.from
			d.Fix = &Fix{Title: p.say(textMakeComment), Safe: true, Edits: []Edit{at.edit("# ")}}
		}, robots.Other, robots.Malformed)
		p.last(p.yield)
	},
}

// isForeignComment reports whether a line starts like a comment of another language.
func isForeignComment(body string) bool {
	body = strings.TrimLeft(body, " \t")
	for _, start := range []string{"//", "/*", "<!--", "--", "; ", ";;", "REM ", "rem ", "!"} {
		if strings.HasPrefix(body, start) {
			// "//host/" and "/*.pdf" are patterns without their field.
			rest := body[len(start):]
			return start != "/*" && start != "//" || rest == "" || strings.ContainsAny(rest[:1], " \t/*=-#") ||
				strings.HasSuffix(body, "*/")
		}
	}
	return false
}

var (
	textForeignComment = language.New(
		"a comment in robots.txt starts with \"#\": no robot understands this line")
	textMakeComment = language.New("put \"#\" before it")
)
