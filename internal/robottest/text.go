package robottest

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// noted says what a reader of the report must know.
func (w *Web) noted(t *trial) (notes []string) {
	for _, s := range w.sites {
		if n := t.lost[s]; n > 0 {
			notes = append(notes, fmt.Sprintf("%d requests to %s are not kept: only the first %d of a host are", n, s.host(), maxRequests))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notes.Tunnels > 0 {
		notes = append(notes, fmt.Sprintf("%d requests for a tunnel (CONNECT) were refused: the proxy serves http only", w.notes.Tunnels))
	}
	if w.notes.Strange > 0 {
		notes = append(notes, fmt.Sprintf("%d requests through the proxy to other hosts were refused", w.notes.Strange))
	}
	if len(w.agents) > 1 {
		notes = append(notes, fmt.Sprintf("the robot sent %d different User-Agent fields", len(w.agents)))
	}
	return notes
}

// A Printer writes a report as text. It does not report errors of W: use a writer that keeps them.
type Printer struct {
	W     io.Writer
	Color bool
}

// textSize limits the texts of strangers in a line.
const textSize = 200

// Report writes a report: the duties by level, with the requests that show what is broken.
func (p *Printer) Report(r *Report) {
	for _, ua := range r.UserAgents {
		fmt.Fprintf(p.W, "User-Agent: %s\n", printable.Clipped(ua, textSize))
	}
	fmt.Fprintf(p.W, "%d requests to %d of %d hosts, %s to %s UTC\n", r.Requests, r.Hosts, r.Of,
		r.Began.UTC().Format(time.DateTime), r.Ended.UTC().Format(time.TimeOnly))
	for level := Basic; level <= Exemplary; level++ {
		p.level(r, level)
	}
	fmt.Fprintf(p.W, "\nlevel reached: %s\n", r.Level)
	if r.Clean > r.Level {
		fmt.Fprintf(p.W, "nothing broken up to: %s\n", r.Clean)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(p.W, "note: %s\n", printable.Text(note))
	}
}

func (p *Printer) level(r *Report, level Level) {
	t := &columns.Table{W: p.W, Color: p.Color}
	n := map[Outcome]int{}
	for _, result := range r.Duties {
		if result.Level == level {
			n[result.Outcome]++
		}
	}
	fmt.Fprintln(p.W)
	t.Add([]columns.Cell{columns.Bold(fmt.Sprintf("%s: %d kept, %d broken, %d not shown", level, n[Kept], n[Broken], n[NotShown]))})
	t.Flush()
	for _, result := range r.Duties {
		if result.Level != level {
			continue
		}
		outcome := columns.Text(result.Outcome.String())
		switch result.Outcome {
		case Kept:
			outcome = columns.Green(result.Outcome.String())
		case Broken:
			outcome = columns.Red(strings.ToUpper(result.Outcome.String()))
		}
		var beneath []string
		if result.Outcome != Kept {
			beneath = append(beneath, "             "+printable.Clipped(result.Reason, 2*textSize))
		}
		if result.Outcome == Broken {
			for i := range result.Requests {
				beneath = append(beneath, "             "+result.Requests[i].String())
			}
			if more := result.Count - len(result.Requests); more > 0 {
				beneath = append(beneath, fmt.Sprintf("             and %d more", more))
			}
		}
		t.Add([]columns.Cell{columns.Text("  "), outcome, columns.Text(result.ID), columns.Text(result.Sentence + " (" + result.Section + ")")}, beneath...)
	}
	t.Flush()
}

// String returns the request as a line that is safe to show.
func (r Request) String() string {
	return fmt.Sprintf("%s %s %s %s → %d", r.Start.UTC().Format("15:04:05.000"), r.Host, printable.Clipped(r.Method, 20), printable.Clipped(r.Target, textSize), r.Status)
}

// List writes all duties.
func (p *Printer) List() {
	t := &columns.Table{W: p.W, Color: p.Color}
	for _, d := range duties {
		t.Add([]columns.Cell{columns.Text(d.Level.String()), columns.Bold(d.ID), columns.Text(d.Sentence), columns.Text(d.Section)})
	}
	t.Flush()
}
