package auditreport

import (
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// maxAnswerNotes is the maximum number of hosts with a note about their robots.txt.
const maxAnswerNotes = 20

// allNotes returns the notes of a report, and a note for each host that may have served other texts
// than its versions of robots.txt.
func allNotes(l language.Language, r *audit.Report) []string {
	notes := append([]string{}, r.Notes...)
	n := 0
	for _, h := range r.Hosts {
		a := h.RobotsTxt
		other := a.OtherSize + a.Nothing + a.Forbidden + a.Failed
		if other == 0 {
			continue
		}
		if n++; n > maxAnswerNotes {
			break
		}
		note := textAnswers.In(l, number(l, a.Read+a.Nothing+a.Forbidden+a.Failed),
			number(l, a.OtherSize), number(l, a.Nothing), number(l, a.Forbidden), number(l, a.Failed))
		if h.Name != "" {
			note = printable.Text(h.Name) + ": " + note
		}
		notes = append(notes, note)
	}
	return notes
}

var textAnswers = language.New(
	"Of %[1]s answers to GET /robots.txt %[2]s had another size than the version in force (as compressed ones have), %[3]s said that there is none, %[4]s were forbidden, and %[5]s failed.")
