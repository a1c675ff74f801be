package auditreport

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Printer writes a report as text for a terminal. It does not report errors of W: use a writer
// that keeps them, such as a [bufio.Writer].
type Printer struct {
	W        io.Writer
	Color    bool
	Width    int // the columns of the terminal, or 0 if W is not a terminal
	Language language.Language

	// Visits says that no robots.txt was given: the report says who visited, and not who obeyed.
	Visits bool
}

const (
	mostRobots   = 50  // in the table
	mostObedient = 15  // in the table, if no further robot has disallowed requests
	mostCases    = 10  // among the worst
	mostHosts    = 10  // not judged
	mostExample  = 400 // bytes of the line of a log
)

// Report writes a report: a table of the robots, the worst cases, requests before robots.txt was
// read, suspects, the fastest minutes, and the requests that were not judged.
func (p *Printer) Report(r *audit.Report) {
	p.head(r)
	p.robots(r.Robots)
	p.worstCases(r)
	p.reading(r.Robots)
	p.beside(r.Robots)
	p.suspects(r.Suspects)
	p.peaks(r.Peaks)
	p.versions(r.Versions)
	if !p.Visits {
		p.unjudged(r)
	}
	if notes := allNotes(p.Language, r); len(notes) > 0 {
		p.title(textNotes)
		for _, note := range notes {
			fmt.Fprintf(p.W, "  %s\n", printable.Text(note))
		}
	}
	if p.Visits {
		fmt.Fprintln(p.W)
		p.paragraph(p.in(addRobots(r)))
	}
}

// addRobots returns what to add to see who obeyed.
func addRobots(r *audit.Report) language.Text {
	if len(r.Hosts) > 1 {
		return textAddHosts
	}
	return textAddRobots
}

func (p *Printer) in(text language.Text, args ...any) string { return text.In(p.Language, args...) }

func (p *Printer) table() *columns.Table { return &columns.Table{W: p.W, Color: p.Color} }

// title begins a part of the report.
func (p *Printer) title(text language.Text) {
	fmt.Fprintln(p.W)
	p.line(columns.Bold(p.in(text)))
}

// line writes one line with a style.
func (p *Printer) line(c columns.Cell) {
	t := p.table()
	t.Add([]columns.Cell{c})
	t.Flush()
}

func (p *Printer) head(r *audit.Report) {
	if r.Proxied > 0 {
		p.line(columns.Red(p.in(textBehindProxy)))
	}
	text, bad := verdict(p.Language, r)
	if p.Visits {
		text = p.in(textVisited, len(r.Robots))
	}
	switch {
	case bad:
		p.line(columns.Red(text))
	case NothingJudged(p.Language, r) == "":
		p.line(columns.Green(text))
	default:
		p.line(columns.Text(text))
	}
	if r.Requests > 0 {
		fmt.Fprintln(p.W, p.in(textRequestsRead, language.Grouped(r.Requests), period(r.First, r.Last)))
	}
	if r.Unreadable > 0 {
		fmt.Fprintln(p.W, p.in(textUnreadable, language.Grouped(r.Unreadable), number(p.Language, r.Lines)))
	}
}

// A column of the table of robots.
type column struct {
	title language.Text
	cell  func(*audit.Robot) columns.Cell
	right bool // aligned to the right, as numbers
	shed  int  // columns with a higher number are left out first on a narrow terminal; 0 stays
}

// columns returns the columns of the table of robots. They have the requests of forgers only if
// there are any.
func (p *Printer) columns(robots []audit.Robot) []column {
	n := func(of func(*audit.Robot) int64) func(*audit.Robot) columns.Cell {
		return func(r *audit.Robot) columns.Cell { return columns.Text(number(p.Language, of(r))) }
	}
	forged := func(r audit.Robot) bool { return r.Forged.Requests > 0 }
	list := []column{
		{title: textRobot, cell: func(r *audit.Robot) columns.Cell {
			return columns.Bold(robotName(p.Language, r,
				24))
		}},
		{title: textOperator, cell: func(r *audit.Robot) columns.Cell { return columns.Text(clip(r.Operator, 20)) },
			shed: 3},
		{title: textPurposes, cell: func(r *audit.Robot) columns.Cell {
			return columns.Text(clip(strings.Join(r.Purposes, ", "), 30))
		}, shed: 4},
		{title: textRequests, cell: n(func(r *audit.Robot) int64 { return r.Requests }), right: true},
		{title: textReads, cell: n(func(r *audit.Robot) int64 { return r.RobotsTxt }), right: true, shed: 3},
		{title: textCertain, cell: p.violations(func(c audit.Count) int64 { return c.Certain }, columns.Red),
			right: true},
		{title: textInformed, cell: p.violations(func(c audit.Count) int64 { return c.Informed }, columns.Text),
			right: true},
		{title: textGrace, cell: p.violations(func(c audit.Count) int64 { return c.Grace }, columns.Text), right: true},
		{title: textForgery, cell: n(func(r *audit.Robot) int64 { return r.Forged.Requests }), right: true, shed: 1},
		{title: textAddresses, cell: func(r *audit.Robot) columns.Cell {
			return columns.Text(addresses(p.Language,
				r.Clients))
		}, right: true, shed: 5},
		{title: textIdentity, cell: p.identity, shed: 2},
		{title: textPacing, cell: func(r *audit.Robot) columns.Cell { return columns.Text(pace(p.Language, r.Pace)) },
			shed: 4},
	}
	others := []language.Text{textPurposes, textReads}
	if p.Visits {
		others = []language.Text{textCertain, textInformed, textGrace, textPacing}
	}
	list = slices.DeleteFunc(list, func(c column) bool { return slices.Contains(others, c.title) })
	if !slices.ContainsFunc(robots, forged) {
		list = slices.DeleteFunc(list, func(c column) bool { return c.title == textForgery })
	}
	return list
}

// violations returns a function for the cells of one class of violations. Robots without judged
// requests have none, which is not 0.
func (p *Printer) violations(of func(audit.Count) int64,
	style func(string) columns.Cell) func(*audit.Robot) columns.Cell {
	return func(r *audit.Robot) columns.Cell {
		n := of(r.Violations.Count)
		switch {
		case !isJudged(r):
			return columns.Text("–")
		case n > 0:
			return style(number(p.Language, n))
		}
		return columns.Text("0")
	}
}

func (p *Printer) identity(r *audit.Robot) columns.Cell {
	text := identity(p.Language, r)
	switch {
	case r.Requests == 0 && r.Forged.Requests > 0:
		return columns.Red(text)
	case r.Identity.Verified > 0 && r.Identity.Unverifiable == 0 && r.Identity.Device == 0:
		return columns.Green(text)
	}
	return columns.Text(text)
}

// robots writes the table of the robots, and what its columns mean.
func (p *Printer) robots(robots []audit.Robot) {
	if len(robots) == 0 {
		return
	}
	shown := robots[:shownRobots(robots)]
	rows := p.rows(shown, p.columns(shown))
	fmt.Fprintln(p.W)
	t := p.table()
	for _, row := range rows {
		t.Add(row)
	}
	t.Flush()
	p.more(len(robots)-len(shown), textOtherBots)
	if p.Visits {
		return
	}
	fmt.Fprintln(p.W)
	p.paragraph(p.in(textMeaning))
}

// shownRobots returns how many robots the table shows: those with disallowed requests, which come
// first, and some of the others.
func shownRobots(robots []audit.Robot) int {
	n := 0
	for i, r := range robots[:min(mostRobots, len(robots))] {
		if i < mostObedient || r.Violations.Certain+r.Violations.Informed+r.Violations.Grace > 0 {
			n = i + 1
		}
	}
	return n
}

// rows returns the rows of the table of robots, with its titles. It leaves out columns for which
// the terminal is too narrow.
func (p *Printer) rows(robots []audit.Robot, list []column) (rows [][]columns.Cell) {
	head := []columns.Cell{}
	for _, c := range list {
		head = append(head, columns.Text(p.in(c.title)))
	}
	rows = append(rows, head)
	for i := range robots {
		var row []columns.Cell
		for _, c := range list {
			row = append(row, c.cell(&robots[i]))
		}
		rows = append(rows, row)
	}
	list, rows = withoutEmpty(list, rows)
	widths := widthsOf(rows)
	for p.Width > 0 && sum(widths)+2*(len(widths)-1) > p.Width {
		i := nextToShed(list)
		if i < 0 {
			break
		}
		list, rows = without(i, list, rows)
		widths = slices.Delete(widths, i, i+1)
	}
	for _, row := range rows {
		for i, c := range list {
			if c.right {
				row[i].Text = strings.Repeat(" ", widths[i]-language.Width(row[i].Text)) + row[i].Text
			}
		}
	}
	return rows
}

// withoutEmpty leaves out the columns that have only a title.
func withoutEmpty(list []column, rows [][]columns.Cell) ([]column, [][]columns.Cell) {
	for i := len(list) - 1; i >= 0; i-- {
		if !slices.ContainsFunc(rows[1:], func(row []columns.Cell) bool { return row[i].Text != "" }) {
			list, rows = without(i, list, rows)
		}
	}
	return list, rows
}

// without leaves out a column.
func without(i int, list []column, rows [][]columns.Cell) ([]column, [][]columns.Cell) {
	for r := range rows {
		rows[r] = slices.Delete(rows[r], i, i+1)
	}
	return slices.Delete(list, i, i+1), rows
}

// nextToShed returns the index of the column to leave out next, or -1.
func nextToShed(list []column) int {
	next := -1
	for i, c := range list {
		if c.shed > 0 && (next < 0 || c.shed > list[next].shed) {
			next = i
		}
	}
	return next
}

func widthsOf(rows [][]columns.Cell) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], language.Width(c.Text))
		}
	}
	return widths
}

func sum(all []int) (n int) {
	for _, x := range all {
		n += x
	}
	return n
}

// worstCases writes the rules with the most violations, each with a line of a log.
func (p *Printer) worstCases(r *audit.Report) {
	cases := worstCases(r)
	if len(cases) == 0 {
		return
	}
	p.title(textWorstCases)
	for _, c := range cases[:min(mostCases, len(cases))] {
		name := robotName(p.Language, c.robot, 64)
		if c.robot.Operator != "" {
			name += " (" + printable.Text(c.robot.Operator) + ")"
		}
		t := p.table()
		t.Add([]columns.Cell{columns.Bold(name)})
		t.Flush()
		fmt.Fprintf(p.W, "  %s\n  %s\n", caseHead(p.Language, c.rule), caseVersion(p.Language, c.rule))
		fmt.Fprintf(p.W, "  %s: %s\n", place(c.rule.Example), clip(c.rule.Example.Text, mostExample))
	}
	p.more(len(cases)-mostCases, textMoreRules)
	if Disobeyed(r) {
		fmt.Fprintln(p.W)
		p.paragraph(p.in(textWriteLetter))
	}
}

// versions writes the versions of robots.txt, if there is more than one.
func (p *Printer) versions(versions []audit.InForce) {
	if len(versions) < 2 {
		return
	}
	p.title(textVersions)
	t := p.table()
	for _, v := range versions {
		late := ""
		if v.Late {
			late = p.in(textLate)
		}
		t.Add([]columns.Cell{columns.Text("  " + printable.Text(v.Host)), columns.Text(versionName(p.Language, v)),
			columns.Text(inForce(v)), columns.Text(late)})
	}
	t.Flush()
}

// unjudged writes how many requests were not judged, by reason, and the hosts without versions.
func (p *Printer) unjudged(r *audit.Report) {
	all := reasons(p.Language, r)
	if len(all) == 0 {
		return
	}
	p.title(textUnjudged)
	width := 0
	for _, x := range all {
		width = max(width, language.Width(number(p.Language, x.requests)))
	}
	for _, x := range all {
		n := number(p.Language, x.requests)
		fmt.Fprintf(p.W, "  %s%s  %s\n", strings.Repeat(" ", width-language.Width(n)), n, x.text)
	}
	left := 0
	for _, h := range r.Hosts {
		if h.Judged {
			continue
		}
		if left++; left <= mostHosts {
			fmt.Fprintf(p.W, "    %s: %s\n", hostName(p.Language, h.Name), number(p.Language, h.Requests))
		}
	}
	if left > mostHosts {
		fmt.Fprintln(p.W, "    …")
	}
}

// paragraph writes a text in lines that the terminal, or a page of 80 columns, has room for.
func (p *Printer) paragraph(text string) {
	most := 80
	if p.Width > 0 {
		most = min(p.Width, 100)
	}
	used := 0
	for word := range strings.FieldsSeq(text) {
		n := language.Width(word)
		if used > 0 && used+1+n > most {
			fmt.Fprintln(p.W)
			used = 0
		}
		if used > 0 {
			fmt.Fprint(p.W, " ")
			used++
		}
		fmt.Fprint(p.W, word)
		used += n
	}
	fmt.Fprintln(p.W)
}

// clip returns a text in a form safe for a terminal, and not longer than a number of bytes.
func clip(text string, size int) string { return printable.Clipped(text, size) }
