package lint

import (
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
			} else if at := maybeRegexp().FindStringIndex(l.Value); at != nil && !strings.Contains(l.Value[:at[0]], "?") {
				p.report(l.within(at[0], at[1]), textMaybeRegexp, l.Value[at[0]:at[1]]).Severity = Info
			}
		})
	},
}

// regexpSyntax matches syntax that is rare in paths and common in regular expressions: an
// escaped letter or sign, a class, a group with a choice or a repetition, and ".+" or ".*" in
// the sense of any text, as in a directory.
var regexpSyntax = lazyRegexp(
	`\\[dDwWsSb.?+*()\[\]{}/\\$^|-]` +
		`|\[(\^|[a-zA-Z0-9]-[a-zA-Z0-9])[^\]]*\]` +
		`|\((\?:|[^()]*\||\.\*|\.\+)[^()]*\)` +
		`|^/?\^` +
		`|\.\+(/|\$|$)|/\.\*(/.|\$)|\.\*\?|\{\d+,\d*\}` +
		`|[^/]/\.\*$`)

// maybeRegexp matches text that may be a regular expression or a part of a path: any number of
// any letters between two others, and one letter repeated.
var maybeRegexp = lazyRegexp(`[a-zA-Z0-9]\.\*[a-zA-Z0-9]|/[a-zA-Z0-9]\+([a-zA-Z0-9/$]|$)`)

// looksLikeRegexp returns the index of regular-expression syntax in a pattern, or -1.
func looksLikeRegexp(value string) int {
	if !strings.ContainsAny(value, `\[(^+{.`) {
		return -1
	}
	if at := regexpSyntax().FindStringIndex(value); at != nil {
		return at[0]
	}
	return -1
}

var textMaybeRegexp = language.New(
	"\"%[1]s\" may be meant as a regular expression: here a dot is a dot, a plus sign is a plus sign, and \"*\" alone stands for anything",
	"«%[1]s» quizá pretenda ser una expresión regular: aquí un punto es un punto, un signo más es un signo más, y «*» por sí solo significa cualquier cosa",
	"\"%[1]s\"은(는) 정규 표현식으로 쓴 것일 수 있습니다. 여기서 점은 점이고 더하기는 더하기이며, \"*\"만으로 무엇이든 뜻합니다",
	"«%[1]s», возможно, задумано как регулярное выражение: здесь точка — это точка, плюс — это плюс, а «*» сама по себе означает что угодно",
)

var textRegexp = language.New(
	"this looks like a regular expression: robots.txt knows \"*\" for anything and \"$\" for the end, and takes all else as it is",
	"esto parece una expresión regular: robots.txt solo conoce «*» (cualquier cosa) y «$» (el final), y toma todo lo demás tal cual",
	"정규 표현식처럼 보입니다. robots.txt에는 무엇이든 뜻하는 \"*\"와 끝을 뜻하는 \"$\"만 있고 나머지는 그대로 비교합니다",
	"это похоже на регулярное выражение: в robots.txt есть только «*» — что угодно и «$» — конец, всё остальное понимается буквально",
)
