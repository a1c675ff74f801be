package main

import (
	"bufio"
	"io"
	"os"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// shown returns s in a form safe for a terminal. An empty string becomes two quotes, to be
// visible.
func shown(s string) string { return printable.Shown(s) }

// count returns a number with the name of the things counted.
func count(n int, thing string) string { return language.Count(n, thing) }

// output writes an answer to standard output: as a JSON object on a line if asJSON is set, and
// else as write does. The error says what could not be written.
func output(cmd *cobra.Command, what string, asJSON bool, answer any, write func(io.Writer)) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	if asJSON {
		out.Write(printable.JSON(append(printable.AppendJSON(nil, answer), '\n')))
	} else {
		write(out)
	}
	return unwritten(what, out.Flush()) // the writer keeps an error until Flush
}

// colored reports whether w is a terminal that shows colours, and the user has not disabled
// them.
func colored(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// width returns the number of columns of w, or 0 if w is not a terminal.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}
