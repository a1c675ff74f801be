package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// lineEnds are those of a file that are to be written in another way.
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

// edits returns the edits that write the ends in one way: one for each, or if
// they are many one for the whole file.
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

// end returns how the line ends, or "" for a last line without an end.
func (l *line) end() string { return l.Text[len(l.Text)-(l.Offset+len(l.Text)-l.start-len(l.body)):] }
