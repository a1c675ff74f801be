package export

import (
	"fmt"
	"slices"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
)

// A decision is the lines of a plan in the syntax of a server.
type decision struct {
	headerregex.Lines
	groups  map[int][2][]line // the lines of each group that robots obey, for usual and for odd targets
	served  map[int][2][]line // the same for targets that the server reads as another path: without dots, and with dots
	spelled *spelling         // nil if only exact targets count
	paced   bool              // headers matter to a pace too
	rest    bool              // robots without rules of their own obey the group for everyone
}

// decide writes the lines of all groups and headers. With other, it also writes those for other
// spellings.
func (p *plan) decide(syntax *pathregex.Syntax, other *spelling) (*decision, error) {
	lines, err := headerregex.Of(p.names, p.options.Agents == All, syntax.Limit)
	if err != nil {
		return nil, err
	}
	d := &decision{Lines: *lines, groups: make(map[int][2][]line), served: make(map[int][2][]line), spelled: other,
		rest: p.everyone >= 0 && p.options.Agents != Named}
	if !d.rest {
		d.Other = nil
	}
	for i := range p.groups {
		obeyed := slices.ContainsFunc(d.Exact, func(l headerregex.Line) bool { return int(l.Class) == i })
		if !obeyed && !(d.rest && i == p.everyone) {
			continue
		}
		if err := p.addPaths(d, syntax, other, i); err != nil {
			return nil, err
		}
	}
	if len(d.groups) == 0 { // no header matters
		d.Lines = headerregex.Lines{}
	}
	return d, nil
}

// browsers returns the expressions of headers that pass first: none if all pass.
func (d *decision) browsers() []string {
	if len(d.groups) == 0 && !d.paced {
		return nil
	}
	return []string{headerregex.CommonBrowsers}
}

// addPaths adds the lines of a group.
func (p *plan) addPaths(d *decision, syntax *pathregex.Syntax, other *spelling, group int) error {
	usual, err := p.paths(syntax, group, false)
	if err != nil {
		return err
	}
	odd, err := p.paths(syntax, group, true)
	if err != nil {
		return err
	}
	d.groups[group] = [2][]line{usual, odd}
	if other != nil {
		if d.served[group], err = p.servedPaths(other, group); err != nil {
			return err
		}
	}
	return nil
}

// className returns the name of a class in configuration.
func className(c headerregex.Class) string {
	switch c {
	case headerregex.Nobody:
		return "n"
	case headerregex.Everyone:
		return "e"
	case headerregex.Unlisted:
		return "u"
	}
	return fmt.Sprint("g", int(c))
}

// disallowed returns 1 for a line that disallows, and 0 for one that allows.
func disallowed(l line) int {
	if l.allow {
		return 0
	}
	return 1
}
