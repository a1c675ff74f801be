package fleet

import "time"

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
