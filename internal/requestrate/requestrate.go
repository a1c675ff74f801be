// Package requestrate finds the Request-rate that holds at a time, for audits and for the guard.
package requestrate

import (
	"math/bits"
	"time"

	"github.com/robotsexclusion/robots"
)

// At returns the rate that holds at a time: the slowest rate for this time of day; without one, the
// slowest all-day rate; without any, the zero rate.
func At(rates []robots.RequestRate, t time.Time) robots.RequestRate {
	var timed, daily robots.RequestRate
	for _, r := range rates {
		switch {
		case r.Window == nil:
			daily = slowest(daily, r)
		case r.Window.Contains(t):
			timed = slowest(timed, r)
		}
	}
	if timed.Documents > 0 {
		return timed
	}
	return daily
}

// slowest returns the slower of two rates. q may be the zero rate.
func slowest(q, r robots.RequestRate) robots.RequestRate {
	if q.Documents == 0 || Slower(int64(r.Documents), int64(r.Period), int64(q.Documents), int64(q.Period)) {
		return r
	}
	return q
}

// Slower reports whether a rate of documents in a period has fewer documents per time than another
// one, with periods of the same unit. Of two equal rates, the one with the longer period counts as
// slower, because it allows more documents at once.
func Slower(documents, period, otherDocuments, otherPeriod int64) bool {
	high, low := bits.Mul64(uint64(documents), uint64(otherPeriod))
	otherHigh, otherLow := bits.Mul64(uint64(otherDocuments), uint64(period))
	if high == otherHigh && low == otherLow {
		return period > otherPeriod
	}
	return high < otherHigh || high == otherHigh && low < otherLow
}
