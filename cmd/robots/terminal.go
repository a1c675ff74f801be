package main

import (
	"io"
	"os"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"golang.org/x/term"
)

// shown returns s in a form safe for a terminal. An empty string becomes two quotes, to be
// visible.
func shown(s string) string { return printable.Shown(s) }

// count returns a number with the name of the things counted.
func count(n int, thing string) string { return language.Count(n, thing) }

// width returns the number of columns of w, or 0 if w is not a terminal.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}
