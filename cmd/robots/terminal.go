package main

import (
	"io"
	"os"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"golang.org/x/term"
)

// shown returns s in a form safe for a terminal. An empty string becomes two quotes, to be
// visible.
func shown(s string) string {
	if s == "" {
		return `""`
	}
	return printable.Text(s)
}

// colored reports whether w is a terminal that shows colours, and the user has not disabled
// them.
func colored(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// A style is an SGR parameter for a cell, or "" for plain text.
type style string

const (
	plain style = ""
	bold  style = "1"
	red   style = "31"
	green style = "32"
)

// A cell is a part of a row.
type cell struct {
	text  string // printable
	style style
}

// A table writes rows with their cells in columns. It keeps at most some hundred rows at a
// time, so column widths may change within a long table.
type table struct {
	w     io.Writer
	color bool
	rows  []row
}

type row struct {
	cells   []cell
	beneath []string // lines below the row, not in columns
}

const (
	rowsAligned = 512
	widest      = 64 // columns of a cell; a wider cell moves the cells to its right
)

// add adds a row. The table may write the row later.
func (t *table) add(cells []cell, beneath ...string) error {
	t.rows = append(t.rows, row{cells, beneath})
	if len(t.rows) < rowsAligned {
		return nil
	}
	return t.flush()
}

// flush writes the added rows.
func (t *table) flush() error {
	var widths []int
	for _, r := range t.rows {
		for i, c := range r.cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := language.Width(c.text); n <= widest {
				widths[i] = max(widths[i], n)
			}
		}
	}
	var b []byte
	for _, r := range t.rows {
		for n := len(r.cells); n > 0 && r.cells[n-1].text == ""; n = len(r.cells) {
			r.cells = r.cells[:n-1] // no trailing blanks
		}
		for i, c := range r.cells {
			if t.color && c.style != plain {
				b = append(b, "\x1b["+string(c.style)+"m"+c.text+"\x1b[0m"...)
			} else {
				b = append(b, c.text...)
			}
			if i+1 < len(r.cells) {
				pad := max(widths[i]-language.Width(c.text), 0)
				b = append(b, strings.Repeat(" ", pad+2)...)
			}
		}
		b = append(b, '\n')
		for _, line := range r.beneath {
			b = append(b, line...)
			b = append(b, '\n')
		}
	}
	clear(t.rows)
	t.rows = t.rows[:0]
	_, err := t.w.Write(b)
	return err
}
