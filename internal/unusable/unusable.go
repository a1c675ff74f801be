// Package unusable recognises texts that stand in the place of a robots.txt by mistake: a guard
// does not enforce them, and a watch reports them.
package unusable

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// A Reason says why a text is not a robots.txt. Line is the number of the first line that means
// nothing, and Text that line without blanks around it. Line is 0 if the text is empty.
type Reason struct {
	Line int
	Text string
}

// Find returns why a text is not a robots.txt: it was written by mistake, or only in part. It
// reports false for a text with a user-agent line or another field that robots know, and for one
// that has comments only: a comment says that somebody wants everything to be allowed.
func Find(p *robots.Policy) (Reason, bool) {
	var odd Reason
	comments := false
	for _, line := range p.Lines() {
		switch line.Kind {
		case robots.UserAgent:
			return Reason{}, false
		case robots.Comment:
			comments = true
			continue
		case robots.Blank:
			continue
		case robots.Other:
			if _, ok := robots.FieldNamed(line.Field); ok {
				return Reason{}, false
			}
		}
		if odd.Line == 0 {
			odd = Reason{line.Number, strings.TrimSpace(line.Text)}
		}
	}
	return odd, odd.Line > 0 || !comments
}
