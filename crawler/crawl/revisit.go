package crawl

import (
	"time"
)

// Revisits sets how often a continuous crawl visits pages again. The zero value is ready to
// use.
type Revisits struct {
	// First is the interval after the first visit; 0 means a day.
	First time.Duration
	// Min and Max bound all intervals; 0 means an hour for Min and 30 days for Max.
	Min, Max time.Duration
}

// The factors of an interval after a visit that found a page unchanged, or changed (after
// Nutch's adaptive schedule).
const (
	unchangedFactor = 1.4
	changedFactor   = 0.8
)

// next returns the interval after a visit. last is the previous interval, or 0.
func (r Revisits) next(last time.Duration, changed, dynamic bool) time.Duration {
	shortest, longest := durationOr(r.Min, time.Hour), durationOr(r.Max, 30*24*time.Hour)
	interval := last
	switch {
	case last == 0:
		interval = durationOr(r.First, 24*time.Hour)
		if dynamic {
			interval /= 4 // META DOCUMENT-STATE: the page says that it changes
		}
	case changed:
		interval = time.Duration(float64(last) * changedFactor)
	default:
		interval = time.Duration(min(float64(last)*unchangedFactor, float64(longest)))
	}
	return min(max(interval, shortest), longest)
}

func durationOr(d, byDefault time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return byDefault
}
