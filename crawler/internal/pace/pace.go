// Package pace says when a robot may send the next request to a host, and why not yet:
// politeness, in one place that can explain itself.
//
//	host.Obey(policy.For("ExampleBot"))
//	...
//	if w := host.Wait(&pauses, now); w.Until(now) > 0 {
//		fmt.Println(w) // until 2026-11-21T15:04:05Z: Crawl-delay: 10s, line 4 of robots.txt
//	}
//	host.Begin(now)
//	...
//	host.End(&pauses, now, pace.Outcome{Status: 200, Took: took})
//
// Each host gets one request at a time. The pause after a request is the longest of the
// robot's own pause, the pause that robots.txt asks for (Crawl-delay, Request-rate), and
// a multiple of the host's response time. At some times a host gets no requests at all:
// outside Visit-time, until Retry-After, while robots.txt cannot be fetched, and in the
// pauses after 429, 503 and network failures, which grow as long as the failures
// continue.
//
// A long pause makes a host slow. It is never cut short: [Host.IsTooSlow] says when the robot
// should rather skip the host.
package pace

import (
	"math/rand/v2"
	"time"
)

// Pauses are those of package crawl, which describes the fields.
type Pauses struct {
	MinDelay              time.Duration
	Slowness              float64
	MaxSlow               time.Duration
	FirstPause, LastPause time.Duration
	Forgive               time.Duration
	MaxPause              time.Duration
	AddressGap            time.Duration
	AddressBudget         int
	MaxRetryAfter         time.Duration
}

// or returns a duration, or its default if it is 0.
func or(d, byDefault time.Duration) time.Duration {
	switch {
	case d == 0:
		return byDefault
	case d < 0:
		return 0
	}
	return d
}

// jitter is the maximum random extension of a pause, as a fraction: hosts that failed
// together should not be asked again together.
const jitter = 0.1

// pause returns the pause after a number of strikes, from 1 on.
func (m *Pauses) pause(strikes int) time.Duration {
	d, last := or(m.FirstPause, time.Minute), or(m.LastPause, 24*time.Hour)
	for i := 1; i < strikes && d < last; i++ {
		d *= 2
	}
	return min(d, last) + time.Duration(rand.Float64()*jitter*float64(min(d, last)))
}

// slow returns the pause after a response that took this long.
func (m *Pauses) slow(took time.Duration) time.Duration {
	factor := m.Slowness
	if factor == 0 {
		factor = 5
	}
	if factor < 0 || took <= 0 {
		return 0
	}
	most := or(m.MaxSlow, 30*time.Second)
	if float64(took)*factor >= float64(most) {
		return most
	}
	return time.Duration(float64(took) * factor)
}
