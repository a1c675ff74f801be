package merge

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// clipped returns patterns that together match what a plain path and a rule with
// wildcards both match. Where the path is "/press/" and the rule "/*/comments/",
// these are "/press/comments/", where the slash belongs to both, and
// "/press/*/comments/". There are none where the first is no plain path.
func clipped(closed, rule robots.Pattern) (patterns []string) {
	path := closed.String()
	if closed.Anchored || strings.Contains(path, "*") || !strings.HasPrefix(path, rule.Stem) {
		return nil
	}
	rest := path[len(rule.Stem):] // of the path, in which segments may stand
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
		// The segment starts within the path and goes on after it.
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
			return append(patterns, path+"*"+segment+end) // all of it comes after the path
		}
		rest = rest[at+len(segment):]
	}
	return append(patterns, path) // the rule matches all of it
}
