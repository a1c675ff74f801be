package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Terminal reports whether w is a terminal that obeys escape sequences, for colours and for a line
// that replaces the one before. A console of Windows obeys them once a program has asked it to, as
// Terminal does.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd())) && obeysEscapes(f)
}
