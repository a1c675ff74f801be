package say

import (
	"bytes"

	"github.com/robotsexclusion/robots/cmd/internal/say/cardtext"
	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// cardLines is the number of lines of a card, which fits on a screen.
const cardLines = 24

// Card writes a report card, for a screen of 24 lines: shorter if it would be longer, though a file
// that says something else to robots of each purpose needs some lines more.
func Card(p *Printer, of *card.Card) {
	called := *of
	called.Subject = userfile.Called(of.Subject)
	var b bytes.Buffer
	for _, form := range []cardtext.Form{{Screen: true, Parts: 3, Findings: 3}, {Screen: true, Parts: 2, Findings: 1}} {
		b.Reset()
		writeCard(&Printer{W: &b, Color: p.Color}, cardtext.Of(&called, p.Language, form), of.Next)
		if bytes.Count(b.Bytes(), []byte("\n")) <= cardLines {
			break
		}
	}
	p.W.Write(b.Bytes())
}

// writeCard writes a card in words, and its commands.
func writeCard(p *Printer, sheet *cardtext.Sheet, commands []card.Proposal) {
	t := p.table()
	t.Add([]columns.Cell{columns.Bold(sheet.Head)})
	if sheet.Redirects != "" {
		t.Add(nil, "  "+sheet.Redirects)
	}
	if sheet.NotRobots != "" {
		t.Add([]columns.Cell{columns.Red(sheet.NotRobots)})
	}
	t.Flush()
	for _, row := range sheet.Rows {
		for i, line := range row.Lines {
			label := ""
			if i == 0 {
				label = row.Label
			}
			var beneath []string
			if i == len(row.Lines)-1 {
				for _, line := range row.Beneath {
					beneath = append(beneath, "  "+line.Text)
				}
			}
			t.Add([]columns.Cell{columns.Text(label), toned(line)}, beneath...)
		}
	}
	t.Flush()
	if len(commands) == 0 {
		return
	}
	t.Add([]columns.Cell{columns.Bold(sheet.Next)})
	for _, n := range commands {
		t.Add([]columns.Cell{columns.Text("  " + n.Command), columns.Text(n.Does)})
	}
	t.Flush()
}

// toned returns a cell in the colour of a line.
func toned(line cardtext.Line) columns.Cell {
	switch line.Tone {
	case cardtext.Good:
		return columns.Green(line.Text)
	case cardtext.Bad:
		return columns.Red(line.Text)
	}
	return columns.Text(line.Text)
}
