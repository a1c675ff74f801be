package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/internal/command"
	"github.com/robotsexclusion/robots/internal/crawltext"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows the progress of the work on a terminal, and nothing anywhere else. A nil
// progress shows nothing.
type progress struct{ bar *progressbar.ProgressBar }

// newProgress returns a progress for count() steps, where -1 means that the number is unknown.
// It returns nil for one or two steps. It does not call count if w is not a terminal.
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
		progressbar.OptionEnableColorCodes(command.Colored(w)),
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

// showStatus shows a status line on a terminal until the crawl has ended.
func showStatus(to io.Writer, c *crawl.Crawl, ended <-chan struct{}) {
	f, ok := to.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			fmt.Fprint(to, "\r\x1b[K")
			return
		case <-tick.C:
			if s := c.Status(0); s != nil {
				fmt.Fprint(to, "\r\x1b[K", crawltext.Progress(s))
			}
		}
	}
}
