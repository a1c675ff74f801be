package merge

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// clipped returns patterns that together match the paths that match both a plain path and a
// rule with wildcards. For the path "/press/" and the rule "/*/comments/", the patterns are
// "/press/comments/", where the slash belongs to both, and "/press/*/comments/". There are none
// if the first pattern has wildcards.
func clipped(closed, rule robots.Pattern) (patterns []string) {
	path := closed.String()
	if closed.Anchored || strings.Contains(path, "*") || !strings.HasPrefix(path, rule.Stem) {
		return nil
	}
	rest := path[len(rule.Stem):] // the part of the path that may contain segments
	segments := slices.Collect(rule.Segments())
	for i, segment := range segments {
		last := i+1 == len(segments)
		end := ""
		if !last {
			end = "*" + strings.Join(segments[i+1:], "*")
		}
		if rule.Anchored {
			end += "$"
		}
		// The segment starts within the path and continues after it.
		for n := min(len(segment)-1, len(rest)); n > 0; n-- {
			if strings.HasSuffix(rest, segment[:n]) {
				patterns = append(patterns, path+segment[n:]+end)
			}
		}
		if last && rule.Anchored {
			if strings.HasSuffix(rest, segment) {
				patterns = append(patterns, path+"$")
			}
			return append(patterns, path+"*"+segment+end)
		}
		at := strings.Index(rest, segment)
		if at < 0 {
			return append(patterns, path+"*"+segment+end) // the segment and the rest come after the path
		}
		rest = rest[at+len(segment):]
	}
	return append(patterns, path) // the rule matches the whole path
}
