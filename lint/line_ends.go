package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// lineEnds are the line ends of a file that must be changed.
type lineEnds struct {
	count int
	first []Edit // the first of them
}

// add adds the end of a line.
func (e *lineEnds) add(l *line) {
	if e.count++; e.count <= maxRemembered {
		e.first = append(e.first, Edit{l.start + len(l.body), l.Offset + len(l.Text), ""})
	}
}

// edits returns the edits that make the line ends uniform: one for each, or a single one for
// the whole file if there are many.
func (e *lineEnds) edits(policy *robots.Policy, end string) []Edit {
	if e.count <= maxRemembered {
		for i := range e.first {
			e.first[i].New = end
		}
		return e.first
	}
	var b strings.Builder
	var here line
	for _, l := range policy.Lines() {
		here.set(l)
		b.WriteString(l.Text[:len(l.Text)-len(here.end())])
		if here.end() != "" {
			b.WriteString(end)
		}
	}
	return []Edit{{0, len(policy.String()), b.String()}}
}

// end returns the line end, or "" for a last line without one.
func (l *line) end() string { return l.Text[len(l.Text)-(l.Offset+len(l.Text)-l.start-len(l.body)):] }
