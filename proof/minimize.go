package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A Minimized is a policy made smaller without another meaning.
type Minimized struct {
	Text string // the file; the one given, if nothing could be left out

	// LeftOut are the lines that are not in Text, or not in their place, in the
	// order of their numbers.
	LeftOut []Redundancy

	// Undecided tells that more might have been left out, but that could not
	// be proven within the limit.
	Undecided bool
}

// Minimize makes a policy smaller: it leaves out rules that change nothing,
// groups that repeat the one that their robots would obey anyway, and tells
// robots with equal groups together. Comments, the order of what is left, and
// records beside the rules stay.
//
// The result is proven to give every robot the same answer for every path, in RFC
// 9309 and in dialect Google, as [Diff] sees it.
func Minimize(p *robots.Policy, o Options) *Minimized {
	r := newReduction(p, o)
	r.run()
	e := &editor{policy: p.In(robots.RFC9309), drop: r.removed, after: make(map[int][]string), lines: make([]robots.Line, 1)}
	for _, line := range e.policy.Lines() {
		e.lines = append(e.lines, line)
	}
	e.dropEmpty()
	rules := e.text()
	whole := rules
	drop := e.drop
	if e.joinGroups() {
		whole = e.text()
	}
	m := &Minimized{Undecided: r.undecided}
	switch {
	case same(p, whole, o):
		m.Text, drop = whole, e.drop
	case same(p, rules, o):
		m.Text, m.Undecided = rules, true
	default:
		m.Text, drop, m.Undecided = p.String(), nil, true
	}
	for _, line := range e.lines[1:] {
		if why := drop[line.Number]; why != "" {
			rule := cmp.Or(r.rules[line.Number], robots.Rule{Line: line.Number})
			m.LeftOut = append(m.LeftOut, Redundancy{rule, strings.TrimRight(line.Text, "\r\n"), why})
		}
	}
	return m
}

// same reports whether it is proven that a text means what p does.
func same(p *robots.Policy, text string, o Options) bool {
	if text == p.String() {
		return true
	}
	after := robots.Parse([]byte(text))
	for _, d := range bothDialects {
		diff := Diff(p.In(d), after.In(d), o)
		if !diff.Equal() || len(diff.Records) > 0 {
			return false
		}
	}
	return true
}

// An editor leaves lines of a policy out.
type editor struct {
	policy *robots.Policy
	lines  []robots.Line    // by number
	drop   map[int]string   // the numbers of lines to leave out, and why
	after  map[int][]string // what to add after a line
}

// dropEmpty drops rules without a path from groups that have others.
func (e *editor) dropEmpty() {
	left := make(map[int]int) // rules that are not dropped, by the number of the group
	for _, line := range e.lines[1:] {
		number := line.Number
		if isRule(line) && line.Value != "" && e.drop[number] == "" {
			left[line.Group]++
		}
	}
	for _, line := range e.lines[1:] {
		number := line.Number
		if isRule(line) && line.Value == "" && left[line.Group] > 0 {
			e.drop[number] = "asks nothing"
		}
	}
}

func isRule(line robots.Line) bool { return line.Kind == robots.Allow || line.Kind == robots.Disallow }

// A block is a group as written.
type block struct {
	number  int
	agents  []string
	names   []int // the numbers of its user-agent lines
	others  []int // of its rules, and of records that belong to it
	meaning string
}

// joinGroups drops groups that repeat that for everyone, and joins equal ones. It
// reports whether there were any.
func (e *editor) joinGroups() (joined bool) {
	e.drop = maps.Clone(e.drop)
	groups := e.groups()
	count := make(map[string]int) // in how many groups a robot is named
	for _, g := range groups {
		for _, name := range g.agents {
			count[strings.ToLower(name)]++
		}
	}
	var first *block // the only group for everyone
	byMeaning := make(map[string]*block)
	for _, g := range groups {
		if slices.Contains(g.agents, everyone) && count[everyone] == 1 {
			first = g
		}
	}
	for _, g := range groups {
		alone := !slices.ContainsFunc(g.agents, func(name string) bool { return count[strings.ToLower(name)] > 1 })
		if !alone || len(g.agents) == 0 {
			continue
		}
		if first != nil && g != first && g.meaning == first.meaning && !slices.ContainsFunc(g.agents, needsGroup) {
			e.leaveOut(g, fmt.Sprintf("repeats the group for everyone of line %d", first.names[0]))
			joined = true
			continue
		}
		target := byMeaning[g.meaning]
		if target == nil {
			byMeaning[g.meaning] = g
			continue
		}
		if target == first || g == first {
			continue // "*" stays alone: other programs read it so
		}
		for _, number := range g.names {
			last := target.names[len(target.names)-1]
			e.after[last] = append(e.after[last], strings.TrimRight(e.lines[number].Text, "\r\n")+"\n")
		}
		e.leaveOut(g, fmt.Sprintf("has the rules of the group of line %d", target.names[0]))
		joined = true
	}
	return joined
}

// needsGroup reports whether a robot is known to obey another group than that for
// everyone, or none, where none names it.
func needsGroup(name string) bool {
	a := agent.Named(name)
	return a.Known() && (!a.Everyone() || len(a.Tokens()) > 1)
}

// groups returns the groups as written, without what is dropped.
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
		if line.Group < 0 || e.drop[number] != "" {
			continue
		}
		g := groups[line.Group]
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

// leaveOut drops the lines of a group.
func (e *editor) leaveOut(g *block, why string) {
	for _, number := range slices.Concat(g.names, g.others) {
		e.drop[number] = why
	}
}

// text returns what is left. Where lines were left out between blank lines, one
// of these is enough.
func (e *editor) text() string {
	var b strings.Builder
	blank, dropped := true, false // the line before, and what is between
	for _, line := range e.lines[1:] {
		number := line.Number
		if e.drop[number] != "" {
			dropped = true
			continue
		}
		if line.Kind == robots.Blank && blank && dropped {
			continue
		}
		if len(e.after[number]) > 0 && !strings.HasSuffix(line.Text, "\n") {
			line.Text = strings.TrimRight(line.Text, "\r\n") + "\n"
		}
		b.WriteString(line.Text)
		for _, more := range e.after[number] {
			b.WriteString(more)
		}
		blank, dropped = line.Kind == robots.Blank, false
	}
	return b.String()
}
