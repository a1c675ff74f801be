package auditreport

import (
	"fmt"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// mostPeaks is the maximum number of fastest minutes in the text.
const mostPeaks = 5

// peaks writes the fastest minutes of clients.
func (p *Printer) peaks(peaks []audit.Peak) {
	if len(peaks) == 0 {
		return
	}
	p.title(textPeaks)
	p.paragraph(p.in(textPeaksMean))
	t := p.table()
	for _, k := range peaks[:min(mostPeaks, len(peaks))] {
		requests := number(p.Language, k.Requests)
		if k.Sampled {
			requests = "≥ " + requests
		}
		t.Add([]columns.Cell{
			columns.Text("  " + k.Minute.UTC().Format("2006-01-02 15:04")), columns.Bold(requests),
			columns.Text(printable.Text(k.Address)), columns.Text(places(k.Lines)),
		}, "    "+clip(k.UserAgent, mostExample))
	}
	t.Flush()
	p.more(len(peaks)-mostPeaks, textMorePeaks)
}

// more says how many further ones of a list the text leaves out, if any.
func (p *Printer) more(n int, text language.Text) {
	if n > 0 {
		fmt.Fprintln(p.W, p.in(text, n))
	}
}

var textMorePeaks = language.New("%[1]d further ⟨minute/minutes⟩: --json lists all")
