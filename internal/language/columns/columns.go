// Package columns writes rows of text in columns, for a terminal or for a file.
package columns

import (
	"io"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

// A Cell is a part of a row. Its text must be printable already.
type Cell struct {
	Text  string
	style string // an SGR parameter; empty for plain text
}

// Text returns a cell of plain text.
func Text(text string) Cell { return Cell{Text: text} }

// Bold returns a cell of bold text.
func Bold(text string) Cell { return Cell{text, "1"} }

// Red returns a cell of red text.
func Red(text string) Cell { return Cell{text, "31"} }

// Green returns a cell of green text.
func Green(text string) Cell { return Cell{text, "32"} }

// A Table writes rows with their cells in columns. It keeps at most some hundred rows at a
// time, so column widths may change within a long table.
type Table struct {
	W     io.Writer
	Color bool // write the styles of the cells

	rows []row
}

type row struct {
	cells   []Cell
	beneath []string // lines below the row, not in columns
}

const (
	rowsAligned = 512
	widest      = 64 // columns of a cell; a wider cell moves the cells to its right
)

// Add adds a row, and lines below it; or lines alone. The table may write the row later.
func (t *Table) Add(cells []Cell, beneath ...string) error {
	t.rows = append(t.rows, row{cells, beneath})
	if len(t.rows) < rowsAligned {
		return nil
	}
	return t.Flush()
}

// Flush writes the added rows.
func (t *Table) Flush() error {
	var widths []int
	for _, r := range t.rows {
		for i, c := range r.cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := language.Width(c.Text); n <= widest {
				widths[i] = max(widths[i], n)
			}
		}
	}
	var b []byte
	for _, r := range t.rows {
		for n := len(r.cells); n > 0 && r.cells[n-1].Text == ""; n = len(r.cells) {
			r.cells = r.cells[:n-1] // no trailing blanks
		}
		for i, c := range r.cells {
			if t.Color && c.style != "" {
				b = append(b, "\x1b["+c.style+"m"+c.Text+"\x1b[0m"...)
			} else {
				b = append(b, c.Text...)
			}
			if i+1 < len(r.cells) {
				pad := max(widths[i]-language.Width(c.Text), 0)
				b = append(b, strings.Repeat(" ", pad+2)...)
			}
		}
		if len(r.cells) > 0 || len(r.beneath) == 0 {
			b = append(b, '\n')
		}
		for _, line := range r.beneath {
			b = append(b, line...)
			b = append(b, '\n')
		}
	}
	clear(t.rows)
	t.rows = t.rows[:0]
	_, err := t.W.Write(b)
	return err
}
