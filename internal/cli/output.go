package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Output writes an answer to standard output: as a JSON object on a line if asJSON is set, and
// else as write does. The error says what could not be written.
func Output(cmd *cobra.Command, what string, asJSON bool, answer any, write func(io.Writer)) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	if asJSON {
		out.Write(printable.JSON(append(printable.AppendJSON(nil, answer), '\n')))
	} else {
		write(out)
	}
	return Unwritten(what, out.Flush()) // the writer keeps an error until Flush
}

// Unwritten returns the error of writing an answer, or nil.
func Unwritten(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write %s: %w", what, userfile.Cause(err))
}

// Width returns the number of columns of w, or 0 if w is not a terminal.
func Width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}
