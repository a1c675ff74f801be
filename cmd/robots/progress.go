package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows on a terminal how far the work is. On anything else it is
// silent. The nil progress is so too.
type progress struct{ bar *progressbar.ProgressBar }

// newProgress returns a progress for so many steps as count says, or -1 if nobody
// knows. One or two need none. Without a terminal they are not counted.
func newProgress(w io.Writer, count func() int) *progress {
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
		progressbar.OptionEnableColorCodes(colored(w)),
	)}
}

// add tells that n more steps are done.
func (p *progress) add(n int) {
	if p != nil {
		p.bar.Add(n)
	}
}

// clear takes the bar away until the next step, so that a line can be written.
func (p *progress) clear() {
	if p != nil {
		p.bar.Clear()
	}
}

// finish takes the bar away.
func (p *progress) finish() {
	if p != nil {
		p.bar.Finish()
	}
}
