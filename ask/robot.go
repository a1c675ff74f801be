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

// A meaning is what a name means to people, by the table alone.
type meaning struct {
	robots []agent.Subject
	err    error
}

// resolve is Resolve of the table. It looks for similar names in all of the table, so the answers
// about a name are kept for the next texts.
func (k *currentText) resolve(name string) ([]agent.Subject, error) {
	if m, ok := k.meanings[name]; ok {
		return m.robots, m.err
	}
	var m meaning
	m.robots, m.err = k.table.Resolve(name)
	if len(name) <= maxAgent {
		if k.meanings == nil || len(k.meanings) >= maxGroups {
			k.meanings = make(map[string]meaning)
		}
		k.meanings[name] = m
	}
	return m.robots, m.err
}

// groupOf returns the group of the robot that a question of the ask protocol names: by its product
// token, by its header, or by several names of it with > between them. Robots of the table obey the
// groups that their operators document.
//
// A robot that the table does not have asks about itself: its name is taken as the dialect takes
// names, and the vectors of package conformance say how. In the dialects other than RFC 9309, a
// header of such a robot is a name too. But a name by which people call other robots, such as
// "claude", is not that of such a robot, unless the policy has a group for it.
func (k *currentText) groupOf(p *robots.Policy, name string) (*robots.Group, error) {
	table := k.table
	robot := table.Subject(name)
	switch n := len(robot.Tokens); {
	case n == 0 && (strings.Contains(name, ",") || namesSeveral(table, name)):
		return nil, errSeveral
	case n == 0:
		return p.For(name), nil
	case n > 1 || robot.Alone || table.Named(robot.Tokens[0]).Known():
		return robot.Group(p), nil
	}
	own := p.For(name)
	if named := own.Token() != "" && own.Token() != "*"; named || name == "*" || agent.IsHeader(name) {
		return own, nil
	}
	return k.calledGroup(p, name, own)
}

// calledGroup returns the group of the robot that people call by a name, an error if they call
// several so, and otherwise the group that p.For gave. A name with blanks, which no product token
// has, is that of a robot of the table if it is a header of it, and refused if it is nearly that of
// a robot.
func (k *currentText) calledGroup(p *robots.Policy, name string, own *robots.Group) (*robots.Group, error) {
	found, err := k.resolve(name)
	purpose, _ := agent.ParsePurpose(strings.TrimSpace(name))
	aboutAI := purpose.Has(agent.AITrain | agent.AISearch | agent.AIUser) // a program may be called "search"
	common := func(s agent.Subject) bool { return len(s.Called) > 0 && (s.Common || aboutAI) }
	blank := strings.ContainsFunc(strings.TrimSpace(name), unicode.IsSpace)
	switch nobody := (*agent.UnknownError)(nil); {
	case len(found) > 1 && common(found[0]):
		return nil, errSeveral
	case len(found) == 1 && common(found[0]):
		return found[0].Group(p), nil
	case blank && k.table.Lookup(name).Known(): // a header without the marks of one
		return k.table.SubjectNamed(k.table.Lookup(name).Token).Group(p), nil
	case blank && errors.As(err, &nobody) && nobody.Meant != "":
		return nil, err
	}
	return own, nil
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
