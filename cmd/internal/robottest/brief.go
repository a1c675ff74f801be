package robottest

import (
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

var (
	textKeptOnes = language.New("kept: %[1]s")
	textUnshown  = language.New("not shown: %[1]s")
)

// Limits of a brief report.
const (
	mostBroken = 8 // duties with their requests
	mostProofs = 2 // requests of a duty
)

// Brief writes a report that fits a screen: what is broken, with the first requests that show it,
// and the names of the other duties.
func (p *Printer) Brief(r *Report) {
	fmt.Fprintln(p.W, textVisit.In(p.Language, r.Requests, r.Hosts, r.Of, r.Began.UTC().Format(time.DateTime),
		r.Ended.UTC().Format(time.TimeOnly)))
	if r.Requests == 0 {
		return
	}
	names := make(map[Outcome][]string)
	t := &columns.Table{W: p.W, Color: p.Color}
	broken := 0
	for _, result := range r.Duties {
		if result.Outcome != Broken {
			names[result.Outcome] = append(names[result.Outcome], result.ID)
			continue
		}
		if broken++; broken > mostBroken {
			continue
		}
		beneath := []string{"    " + printable.Clipped(result.reason.In(p.Language), 2*textSize)}
		for i := range result.Requests[:min(mostProofs, len(result.Requests))] {
			beneath = append(beneath, "    "+result.Requests[i].String())
		}
		if more := result.Count - mostProofs; more > 0 {
			beneath = append(beneath, "    "+textMore.In(p.Language, more))
		}
		name := strings.ToUpper(textOutcomes[Broken].In(p.Language))
		duty := result.In(p.Language) + " (" + result.Level.String() + ", " + result.Section + ")"
		t.Add([]columns.Cell{columns.Red(name), columns.Text(result.ID), columns.Text(duty)}, beneath...)
	}
	if broken > 0 {
		fmt.Fprintln(p.W)
	}
	t.Flush()
	if broken > mostBroken {
		fmt.Fprintln(p.W, textMore.In(p.Language, broken-mostBroken))
	}
	if broken < len(r.Duties) || !r.Selected {
		fmt.Fprintln(p.W)
	}
	for _, other := range []struct {
		text    language.Text
		outcome Outcome
	}{{textKeptOnes, Kept}, {textUnshown, NotShown}} {
		if list := names[other.outcome]; len(list) > 0 {
			fmt.Fprintln(p.W, other.text.In(p.Language, strings.Join(list, ", ")))
		}
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
