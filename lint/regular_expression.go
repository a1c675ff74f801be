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
			if isAnyText(l.Value) {
				p.report(l.value(), textRegexpAny)
			} else if i := looksLikeRegexp(l.Value); i >= 0 {
				p.report(l.within(i, len(l.Value)), textRegexp)
			} else if at := maybeRegexp().FindStringIndex(l.Value); at != nil &&
				!strings.Contains(l.Value[:at[0]], "?") {
				p.report(l.within(at[0], at[1]), textMaybeRegexp, l.Value[at[0]:at[1]]).Severity = Info
			}
		})
	},
}

// isAnyText reports whether a pattern is a regular expression for any path, but matches only those
// that begin with a dot.
func isAnyText(pattern string) bool {
	pattern = strings.Trim(pattern, "/^$")
	return pattern == ".*" || pattern == ".+" || pattern == "(.*)" || pattern == ".*?"
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
	"\"%[1]s\" may be meant as a regular expression: here a dot is a dot, a plus sign is a plus sign, and \"*\" alone stands for anything")

var textRegexpAny = language.New(
	"a regular expression for anything, but a dot is a dot here: it matches hidden files at most; write \"/\" for all paths")

var textRegexp = language.New(
	"this looks like a regular expression: robots.txt knows \"*\" for anything and \"$\" for the end, and takes all else as it is")
