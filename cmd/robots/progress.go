package main

import (
	"fmt"
	"io"
	"time"

	"github.com/robotsexclusion/robots/internal/cli"
)

// A progress shows a line about the progress of a survey on a terminal, and nothing anywhere
// else. A nil progress shows nothing.
type progress struct {
	w           io.Writer
	done, total int // total is -1 if the number of origins is unknown
	began       time.Time
}

// newProgress returns a progress for count() origins, where -1 means that the number is unknown.
// It returns nil for one or two origins. It does not call count if w is not a terminal.
func newProgress(w io.Writer, count func() int) *progress {
	if !cli.Terminal(w) {
		return nil
	}
	total := count()
	if total >= 0 && total < 3 {
		return nil
	}
	return &progress{w: w, total: total, began: time.Now()}
}

// add records that n more origins are done, and shows the line.
func (p *progress) add(n int) {
	if p != nil {
		p.done += n
		fmt.Fprint(p.w, "\r\x1b[K", progressLine(p.done, p.total, time.Since(p.began)))
	}
}

// clear removes the line until the next step, to make room for a line of output.
func (p *progress) clear() {
	if p != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// longestLeft is the maximum time left that is shown: a longer one is not a useful
// estimate.
const longestLeft = 1000 * time.Hour

// progressLine returns, for example, "origins: 20/300, 4.0/s, 1m10s left". It has no rate before
// the first second ends, and no time left if the total is unknown. The line is shorter than a
// terminal is wide, because a line that wraps cannot be removed.
func progressLine(done, total int, elapsed time.Duration) string {
	line := fmt.Sprintf("origins: %d", done)
	if total >= 0 {
		line += fmt.Sprintf("/%d", total)
	}
	if elapsed < time.Second || done == 0 {
		return line
	}
	rate := float64(done) / elapsed.Seconds()
	line += fmt.Sprintf(", %.1f/s", rate)
	if left := float64(total-done) / rate; left > 0 && left < longestLeft.Seconds() {
		line += fmt.Sprintf(", %s left", time.Duration(left*float64(time.Second)).Round(time.Second))
	}
	return line
}
