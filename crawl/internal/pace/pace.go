// Package pace says when a robot may ask a host for its next document, and why not
// yet: politeness, in one place that can explain itself.
//
//	host.Obey(policy.For("ExampleBot"))
//	...
//	if w := host.Wait(&manners, now); w.Until(now) > 0 {
//		fmt.Println(w) // until 2026-11-21T15:04:05Z: Crawl-delay: 10s, line 4 of robots.txt
//	}
//	host.Begin(now)
//	...
//	host.End(&manners, now, pace.Outcome{Status: 200, Took: took})
//
// One request is under way at a time, and the pause after it is the longest of
// what the robot takes by itself, what robots.txt asks for (Crawl-delay,
// Request-rate), and a multiple of the time that the host needed. Then there are
// times at which the host does not want to be asked at all: Visit-time,
// Retry-After, a pause after 429, 503 and failures of the network that grows as long
// as they go on, and as long as robots.txt cannot be had.
//
// A long pause makes a host slow. It is never cut short, and no reason to leave
// the host out.
package pace

import (
	"math/rand/v2"
	"time"
)

// Manners are how polite the robot is by itself. The zero Manners are fit for a
// crawl of strangers' sites. They must not be changed once they are in use.
type Manners struct {
	// MinDelay is the least pause between the end of a request and the start of
	// the next one to the same host. 0 means a second, less than 0 none.
	MinDelay time.Duration

	// Slowness is how many times as long as the last answer took the pause is at
	// least, so that a host that gets slower is asked less often. 0 means 5, less
	// than 0 that it does not matter.
	Slowness float64

	// MaxSlow limits what Slowness makes; 0 means 30 seconds.
	MaxSlow time.Duration

	// FirstPause is how long a host is left alone after a failure, or an answer of
	// 429 or 503 that does not say how long. 0 means a minute. It doubles with each
	// further one, up to LastPause; 0 means a day.
	FirstPause, LastPause time.Duration

	// Forgive is how long nothing may have gone wrong until the next pause is a
	// first one again. 0 means 30 minutes.
	Forgive time.Duration

	// AddressGap is the least pause between the starts of two requests to hosts at one
	// IP address, or in one network /64 of IPv6. 0 means 100 milliseconds, less
	// than 0 none. As one request may take longer than another to get there, an address
	// sees as many requests at most as that makes, and besides those that are open.
	AddressGap time.Duration

	// AddressBudget is how many requests an address gets in a [Period]. 0 means
	// 3,000, which are five a second; less than 0 any number.
	AddressBudget int

	// MaxRetryAfter limits what Retry-After asks for. 0 means a day.
	MaxRetryAfter time.Duration
}

// or returns a duration, or what it is by default.
func or(d, byDefault time.Duration) time.Duration {
	switch {
	case d == 0:
		return byDefault
	case d < 0:
		return 0
	}
	return d
}

// jitter is how much longer than said a pause is at most, as a part of it: hosts
// that failed together are not to be asked together again.
const jitter = 0.1

// pause returns how long a host is left alone after so many strikes, from 1 on.
func (m *Manners) pause(strikes int) time.Duration {
	d, last := or(m.FirstPause, time.Minute), or(m.LastPause, 24*time.Hour)
	for i := 1; i < strikes && d < last; i++ {
		d *= 2
	}
	return min(d, last) + time.Duration(rand.Float64()*jitter*float64(min(d, last)))
}

// slow returns the pause after an answer that took so long.
func (m *Manners) slow(took time.Duration) time.Duration {
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
