package main

import (
	"io"
	"os"
	"time"

	"github.com/robotsexclusion/robots/internal/command"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// A progress shows the progress of the work on a terminal, and nothing anywhere else. A nil
// progress shows nothing.
type progress struct{ bar *progressbar.ProgressBar }

// newProgress returns a progress for count() steps, where -1 means that the number is unknown.
// It returns nil for one or two steps. It does not call count if w is not a terminal.
func newProgress(cmd *cobra.Command, w io.Writer, count func() int) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	total := count()
	if total >= 0 && total < 3 {
		return nil
	}
	return &progress{progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("origins"),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionEnableColorCodes(command.Colored(cmd, w)),
	)}
}

// add records that n more steps are done.
func (p *progress) add(n int) {
	if p != nil {
		p.bar.Add(n)
	}
}

// clear removes the bar until the next step, to make room for a line of output.
func (p *progress) clear() {
	if p != nil {
		p.bar.Clear()
	}
}

// finish removes the bar.
func (p *progress) finish() {
	if p != nil {
		p.bar.Finish()
	}
}
