package fleet

import (
	"log/slog"
	"time"
)

// A clock measures how long a session has lasted. Neither a step of the wall clock backwards nor a
// monotonic clock that stands while the machine sleeps makes that shorter than it was.
type clock struct {
	last    time.Time
	elapsed time.Duration
}

// at returns the time at a moment, or a later one that the clock has already shown.
func (c *clock) at(now time.Time) time.Duration {
	if c.last.IsZero() {
		c.last, c.elapsed = now, 1 // 0 stands for never
	}
	if step := max(now.Sub(c.last), now.Round(0).Sub(c.last.Round(0))); step > 0 {
		c.elapsed += step
		c.last = now
	}
	return c.elapsed
}

// compare warns if the wall clock differs so much from that of a server that two workers may be
// further apart than Apart. Nothing depends on the clocks of servers: they are what workers share.
func compare(log *slog.Logger, server, now time.Time) {
	if ahead := now.Sub(server); !server.IsZero() && ahead.Abs() > Apart/2 {
		log.Warn("the clock of this machine and that of a NATS server differ: set both by NTP, "+
			"or hosts may be asked before the end of the pauses that they ask for",
			"ahead", ahead.Round(time.Millisecond))
	}
}
