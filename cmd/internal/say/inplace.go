package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/inplace"
	"github.com/robotsexclusion/robots/cmd/internal/say/changetext"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An InPlace is a change of a robots.txt in its place, for some robots.
type InPlace struct {
	File    string
	New     bool // there is no file yet
	Open    bool
	Old     string
	Edit    *inplace.Edit
	Robots  []agent.Subject // those that were named
	Table   *agent.Table
	Engines []string // search engines to which the site is closed
}

// Print writes what changes, what it means and costs, and the lines.
func (c *InPlace) Print(p *Printer) {
	if c.Edit.Text == c.Old {
		c.unchanged(p)
		return
	}
	if len(c.Engines) > 0 {
		alarm := p.in(textAlarm, printable.Clipped(p.names(c.Engines, 10), 400))
		if slices.Contains(c.Engines, "*") {
			alarm = p.in(textAlarmAll)
		}
		t := p.table()
		t.Add([]columns.Cell{columns.Red(alarm)})
		t.Flush()
		fmt.Fprintln(p.W)
	}
	if c.New {
		fmt.Fprintf(p.W, "%s\n\n", p.in(textNewFile, printable.Shown(c.File)))
	}
	c.meaning(p)
	fmt.Fprintln(p.W)
	p.Difference(c.Edit.Difference)
	fmt.Fprintln(p.W)
	c.lines(p)
}

// change returns the change for the package with the sentences.
func (c *InPlace) change() changetext.Change {
	return changetext.Change{File: c.File, Open: c.Open, Edit: c.Edit, Robots: c.Robots, Table: c.Table}
}

// unchanged writes that nothing changes, and why.
func (c *InPlace) unchanged(p *Printer) {
	fmt.Fprintln(p.W, changetext.Already(c.change(), p.Language))
	for _, note := range changetext.Left(c.change(), p.Language) {
		fmt.Fprintln(p.W, note)
	}
}

// meaning writes what the change means, what it costs, and what the operators of the robots say.
func (c *InPlace) meaning(p *Printer) {
	m := changetext.Of(c.change(), p.Language)
	for _, cost := range m.Costs {
		fmt.Fprintf(p.W, "%s: %s\n", cost.Purpose, cost.Text)
	}
	for _, note := range m.Notes {
		fmt.Fprintln(p.W, note)
	}
}

// lines writes the lines that are added and removed.
func (c *InPlace) lines(p *Printer) {
	t := p.table()
	for line := range strings.Lines(changetext.Lines(c.File, c.Old, c.Edit.Text, false)) {
		cell := columns.Text(strings.TrimSuffix(line, "\n"))
		switch line[0] {
		case '+':
			cell = columns.Green(cell.Text)
		case '-':
			cell = columns.Red(cell.Text)
		}
		t.Add([]columns.Cell{cell})
	}
	t.Flush()
}

var (
	textAlarm = language.New(
		"WARNING: this closes SEARCH ENGINES: %[1]s. People will not find your pages there any more.")
	textAlarmAll = language.New(
		"WARNING: this closes the site to ALL ROBOTS that the file does not name, SEARCH ENGINES among them. People will not find your pages there any more.")
	textNewFile = language.New("There is no robots.txt yet: this creates %[1]s.")
)
