package say

import (
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

var (
	textHolds     = language.New("holds", "se cumple", "성립", "верно")
	textFails     = language.New("fails", "no se cumple", "불성립", "неверно")
	textUndecided = language.New("undecided", "sin decidir", "판정 불가", "не решено")
	textShownBy   = language.New("%[1]s: %[2]s is %[3]s", "%[1]s: %[2]s está %[3]s", "%[1]s: %[2]s, %[3]s", "%[1]s: %[2]s %[3]s")
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
			beneath = append(beneath, "    "+p.in(textShownBy, printable.Shown(of.Agent), printable.Shown(of.Witness), Match(p.Language, of.Match)))
		}
		t.Add([]columns.Cell{verdict, columns.Text(p.in(textLine, of.Claim.Line)), columns.Text(printable.Shown(of.Claim.Text))}, beneath...)
	}
	t.Flush()
}
