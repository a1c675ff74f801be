package ask

import (
	"errors"
	"strings"
	"unicode"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

var errSeveral = errors.New(
	"the agent names several robots: ask a question for each, or put > between the names of one robot")

// groupOf returns the group of the robot that a question of the ask protocol names: by its product
// token, by its header, or by several names of it with > between them. Robots of the table obey the
// groups that their operators document.
//
// A robot that the table does not have asks about itself: its name is taken as the dialect takes
// names, and the vectors of package conformance say how. In the dialects other than RFC 9309, a
// header of such a robot is a name too.
func groupOf(table *agent.Table, p *robots.Policy, name string) (*robots.Group, error) {
	robot := table.Subject(name)
	switch n := len(robot.Tokens); {
	case n == 0 && (strings.Contains(name, ",") || namesSeveral(table, name)):
		return nil, errSeveral
	case n == 0:
		return p.For(name), nil
	case n > 1 || robot.Alone:
		return robot.Group(p), nil
	}
	if table.Named(robot.Tokens[0]).Known() {
		return robot.Group(p), nil
	}
	return p.For(name), nil
}

// namesSeveral reports whether more than one of the words of a text that is not one robot names a
// robot.
func namesSeveral(table *agent.Table, text string) bool {
	names := 0
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ';' || unicode.IsSpace(c) }) {
		if len(table.Subject(word).Tokens) > 0 {
			names++
		}
	}
	return names > 1
}
