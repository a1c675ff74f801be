// Package matchtext says the verdict of robots.txt about a URL in four languages. It takes
// plain values in place of a robots.Match, and is below package robots, so that package page
// can use the same sentences as the packages above it.
package matchtext

import "github.com/robotsexclusion/robots/internal/language"

// The texts about a match.
var (
	Allowed    = language.New("allowed")
	Disallowed = language.New("disallowed")

	allowedBy    = language.New("allowed by line %[1]d: %[2]s")
	disallowedBy = language.New("disallowed by line %[1]d: %[2]s")
)

// reasons has the reasons of matches that no rule decides, by the name of the reason.
var reasons = map[string]language.Text{
	"no-group":    language.New("no group is for this robot"),
	"no-rule":     language.New("no rule of the group matches"),
	"robots-file": language.New("/robots.txt itself always is"),
	"unavailable": language.New("there is no robots.txt"),
	"unreachable": language.New("robots.txt is unreachable"),
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
