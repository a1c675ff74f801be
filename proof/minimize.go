package proof

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
)

// A Minimized is a policy made smaller without changing its meaning.
type Minimized struct {
	Text string // the file; the one given, if nothing could be left out

	// LeftOut are the lines that are not in Text, or not in their place, in the
	// order of their numbers.
	LeftOut []Redundancy

	// Undecided is set if more lines might be left out, but the limit did not suffice to prove it.
	Undecided bool

	// Shifts are the changes for Options.Noted. ShiftsUndecided is set if there may be more.
	Shifts          []Shift
	ShiftsUndecided bool

	size int // of the text that was given
}

// MarshalJSON returns an object with "bytes" and "minimized", the sizes of both texts, "left_out",
// the lines that are left out with "line", "text" and "why", "undecided", "shifts", each
// with "agent", "reader", "witness", "before" and "after", and "shifts_undecided".
func (m *Minimized) MarshalJSON() ([]byte, error) {
	type line struct {
		Line int    `json:"line"`
		Text string `json:"text"`
		Why  string `json:"why"`
	}
	lines := []line{}
	for _, l := range m.LeftOut {
		lines = append(lines, line{l.Rule.Line, l.Text, l.Why})
	}
	shifts := []shiftJSON{}
	for _, s := range m.Shifts {
		shifts = append(shifts, s.json())
	}
	return json.Marshal(struct {
		LeftOut         []line      `json:"left_out"`
		Minimized       int         `json:"minimized"`
		Bytes           int         `json:"bytes"`
		Shifts          []shiftJSON `json:"shifts"`
		ShiftsUndecided bool        `json:"shifts_undecided"`
		Undecided       bool        `json:"undecided"`
	}{lines, len(m.Text), m.size, shifts, m.ShiftsUndecided, m.Undecided})
}

// Minimize makes a policy smaller: it leaves out rules that change nothing,
// groups that repeat what their robots would obey anyway, and joins equal groups and groups of the
// same robots. The order of the other lines stays, and so do records other than rules. Comments
// stay in their place. A comment at the end of a removed line becomes a line of its own; the
// comments of a group that is joined with another one go before that group.
//
// The result is proven to give every robot the same answer for every path, in RFC
// 9309 and in dialect Google, as [Diff] sees it, and for the readers that the options
// name. [Shifts] finds what it changes for other readers. Minimize cannot make the result smaller.
// The error wraps [pathset.ErrUndecided] if more might be left out, or if there may be more shifts
// for Options.Noted.
func Minimize(p *robots.Policy, o Options) (*Minimized, error) {
	m := &Minimized{Text: p.String()}
	m.size = len(m.Text)
	original := p.In(robots.RFC9309)
	l := language.Parse(o.Language)
	left := make(map[int]Redundancy)
	var origins []int // line numbers of m.Text in the original, starting at 1; nil if they are the same
	for n := 0; ; n++ {
		s := shrink(p, o)
		m.Text, m.Undecided = s.text, s.undecided
		for number, why := range s.drop {
			number, why.line = origin(origins, number), origin(origins, why.line)
			if left[number].Why == "" {
				left[number] = Redundancy{Why: why.in(l), language: l}
			}
		}
		if !s.joined {
			break // the rules are minimal, but equal groups may hide more
		}
		if n == maxPasses {
			m.Undecided = true
			break
		}
		for i, number := range s.origins {
			s.origins[i] = origin(origins, number)
		}
		p, origins = robots.Parse([]byte(s.text)), s.origins
	}
	for number, line := range original.Lines() {
		if r, ok := left[number]; ok {
			r.Rule = robots.Rule{Line: number}
			if isRule(line) && line.Value != "" {
				r.Rule = robots.Rule{Allow: line.Kind == robots.Allow, Pattern: line.Value, Line: number}
			}
			r.Text = strings.TrimRight(line.Text, "\r\n")
			m.LeftOut = append(m.LeftOut, r)
		}
	}
	if len(o.Noted) > 0 {
		var err error
		m.Shifts, err = Shifts(original, robots.Parse([]byte(m.Text)), o.Noted, o)
		m.ShiftsUndecided = err != nil
	}
	return m, undecidedError(m.Undecided || m.ShiftsUndecided)
}

// maxPasses is the maximum number of passes over a text in which groups were joined.
const maxPasses = 8

// origin returns the number of a line in the original.
func origin(origins []int, number int) int {
	if origins == nil || number == 0 {
		return number
	}
	return origins[number-1]
}

// A shrinkResult is the result of one pass over a policy.
type shrinkResult struct {
	text      string
	drop      map[int]reason // lines of the policy that are not in text, or have moved
	origins   []int          // for each line of text, its line in the policy
	joined    bool           // groups were joined
	undecided bool
}

// shrink makes one pass over a policy.
func shrink(p *robots.Policy, o Options) *shrinkResult {
	r := newReduction(p, o)
	r.run()
	e := &editor{policy: p.In(robots.RFC9309), drop: maps.Clone(r.removed), robots: o.Robots,
		lines: make([]robots.Line, 1)}
	for _, line := range e.policy.Lines() {
		e.lines = append(e.lines, line)
	}
	e.dropEmpty()
	joins, proven, undecided := e.prove(p, e.joins(), o)
	if !proven && len(o.Readers) > 0 {
		e.drop = r.removed // for Yandex, a rule without a path has a meaning
		joins, proven, undecided = e.prove(p, e.joins(), o)
	}
	if !proven {
		return &shrinkResult{text: p.String(), undecided: true}
	}
	s := e.text(joins)
	s.joined, s.undecided = len(joins) > 0, r.undecided || undecided
	return s
}

// same reports whether it is proven that a text has the same meaning as p, and if not, whether
// the opposite is proven.
func same(p *robots.Policy, text string, o Options) (equal, decided bool) {
	if text == p.String() {
		return true, true
	}
	after := robots.Parse([]byte(text))
	for _, r := range promised {
		diff, err := Diff(p.In(r.Dialect), after.In(r.Dialect), o)
		if !diff.Equal() || len(diff.Records) > 0 {
			return false, err == nil || len(diff.Changes)+len(diff.Records) > 0
		}
	}
	shifts, err := Shifts(p, after, o.Readers, o)
	return len(shifts) == 0 && err == nil, err == nil
}

// An editor omits lines of a policy.
type editor struct {
	policy *robots.Policy
	robots *agent.Table
	lines  []robots.Line  // by number
	drop   map[int]reason // the numbers of the lines to omit, and the reasons
}

// drops reports whether a line is omitted.
func (e *editor) drops(number int) bool {
	_, ok := e.drop[number]
	return ok
}

// dropEmpty omits rules without a path from groups that have other rules.
func (e *editor) dropEmpty() {
	left := make(map[int]int) // number of remaining rules, by group
	for _, line := range e.lines[1:] {
		number := line.Number
		if isRule(line) && line.Value != "" && !e.drops(number) {
			left[line.Group]++
		}
	}
	for _, line := range e.lines[1:] {
		number := line.Number
		if isRule(line) && line.Value == "" && left[line.Group] > 0 {
			e.drop[number] = reason{text: textAsksNothing}
		}
	}
}

func isRule(line robots.Line) bool { return line.Kind == robots.Allow || line.Kind == robots.Disallow }

// A block is a group as written.
type block struct {
	number  int
	agents  []string
	names   []int // lines of its user-agent lines
	others  []int // lines of its rules and records
	gone    []int // rules that are omitted already
	meaning string
}

// robots returns the names of the group in lower case, each once, as a key.
func (g *block) robots() string {
	names := make([]string, len(g.agents))
	for i, name := range g.agents {
		names[i] = strings.ToLower(name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "\n")
}

// A groupJoin omits a group that repeats another one, or moves its lines.
type groupJoin struct {
	group  *block
	target *block // the group that is joined with it, or nil if its robots need none
	rules  bool   // the rules and records move, because both groups have the same robots; else the names
	why    reason
}

// joins returns the groups that repeat the group for everyone, the groups that equal an earlier
// one, and those that have the robots of an earlier one.
func (e *editor) joins() (joins []groupJoin) {
	groups := e.groups()
	count := make(map[string]int) // number of groups that name a robot
	for _, g := range groups {
		for _, name := range g.agents {
			count[strings.ToLower(name)]++
		}
	}
	var first *block // the only group for everyone
	byMeaning, byRobots := make(map[string]*block), make(map[string]*block)
	for _, g := range groups {
		if slices.Contains(g.agents, everyone) && count[everyone] == 1 {
			first = g
		}
	}
	for _, g := range groups {
		if len(g.names) == 0 {
			continue
		}
		if target := byRobots[g.robots()]; target != nil {
			joins = append(joins, groupJoin{g, target, true, reason{textSameRobots, target.names[0]}})
			continue
		}
		byRobots[g.robots()] = g
		if slices.ContainsFunc(g.agents, func(name string) bool { return count[strings.ToLower(name)] > 1 }) {
			continue
		}
		if first != nil && g != first && g.meaning == first.meaning && !slices.ContainsFunc(g.agents, e.needsGroup) {
			joins = append(joins, groupJoin{g, nil, false, reason{textRepeatsAll, first.names[0]}})
			continue
		}
		target := byMeaning[g.meaning]
		if target == nil {
			byMeaning[g.meaning] = g
			continue
		}
		if target == first || g == first {
			continue // "*" stays alone: other programs require that
		}
		joins = append(joins, groupJoin{g, target, false, reason{textSameGroup, target.names[0]}})
	}
	return joins
}

// maxProofs is the maximum number of proofs of subsets of the joins, if all joins together are
// not proven. An undecided proof took long, and counts as several.
const (
	maxProofs     = 24
	undecidedCost = 8
)

// prove returns the joins that keep the meaning of p: all of them, or else the joins that it can
// prove by trying halves, and halves of halves. proven is true if any text is proven, even without
// joins; undecided says that more joins may be possible.
func (e *editor) prove(p *robots.Policy, joins []groupJoin, o Options) (kept []groupJoin, proven, undecided bool) {
	left := maxProofs
	fits := func(joins []groupJoin) bool {
		equal, decided := same(p, e.text(joins).text, o)
		left--
		if !decided {
			left -= undecidedCost - 1
			undecided = true
		}
		return equal
	}
	if fits(joins) {
		return joins, true, false
	}
	if len(joins) == 0 || !fits(nil) {
		return nil, false, true
	}
	undecided = false // the rest may still be decided completely
	var try func(more []groupJoin)
	try = func(more []groupJoin) {
		if left <= 0 {
			undecided = true
			return
		}
		if fits(slices.Concat(kept, more)) {
			kept = slices.Concat(kept, more)
			return
		}
		if len(more) > 1 {
			try(more[:len(more)/2])
			try(more[len(more)/2:])
		}
	}
	if len(joins) > 1 {
		try(joins[:len(joins)/2])
		try(joins[len(joins)/2:])
	}
	return kept, true, undecided
}

// needsGroup reports whether a robot that no group names is known to obey another group than
// the one for everyone, or none.
func (e *editor) needsGroup(name string) bool {
	a := e.robots.Named(name)
	return a.Known() && (!a.Everyone() || len(a.Tokens()) > 1)
}

// groups returns the groups as written, without omitted lines.
func (e *editor) groups() []*block {
	var groups []*block
	for i, g := range e.policy.Groups() {
		groups = append(groups, &block{number: i, agents: g.Agents()})
	}
	meanings := make([][]string, len(groups))
	records := make([]map[int]bool, len(groups))
	for i, g := range e.policy.Groups() {
		records[i] = make(map[int]bool)
		for _, r := range groupRecords(g) {
			records[i][r.Line] = true
		}
	}
	for _, line := range e.lines[1:] {
		number := line.Number
		if line.Group < 0 {
			continue
		}
		g := groups[line.Group]
		if e.drops(number) {
			g.gone = append(g.gone, number)
			continue
		}
		switch {
		case line.Kind == robots.UserAgent:
			g.names = append(g.names, number)
		case isRule(line):
			g.others = append(g.others, number)
			meanings[line.Group] = append(meanings[line.Group], line.Kind.String()+" "+line.Value)
		case records[line.Group][number]:
			g.others = append(g.others, number)
			meanings[line.Group] = append(meanings[line.Group], strings.ToLower(line.Field)+" "+line.Value)
		}
	}
	for i, g := range groups {
		slices.Sort(meanings[i])
		g.meaning = strings.Join(slices.Compact(meanings[i]), "\n")
	}
	return groups
}
