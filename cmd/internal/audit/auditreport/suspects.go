package auditreport

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// mostSuspects is the maximum number of suspects in the text.
const mostSuspects = 10

// suspects writes the clients that behave like robots and do not say so.
func (p *Printer) suspects(suspects []audit.Suspect) {
	if len(suspects) == 0 {
		return
	}
	p.title(textSuspects)
	p.paragraph(p.in(textSuspicion))
	for _, s := range suspects[:min(mostSuspects, len(suspects))] {
		t := p.table()
		t.Add([]columns.Cell{columns.Bold(suspectName(p.Language, &s))})
		t.Flush()
		fmt.Fprintf(p.W, "  %s\n", p.in(textSuspectRequests, int(s.Requests), period(s.First, s.Last)))
		for _, e := range s.Evidence {
			fmt.Fprintf(p.W, "  %s%s\n", evidence(p.Language, &e), evidencePlace(e.Lines))
		}
		if s.Address != "" && s.UserAgent != "" {
			fmt.Fprintf(p.W, "  %s\n", clip(s.UserAgent, mostExample))
		}
	}
	p.more(len(suspects)-mostSuspects, textMoreSuspects)
}

// suspectName returns the address of a suspect, or its header and at how many addresses it is used.
func suspectName(l language.Language, s *audit.Suspect) string {
	if s.Address != "" {
		return printable.Text(s.Address)
	}
	return textHeaderAt.In(l, s.Addresses, clip(s.UserAgent, mostExample))
}

// evidence returns a reason for a suspicion in words.
func evidence(l language.Language, e *audit.Evidence) string {
	figure := func(name string) int { return int(e.Figures[name]) }
	switch e.Kind {
	case "no-styles":
		return textNoStyles.In(l, figure("pages"), figure("assets"))
	case "no-referrer":
		return textNoReferrer.In(l, figure("requests"))
	case "robots-txt":
		return textReadsRobots.In(l, figure("requests"))
	case "regular":
		return textRegular.In(l, figure("gaps"), duration(l, e.Figures["median"]))
	case "sequential":
		return textSequential.In(l, figure("numbers"))
	case "rapid":
		return textRapid.In(l, figure("peak"))
	case "all-hours":
		return textAllHours.In(l, figure("hours"))
	case "only-closed":
		return textOnlyClosed.In(l, figure("requests"))
	case "same-referrer":
		return textSameReferrer.In(l, figure("requests"))
	case "many-addresses":
		return textManyAddresses.In(l, figure("addresses"))
	}
	return printable.Text(e.Kind)
}

// evidencePlace returns where the logs show a reason, as in " (access.log:7, 9)".
func evidencePlace(lines []audit.Line) string {
	if len(lines) == 0 {
		return ""
	}
	return " (" + places(lines) + ")"
}

// places returns where lines stand, as in "access.log:7, 9; other.log:2".
func places(lines []audit.Line) string {
	var b strings.Builder
	last := ""
	for _, line := range lines {
		switch {
		case b.Len() > 0 && line.Log == last:
			fmt.Fprintf(&b, ", %d", line.Line)
		case b.Len() > 0:
			fmt.Fprintf(&b, "; %s:%d", printable.Text(line.Log), line.Line)
		default:
			fmt.Fprintf(&b, "%s:%d", printable.Text(line.Log), line.Line)
		}
		last = line.Log
	}
	return b.String()
}

var (
	textSuspects = language.New("Suspects")

	textSuspicion = language.New(
		"These clients do not call themselves robots, and behave like robots. That is a suspicion and no proof.")
	textSuspectRequests = language.InContext("suspect", "%[1]d ⟨request/requests⟩, %[2]s UTC")
	textHeaderAt        = language.New("%[1]d addresses with the header %[2]s")
	textMoreSuspects    = language.New("%[1]d further ⟨suspect/suspects⟩: --json lists all")

	textNoStyles      = language.New("pages without their styles and images: pages %[1]d, files of pages %[2]d")
	textNoReferrer    = language.New("no Referer in any request for a document: requests %[1]d")
	textReadsRobots   = language.New("requests for /robots.txt: %[1]d")
	textRegular       = language.New("nearly equal gaps between requests: gaps %[1]d, median %[2]s")
	textSequential    = language.New("paths in the order of the numbers in them: paths %[1]d")
	textRapid         = language.New("documents in one minute: up to %[1]d")
	textAllHours      = language.New("hours of a day with requests: %[1]d")
	textOnlyClosed    = language.New("documents that robots.txt closes and people do not ask for: %[1]d")
	textSameReferrer  = language.New("documents that many addresses ask for with the same Referer: %[1]d")
	textManyAddresses = language.New("addresses that use the header so: %[1]d")
)
