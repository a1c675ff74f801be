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

// colored reports whether w is a terminal that shows colours, and the user has not disabled
// them.
func colored(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
