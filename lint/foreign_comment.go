package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

var foreignComment = &Check{
	Name:     "foreign-comment",
	Severity: Warning,
	Profiles: usually,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if !isForeignComment(l.body) {
				return
			}
			at := l.all()
			d := p.report(at, textForeignComment)
			at.to = at.from
			d.Fix = &Fix{Title: p.say(textMakeComment), Safe: true, Edits: []Edit{at.edit("# ")}}
		}, robots.Other, robots.Malformed)
	},
}

// isForeignComment reports whether a line starts as comments of other languages
// do.
func isForeignComment(body string) bool {
	body = strings.TrimLeft(body, " \t")
	for _, start := range []string{"//", "/*", "<!--", "--", "; ", ";;", "REM ", "rem ", "!"} {
		if strings.HasPrefix(body, start) {
			// "//host/" and "/*.pdf" are patterns that have lost their field.
			rest := body[len(start):]
			return start != "/*" && start != "//" || rest == "" || strings.ContainsAny(rest[:1], " \t/*=-#") || strings.HasSuffix(body, "*/")
		}
	}
	return false
}

var (
	textForeignComment = text{
		"a comment starts with \"#\" in robots.txt: this line is one that no robot understands",
		"en robots.txt un comentario empieza con «#»: esta línea no la entiende ningún robot",
		"robots.txt의 주석은 \"#\"으로 시작합니다. 이 줄은 어떤 로봇도 이해하지 못합니다",
		"в robots.txt комментарий начинается с «#»: эту строку не понимает ни один робот",
	}
	textMakeComment = text{
		"put \"#\" before it",
		"poner «#» delante",
		"앞에 \"#\"을 붙입니다",
		"поставить перед ней «#»",
	}
)
