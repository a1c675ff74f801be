package demoweb

import (
	"fmt"
	"io"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
)

// Score writes what the servers recorded: the requests and the shortest pause of each host, and
// the violations. minDelay is the robot's pause on every host.
func (w *Web) Score(out io.Writer, minDelay time.Duration) {
	type pauses struct {
		requests int
		ended    time.Duration
		shortest time.Duration
	}
	hosts := make(map[string]*pauses)
	for r := range w.Requests() {
		h := hosts[r.Host]
		if h == nil {
			h = &pauses{shortest: -1}
			hosts[r.Host] = h
		} else if pause := r.Start - h.ended; h.shortest < 0 || pause < h.shortest {
			h.shortest = pause
		}
		h.requests++
		h.ended = r.End
	}
	fmt.Fprintln(out, "\nwhat the servers saw:")
	t := &columns.Table{W: out}
	for _, origin := range w.Origins() {
		if h := hosts[origin]; h != nil {
			t.Add([]columns.Cell{columns.Text("  " + origin), columns.Text(language.Count(h.requests, "request")),
				columns.Text("at least " + h.shortest.Round(10*time.Millisecond).String() + " between requests")})
		}
	}
	t.Flush()
	violations := w.Violations(minDelay)
	fmt.Fprintln(out, verdict(len(violations)))
	for _, v := range violations {
		fmt.Fprintln(out, v)
	}
}

// verdict returns the sentence about the number of violations.
func verdict(n int) string {
	if n == 0 {
		return "no request violated robots.txt or the pauses between requests"
	}
	return language.Count(n, "violation") + " of robots.txt or of the pauses between requests:"
}
