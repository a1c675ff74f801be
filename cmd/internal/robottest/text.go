package robottest

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// The lines of a report.
var (
	textVisit    = language.New("%[1]d ⟨request/requests⟩ to %[2]d of %[3]d hosts, %[4]s to %[5]s UTC")
	textLevel    = language.New("%[1]s: %[2]d kept, %[3]d broken, %[4]d not shown")
	textOutcomes = [...]language.Text{
		NotShown: language.New("not shown"),
		Kept:     language.New("kept"),
		Broken:   language.New("broken"),
	}
	textMore    = language.InContext("cases", "and %[1]d more")
	textReached = language.New("level reached: %[1]s")
	textClean   = language.New("nothing broken up to: %[1]s")
	textStart   = language.New("the start page is %[1]s; by name it is http://start.test/ with the proxy http://%[2]s")
	textNote    = language.New("note: %[1]s")
)

// The notes at the end of a report.
var (
	textLost = language.New(
		"the report only counts %[1]d ⟨request/requests⟩ to %[2]s: it keeps the first %[3]d of a host, and the first %[4]d for robots.txt")
	textTunnels = language.New(
		"refused %[1]d ⟨request/requests⟩ for a tunnel (CONNECT): the proxy serves http only")
	textStrange    = language.New("refused %[1]d ⟨request/requests⟩ through the proxy to other hosts")
	textAgents     = language.New("the robot sent %[1]d different User-Agent fields")
	textManyAgents = language.New("the robot sent more than %[1]d different User-Agent fields")
	textFull       = language.New(
		"closed %[1]d ⟨connection/connections⟩ without an answer: the web serves %[2]d at a time")
)

// noted writes the notes of the report.
func (w *Web) noted(t *trial) (notes []language.Message) {
	for _, s := range w.sites {
		if n := t.lost[s].files + t.lost[s].pages; n > 0 {
			notes = append(notes, textLost.With(n, s.host(), maxPages, maxFiles))
		}
	}
	if n := int(w.closed.Load()); n > 0 {
		notes = append(notes, textFull.With(n, maxConns))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notes.Tunnels > 0 {
		notes = append(notes, textTunnels.With(w.notes.Tunnels))
	}
	if w.notes.Strange > 0 {
		notes = append(notes, textStrange.With(w.notes.Strange))
	}
	switch n := len(w.agents); {
	case n == maxAgents:
		notes = append(notes, textManyAgents.With(n-1))
	case n > 1:
		notes = append(notes, textAgents.With(n))
	}
	return notes
}

// ErrNobody says that there is nothing to report.
var ErrNobody error = language.New("no robot came: point it at the start page").Err()

// Silent says that a command which was started requested nothing.
func Silent(l language.Language) error {
	return errors.New(textSilent.In(l))
}

var textSilent = language.New(
	"the command requested nothing from this web, so nothing is tested: give it the URL of the start page, as {} among its arguments ('robots testweb -- COMMAND {}') or from ROBOTS_START in its environment")

// Directions tells where the robot should start.
func (w *Web) Directions(l language.Language) string {
	return textStart.In(l, w.StartPage(), w.Address())
}

// A Printer writes a report as text. It does not report errors of W: use a writer that keeps them.
type Printer struct {
	W     io.Writer
	Color bool

	Language language.Language
}

// textSize limits the texts of strangers in a line.
const textSize = 200

// Report writes a report: the duties by level, with the requests that show what is broken.
func (p *Printer) Report(r *Report) {
	for _, ua := range r.UserAgents {
		fmt.Fprintf(p.W, "User-Agent: %s\n", printable.Clipped(ua, textSize))
	}
	fmt.Fprintln(p.W, textVisit.In(p.Language, r.Requests, r.Hosts, r.Of, r.Began.UTC().Format(time.DateTime),
		r.Ended.UTC().Format(time.TimeOnly)))
	for level := Basic; level <= Exemplary; level++ {
		p.level(r, level)
	}
	if !r.Selected || len(r.notes) > 0 {
		fmt.Fprintln(p.W)
	}
	if !r.Selected {
		fmt.Fprintln(p.W, textReached.In(p.Language, r.Level.String()))
	}
	if r.Clean > r.Level {
		fmt.Fprintln(p.W, textClean.In(p.Language, r.Clean.String()))
	}
	for _, note := range r.notes {
		fmt.Fprintln(p.W, textNote.In(p.Language, printable.Text(note.In(p.Language))))
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
	if len(n) == 0 {
		return
	}
	fmt.Fprintln(p.W)
	t.Add([]columns.Cell{columns.Bold(textLevel.In(p.Language, level.String(), n[Kept], n[Broken], n[NotShown]))})
	t.Flush()
	for _, result := range r.Duties {
		if result.Level != level {
			continue
		}
		name := textOutcomes[result.Outcome].In(p.Language)
		outcome := columns.Text(name)
		switch result.Outcome {
		case Kept:
			outcome = columns.Green(name)
		case Broken:
			outcome = columns.Red(strings.ToUpper(name))
		}
		var beneath []string
		if result.Outcome != Kept {
			beneath = append(beneath, "             "+printable.Clipped(result.reason.In(p.Language), 2*textSize))
		}
		if result.Outcome == Broken {
			for i := range result.Requests {
				beneath = append(beneath, "             "+result.Requests[i].String())
			}
			if more := result.Count - len(result.Requests); more > 0 {
				beneath = append(beneath, "             "+textMore.In(p.Language, more))
			}
		}
		t.Add([]columns.Cell{columns.Text("  "), outcome, columns.Text(result.ID), columns.Text(result.In(p.Language) +
			" (" + result.Section + ")")}, beneath...)
	}
	t.Flush()
}

// String returns the request as a line that is safe to show.
func (r Request) String() string {
	return fmt.Sprintf("%s %s %s %s → %d", r.Start.UTC().Format("15:04:05.000"), r.Host,
		printable.Clipped(r.Method, 20), printable.Clipped(r.Target, textSize), r.Status)
}

// List writes duties.
func (p *Printer) List(list []Duty) {
	t := &columns.Table{W: p.W, Color: p.Color}
	for i := range list {
		d := &list[i]
		t.Add([]columns.Cell{columns.Text(d.Level.String()), columns.Bold(d.ID), columns.Text(d.In(p.Language)),
			columns.Text(d.Section)})
	}
	t.Flush()
}
