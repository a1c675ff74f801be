package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof/pathset"
)

var mergedGroup = &Check{
	Name:     "merged-group",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		m := &agentTracker{pass: p, asked: -1}
		p.lines(m.read)
	},
}

// An agentTracker tracks the user-agent lines of one group.
type agentTracker struct {
	*pass
	groups []*robots.Group
	first  string // the name of the first user-agent line of the group
	group  int
	record string // a field between user-agent lines, if there is one
	number int    // number of the separating line: the record, or otherwise a blank line

	asked   int // the group with the closed path witness, if it closes one
	witness string
}

func (m *agentTracker) read(l *line) {
	switch l.Kind {
	case robots.UserAgent:
		if m.first == "" || l.Group != m.group {
			m.first, m.group, m.number, m.record = l.Value, l.Group, 0, ""
			return
		}
		if m.number != 0 && !strings.EqualFold(m.first, l.Value) {
			m.judge(l)
		}
		m.number, m.record = 0, ""
	case robots.Blank:
		if m.first != "" && m.number == 0 {
			m.number = l.Number
		}
	case robots.Other, robots.Malformed:
		if m.first != "" && m.record == "" {
			m.number, m.record = l.Number, strings.TrimSpace(l.body)
		}
	case robots.Allow, robots.Disallow:
		m.first = ""
	}
}

// judge reports a user-agent line that joins a group, if the group then closes a path to the
// previous robot.
func (m *agentTracker) judge(l *line) {
	if m.asked != l.Group {
		if m.groups == nil {
			m.groups = m.policy.Groups()
		}
		m.asked = l.Group
		m.witness, _, _ = pathset.Allowed(m.groups[l.Group]).Complement().Example(searchStates)
	}
	if m.witness == "" || m.policy.For(m.first).Allowed(anySite+m.witness) {
		return
	}
	if m.record == "" {
		if m.losesSite() {
			m.report(l.all(), textLosesSite, m.first)
			return
		}
		m.report(l.all(), textJoinedByBlank, m.first, m.witness).Severity = Info
		return
	}
	d := m.report(l.all(), textJoinedByRecord, m.number, m.first, m.witness)
	d.Related = []Related{m.related(m.number, textEndsNothing)}
}

// losesSite reports whether the robot before a blank line may not read anything.
func (m *agentTracker) losesSite() bool {
	_, closed := closing(m.policy.For(m.first))
	return closed
}

var (
	textLosesSite = language.New(
		"joins the group above, as a blank line ends none today: the whole site is closed to %[1]s; write \"Disallow:\" below \"User-agent: %[1]s\" if the site is to be open, or remove the blank line if it is not")
	textJoinedByRecord = language.New(
		"joins the group above, as line %[1]d is not a rule and ends none: the rules below are for %[2]s too, which may not fetch %[3]s")
	textJoinedByBlank = language.New(
		"joins the group above, as a blank line ends none today: %[1]s may not fetch %[2]s; after the documents of 1994 and 1996 it may")
	textEndsNothing = language.New("this line ends no group")
)
