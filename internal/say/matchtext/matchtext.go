// Package matchtext says the verdict of robots.txt about a URL in four languages. It takes
// plain values in place of a robots.Match, and is below package robots, so that package page
// can use the same sentences as the packages above it.
package matchtext

import "github.com/robotsexclusion/robots/internal/language"

// The texts about a match.
var (
	Allowed    = language.New("allowed", "permitido", "허용됨", "разрешено")
	Disallowed = language.New("disallowed", "prohibido", "차단됨", "запрещено")

	allowedBy    = language.New("allowed by line %[1]d: %[2]s", "permitido por la línea %[1]d: %[2]s", "%[1]d행에 따라 허용됨: %[2]s", "разрешено строкой %[1]d: %[2]s")
	disallowedBy = language.New("disallowed by line %[1]d: %[2]s", "prohibido por la línea %[1]d: %[2]s", "%[1]d행에 따라 차단됨: %[2]s", "запрещено строкой %[1]d: %[2]s")
)

// reasons has the reasons of matches that no rule decides, by the name of the reason.
var reasons = map[string]language.Text{
	"no-group":    language.New("no group is for this robot", "ningún grupo es para este robot", "이 로봇에 해당하는 그룹이 없음", "нет группы для этого робота"),
	"no-rule":     language.New("no rule of the group matches", "ninguna regla del grupo coincide", "그룹에 일치하는 규칙이 없음", "ни одно правило группы не подходит"),
	"robots-file": language.New("/robots.txt itself always is", "/robots.txt lo está siempre", "/robots.txt 자체는 언제나 허용됨", "сам /robots.txt разрешён всегда"),
	"unavailable": language.New("there is no robots.txt", "no hay robots.txt", "robots.txt가 없음", "robots.txt нет"),
	"unreachable": language.New("robots.txt is unreachable", "robots.txt no está accesible", "robots.txt에 접근할 수 없음", "robots.txt недоступен"),
}

// Sentence returns a match as a sentence: its verdict, the name of its reason, and the rule
// that decides, with its line.
func Sentence(l language.Language, allowed bool, reason string, line int, rule string) string {
	by, verdict := disallowedBy, Disallowed
	if allowed {
		by, verdict = allowedBy, Allowed
	}
	if reason == "rule" {
		return by.In(l, line, rule)
	}
	return verdict.In(l) + ": " + Reason(l, reason)
}

// Reason returns why a match is as it is, if no rule decides.
func Reason(l language.Language, reason string) string {
	if text, ok := reasons[reason]; ok {
		return text.In(l)
	}
	return reason
}
