package auditreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Printer writes a report as text for a terminal. It does not report errors of W: use a writer
// that keeps them, such as a [bufio.Writer].
type Printer struct {
	W        io.Writer
	Color    bool
	Language language.Language
}

const mostHosts = 10 // not judged

// Report writes a report: whether robots obeyed, and what was not judged.
func (p *Printer) Report(r *audit.Report) {
	p.head(r)
	p.unjudged(r)
	if len(r.Notes) > 0 {
		p.title(textNotes)
		for _, note := range r.Notes {
			fmt.Fprintf(p.W, "  %s\n", printable.Text(note))
		}
	}
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
	disobeyed := 0
	for _, robot := range r.Robots {
		if robot.Violations.Certain > 0 {
			disobeyed++
		}
	}
	switch {
	case disobeyed > 0:
		p.line(columns.Red(p.in(textDisobeyed, disobeyed)))
	case NothingJudged(p.Language, r) == "":
		p.line(columns.Green(p.in(textNoneCertain)))
	default:
		p.line(columns.Text(NothingJudged(p.Language, r)))
	}
	if r.Requests > 0 {
		fmt.Fprintln(p.W, p.in(textRequestsRead, int(r.Requests), period(r.First, r.Last)))
	}
	if r.Unreadable > 0 {
		fmt.Fprintln(p.W, p.in(textUnreadable, int(r.Unreadable), number(p.Language, r.Lines)))
	}
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
