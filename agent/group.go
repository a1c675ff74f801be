package agent

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// Group returns the group of a policy that a robot obeys. The robot is named by its
// User-Agent header, or by its product token, such as "Googlebot-Image", perhaps
// with a version:
//
//	group := agent.Group(policy, r.UserAgent())
//
// [robots.Policy.For] takes product tokens only: given a header, it returns the group for everyone,
// which may allow URLs that the robot's own group does not. Group finds the token in the header; it
// tries the tokens that a known robot falls back to, as Googlebot-Image does to Googlebot; and it
// omits the group for everyone if a known robot does not obey it, as AdsBot-Google does not.
func Group(p *robots.Policy, userAgent string) *robots.Group {
	return builtin().subjectOf(userAgent).Group(p)
}

// IsHeader reports whether a text is a User-Agent header, rather than only a token, perhaps with a
// version, or a list of names.
func IsHeader(text string) bool { return looksLikeHeader(text) && builtin().list(text) == nil }

// looksLikeHeader reports whether a text is a User-Agent header by its form, if it is not a list.
func looksLikeHeader(text string) bool {
	return strings.ContainsAny(text, "(;") || strings.Count(text, "/") > 1
}
