package lint

import (
	"regexp"
	"strings"
	"github.com/robotsexclusion/robots/internal/language"
)

var regularExpression = &Check{
	Name:     "regular-expression",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if i := looksLikeRegexp(l.Value); i >= 0 {
				p.report(l.within(i, len(l.Value)), textRegexp)
			}
		})
	},
}

// regexpSyntax is what hardly stands in a path, and often in a regular
// expression: an escaped letter or sign, a class, a group with a choice or a
// repetition, and ".+" or ".*" where it stands for anything.
var regexpSyntax = regexp.MustCompile(
	`\\[dDwWsSb.?+*()\[\]{}/\\$^|-]` +
		`|\[(\^|[a-zA-Z0-9]-[a-zA-Z0-9])[^\]]*\]` +
		`|\((\?:|[^()]*\||\.\*|\.\+)[^()]*\)` +
		`|^/?\^` +
		`|\.\+(/|\$|$)|/\.\*(/.|\$)|\.\*\?|\{\d+,\d*\}`)

// looksLikeRegexp returns where in a pattern the syntax of regular expressions
// is, or -1.
func looksLikeRegexp(value string) int {
	if !strings.ContainsAny(value, `\[(^+{.`) {
		return -1
	}
	if at := regexpSyntax.FindStringIndex(value); at != nil {
		return at[0]
	}
	return -1
}

var textRegexp = language.New(
	"this looks like a regular expression: robots.txt knows \"*\" for anything and \"$\" for the end, and takes all else as it is",
	"esto parece una expresión regular: robots.txt solo conoce «*» (cualquier cosa) y «$» (el final), y toma todo lo demás tal cual",
	"정규 표현식처럼 보입니다. robots.txt에는 무엇이든 뜻하는 \"*\"와 끝을 뜻하는 \"$\"만 있고 나머지는 그대로 비교합니다",
	"это похоже на регулярное выражение: в robots.txt есть только «*» — что угодно и «$» — конец, всё остальное понимается буквально",
)
