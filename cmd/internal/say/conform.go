package say

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Conformance writes a row for each profile of a report, with the disagreements below it, in
// English. A wrong line number is a miss for our own engine only.
func (p *Printer) Conformance(report *conformance.Report, own bool) {
	t := p.table()
	for _, a := range report.Profiles {
		var notes []string
		note := func(n int, one, many string) {
			switch {
			case n == 1:
				notes = append(notes, "1 "+one)
			case n > 1:
				notes = append(notes, fmt.Sprintf("%d %s", n, many))
			}
		}
		note(a.Asks-a.Agreed-a.Errors-a.Unanswered, "wrong verdict", "wrong verdicts")
		note(len(a.WrongLines), "wrong line", "wrong lines")
		note(a.Errors, "error", "errors")
		note(a.Unanswered, "unanswered", "unanswered")
		color := columns.Green
		if len(a.Misses) > 0 || own && len(a.WrongLines) > 0 {
			color = columns.Red
		}
		cells := []columns.Cell{
			columns.Text(a.Profile),
			columns.Text(fmt.Sprintf("%d of %d asks", a.Agreed, a.Asks)),
			color(fmt.Sprintf("%3d %%", 100*a.Agreed/max(a.Asks, 1))),
		}
		if len(notes) > 0 {
			cells = append(cells, columns.Text(strings.Join(notes, ", ")))
		}
		var beneath []string
		for _, m := range slices.Concat(a.Misses, a.WrongLines) {
			if m.Got != nil || m.Error != "" {
				beneath = append(beneath, missText(&m))
			}
		}
		t.Add(cells, beneath...)
	}
	t.Flush()
	if report.Trouble != "" {
		fmt.Fprintf(p.W, "%s\n", printable.Shown(report.Trouble))
	}
}

// Sections writes a row for each section of vectors, in English.
func Sections(w io.Writer, sections []conformance.Section) {
	t := &columns.Table{W: w}
	for _, s := range sections {
		asks := 0
		for i := range s.Cases {
			asks += len(s.Cases[i].Asks)
		}
		t.Add([]columns.Cell{
			columns.Text(s.Profile),
			columns.Text(fmt.Sprintf("%4d cases", len(s.Cases))),
			columns.Text(fmt.Sprintf("%5d asks", asks)),
			columns.Text(fmt.Sprintf("%s, %s: %s", s.Document, s.Section, s.Title)),
		})
	}
	t.Flush()
}

// missText returns an ask with a wrong answer, on one line.
func missText(m *conformance.Miss) string {
	text := fmt.Sprintf("    %s: agent %s, url %s: wanted %v", m.Case, printable.Shown(m.Agent), printable.Shown(m.URL),
		m.Want)
	if m.Got != nil {
		return text + fmt.Sprintf(", got %v", *m.Got)
	}
	return text + ", got no verdict: " + printable.Shown(m.Error)
}
