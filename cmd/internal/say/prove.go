package say

import (
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

var (
	textHolds     = language.New("holds")
	textFails     = language.New("fails")
	textUndecided = language.New("undecided")
	textShownBy   = language.New("%[1]s: %[2]s is %[3]s")
)

// Proofs writes a row for each claim: whether it holds, and otherwise a path that shows it.
func (p *Printer) Proofs(proofs []proof.Proof) {
	t := p.table()
	for _, of := range proofs {
		verdict := columns.Green(p.in(textHolds))
		var beneath []string
		switch {
		case !of.Decided:
			verdict = columns.Text(p.in(textUndecided))
			beneath = append(beneath, "    "+p.in(textTooManyCases))
		case !of.Holds:
			verdict = columns.Red(p.in(textFails))
			beneath = append(beneath, "    "+p.in(textShownBy, printable.Shown(of.Agent), printable.Shown(of.Witness),
				Match(p.Language, of.Match)))
		}
		where := "--claim" // of the command line
		if of.Claim.Line > 0 {
			where = p.in(textLine, of.Claim.Line)
		}
		t.Add([]columns.Cell{verdict, columns.Text(where),
			columns.Text(printable.Shown(of.Claim.Text))}, beneath...)
	}
	t.Flush()
}
