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

// assumed reports whether nobody knows when the versions of robots.txt were in force: one is taken
// to have been there all the time. The name of a host asks about its versions only.
func assumed(r *audit.Report, host string) bool {
	n := 0
	for _, v := range r.Versions {
		if host != "" && v.Host != "" && v.Host != host {
			continue
		}
		if n++; !v.From.IsZero() || !v.To.IsZero() {
			return false
		}
	}
	return n > 0
}

// doubt returns why the robots.txt of an audit may not be the one that was in force, or "": the
// logs have answers to GET /robots.txt, and none of them had its size.
func doubt(l language.Language, r *audit.Report) string {
	for _, h := range r.Hosts {
		if a := h.RobotsTxt; a.Read > 0 && a.OtherSize == a.Read && assumed(r, h.Name) {
			return textOtherText.In(l, number(l, a.Read))
		}
	}
	return ""
}

var textOtherText = language.New(
	"Answers with a robots.txt in the logs: %[1]s. None had the size of the one that this report assumes. Unless the server compressed it, another one was in force, and this report is wrong.")

var textAnswers = language.New(
	"Answers to GET /robots.txt: %[1]s. Of these, another size than the version in force (as compressed ones have): %[2]s; no robots.txt: %[3]s; forbidden: %[4]s; failed: %[5]s.")
