package inplace

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
)

// Once returns the robots, each once. One that is also named by its own token counts as named so.
func Once(all []agent.Subject) (list []agent.Subject) {
	for _, s := range all {
		same := func(has agent.Subject) bool { return strings.EqualFold(has.Tokens[0], s.Tokens[0]) }
		at := slices.IndexFunc(list, same)
		switch {
		case at < 0:
			list = append(list, s)
		case len(s.Called) == 0:
			list[at] = s
		}
	}
	return list
}

// IsName reports whether a token can stand on a user-agent line.
func IsName(token string) bool {
	return token != "" && !strings.ContainsFunc(token, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune("#:/,;()>*", c)
	})
}
