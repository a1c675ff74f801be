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
// A long pause makes a host slow. It is never cut short, and it is not a reason to skip
// the host.
package pace

import (
	"math/rand/v2"
	"time"
)

// Pauses are the robot's own pauses between requests. What robots.txt and the server ask for can
// only make them longer. The zero Pauses suit a crawl of unknown sites. They must not be changed
// once they are in use.
type Pauses struct {
	// MinDelay is the minimum pause between the end of a request and the start of the
	// next one to the same host. If 0, it is a second; if negative, there is no pause.
	MinDelay time.Duration

	// Slowness times the response time of the last request is the minimum pause, so that
	// a host that slows down is asked less often. If 0, it is 5; if negative, the
	// response time does not matter.
	Slowness float64

	// MaxSlow limits the pause from Slowness. If 0, it is 30 seconds.
	MaxSlow time.Duration

	// FirstPause is the pause after a failure, or a response of 429 or 503 without
	// Retry-After. If 0, it is a minute. It doubles with each further failure, up to
	// LastPause. If LastPause is 0, it is a day.
	FirstPause, LastPause time.Duration

	// Forgive is how long a host must be free of failures until the next pause is a
	// FirstPause again. If 0, it is 30 minutes.
	Forgive time.Duration

	// AddressGap is the minimum pause between the starts of two requests to hosts at one
	// IP address, or in one /64 network of IPv6. If 0, it is 100 milliseconds; if
	// negative, there is no pause. Requests take different times to arrive, so an address
	// may see that rate, plus the requests that are open.
	AddressGap time.Duration

	// AddressBudget is the maximum number of requests to an address in a [Period]. If 0,
	// it is 3,000, which are five a second; if negative, there is no limit.
	AddressBudget int

	// MaxRetryAfter limits Retry-After. If 0, it is a day.
	MaxRetryAfter time.Duration
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
