package demoweb

import (
	"fmt"
	"io"
	"time"

	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/language"
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
				columns.Text("never sooner than " + h.shortest.Round(10*time.Millisecond).String() + " after the one before")})
		}
	}
	t.Flush()
	violations := w.Violations(minDelay)
	fmt.Fprintf(out, "of all these, %s what robots.txt and manners ask for\n", verb(len(violations), "violates", "violate"))
	for _, v := range violations {
		fmt.Fprintln(out, v)
	}
}

// verb returns "none" or a number, with the verb in singular or plural.
func verb(n int, one, many string) string {
	switch n {
	case 0:
		return "none " + one
	case 1:
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
