package proof

import (
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Shift is a path where a change of a file changes the answer of a reader to a
// robot.
type Shift struct {
	Agent   string
	Reader  Reader
	Witness string
	Before  robots.Match // see [Reader.Match]
	After   robots.Match
}

// String returns the shift as a line, such as "koster1996: *: /a: was allowed by line
// 2: Allow: /; is disallowed by line 2: Disallow: /a". It is safe for a terminal.
func (s Shift) String() string {
	return fmt.Sprintf("%s: %s: %s: was %v; is %v", s.Reader.Name, printable.Text(s.Agent), printable.Text(s.Witness),
		s.Before, s.After)
}

// A shiftJSON is the JSON form of a [Shift].
type shiftJSON struct {
	Agent   string       `json:"agent"`
	Reader  string       `json:"reader"`
	Witness string       `json:"witness"`
	Before  robots.Match `json:"before"`
	After   robots.Match `json:"after"`
}

func (s Shift) json() shiftJSON {
	return shiftJSON{s.Agent, s.Reader.Name, s.Witness, s.Before, s.After}
}

// Shifts returns the readers whose answers a change of a file changes: for each
// such reader one robot and path. [Minimize] keeps the answers of RFC 9309 and of
// Google. It may change those of other readers, such as programs that take the
// first rule that matches.
//
// The error wraps [pathset.ErrUndecided] if a reader without a shift may have one. If a reader has
// no shift and the error is nil, it is proven that the reader's answers are the same for all paths
// and all robots of the question.
func Shifts(before, after *robots.Policy, readers []Reader, o Options) ([]Shift, error) {
	var shifts []Shift
	undecided := false
	purse := o.purse()
	names := o.names(before, after)
	for _, r := range readers {
		s := &shiftSearch{reader: r, table: o.Robots, purse: purse}
		s.compare(r.policy(before), r.policy(after), r.asked(o.Robots, before, names, o.Agents == nil))
		if s.found != nil {
			shifts = append(shifts, *s.found)
			continue // one shift is enough, even if others are undecided
		}
		undecided = undecided || s.undecided
	}
	return shifts, undecidedError(undecided)
}

// A shiftSearch compares two policies for one reader.
type shiftSearch struct {
	reader    Reader
	table     *agent.Table
	purse     *purse
	found     *Shift
	undecided bool
}

func (s *shiftSearch) compare(before, after *robots.Policy, names []string) {
	seen := make(map[string]bool) // the groups that were compared
	for _, name := range names {
		robot := s.reader.robot(s.table, name)
		g, h := robot.Group(before), robot.Group(after)
		key := fmt.Sprint(g.Lines(), h.Lines())
		if seen[key] {
			continue
		}
		seen[key] = true
		if s.search(name, g, h); s.found != nil {
			return
		}
	}
}

// search looks for a path with one answer in g and another in h.
func (s *shiftSearch) search(agent string, g, h *robots.Group) {
	c := (&question{before: g, after: h, reader: s.reader, purse: s.purse, one: true}).compare()
	s.undecided = s.undecided || c.undecided
	for _, regions := range c.regions {
		s.found = &Shift{agent, s.reader, regions[0].Witness, regions[0].Before, regions[0].After}
	}
}
