package guard

import (
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/requestrate"
)

const (
	// maxDelay is the longest pause that the guard enforces.
	maxDelay = 24 * time.Hour
	// jitter is by how much the way to the server may shorten the gap between two requests.
	jitter = time.Second
	// slack is by how much the clock of a robot may differ: around the ends of windows of the day
	// nothing is enforced.
	slack = 10 * time.Minute
)

// An ask is the pace that a group asks of its robot.
type ask struct {
	delay  robots.CrawlDelay
	burst  time.Duration // how much earlier than the delay asks a request may come, if those before came late
	rates  []robots.RequestRate
	visits []robots.VisitTime
}

// newAsk returns the pace that a group asks of a robot, or nil if there is none. Robots that
// document that they ignore Crawl-delay read no pace from robots.txt, as in audits.
func newAsk(a agent.Agent, g *robots.Group) *ask {
	if a.Known() && a.CrawlDelay() == agent.DelayIgnored {
		return nil
	}
	out := &ask{rates: g.RequestRates(), visits: g.VisitTimes()}
	out.delay, _ = g.CrawlDelay()
	out.delay.Delay = min(out.delay.Delay, maxDelay)
	if out.delay.Delay <= 0 && len(out.rates)+len(out.visits) == 0 {
		return nil
	}
	out.burst = jitter + out.delay.Delay/10
	if a.CrawlDelay() == agent.DelayRate {
		// One request at any time within each window of the delay: two may be close to each other.
		out.burst = jitter + out.delay.Delay
	}
	return out
}

// A pacing is when a robot may send its next requests. It is shared by all clients that name the
// robot.
type pacing struct {
	mu    sync.Mutex
	delay bucket
	rate  bucket

	// The rate that filled the bucket rate.
	documents int
	period    time.Duration
}

// wait returns how long the robot has to wait before its next request, and the record that says so.
// If the wait is zero, the robot sends the request now.
func (p *pacing) wait(a *ask, now time.Time) (wait time.Duration, by robots.Record) {
	if wait, by := untilVisit(a.visits, now); wait > 0 {
		return wait, by
	}
	rate, rated := a.rate(now)
	p.mu.Lock()
	defer p.mu.Unlock()
	if rate.Documents != p.documents || rate.Period != p.period {
		p.documents, p.period, p.rate = rate.Documents, rate.Period, bucket{}
	}
	pause, early := rateLimits(rate)
	if a.delay.Delay > 0 {
		wait, by = p.delay.wait(now, a.delay.Delay, a.burst), a.delay.Record
	}
	if rated {
		if w := p.rate.wait(now, pause, early); w > wait {
			wait, by = w, rate.Record
		}
	}
	if wait > 0 {
		return wait, by
	}
	if a.delay.Delay > 0 {
		p.delay.take(now, a.delay.Delay, a.burst)
	}
	if rated {
		p.rate.take(now, pause, early)
	}
	return 0, robots.Record{}
}

// A bucket limits requests to one in each pause on average, and lets some come early (the generic
// cell rate algorithm).
type bucket struct {
	due time.Time // when the next request is due

	// The requests that other guards do not know about: the first and the last, how far they move
	// the due time, and the latest due time that they can lead to.
	first, last, limit time.Time
	unshared           time.Duration
}

// maxDebt is the maximum number of pauses that a robot waits. A single guard has it wait for one.
// Several guards may let requests pass at the same time, which the robot then waits for; but
// another guard may also have a wrong clock.
const maxDebt = 8

// wait returns the time until the next request.
func (b *bucket) wait(now time.Time, pause, early time.Duration) time.Duration {
	b.due = earlier(b.due, now.Add(early+maxDebt*pause))
	return max(0, b.due.Add(-early).Sub(now))
}

// take counts a request.
func (b *bucket) take(now time.Time, pause, early time.Duration) {
	b.due = later(b.due, now).Add(pause)
	if b.unshared == 0 {
		b.first = now
	}
	b.last, b.limit = now, now.Add(early+maxDebt*pause)
	b.unshared = min(b.unshared+pause, 2*maxDelay)
}

// join returns the due time after the requests of all guards: remote is the due time that the
// others know.
func (b *bucket) join(remote time.Time) time.Time {
	if b.unshared == 0 {
		return later(b.due, remote)
	}
	return later(b.due, earlier(later(remote, b.first).Add(b.unshared), b.limit))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// rateLimits returns the pause of a rate, and how early a request may come: all documents of a
// period may come at once. So a robot is never slowed that sends at most that many in every period.
func rateLimits(r robots.RequestRate) (pause, early time.Duration) {
	if r.Documents <= 0 {
		return 0, 0
	}
	pause = min(r.Period, maxDelay) / time.Duration(r.Documents)
	return pause, pause*time.Duration(r.Documents-1) + jitter
}

// rate returns the rate that holds at a time; ok is false if there is none, or if another rate
// holds within the slack.
func (a *ask) rate(now time.Time) (rate robots.RequestRate, ok bool) {
	if len(a.rates) == 0 {
		return rate, false
	}
	now = now.UTC()
	rate = requestrate.At(a.rates, now)
	ok = rate.Line > 0 && requestrate.At(a.rates, now.Add(-slack)).Line == rate.Line &&
		requestrate.At(a.rates, now.Add(slack)).Line == rate.Line
	return rate, ok
}

// untilVisit returns the time until the next window, or 0 if a time is in a window or within the
// slack of one, or if there are no windows.
func untilVisit(visits []robots.VisitTime, now time.Time) (wait time.Duration, by robots.Record) {
	for _, v := range visits {
		until := clockTime(v.Window.From, now)
		since := (24*time.Hour - clockTime(v.Window.To, now)) % (24 * time.Hour)
		if v.Window.Contains(now.UTC()) || until <= slack || since <= slack {
			return 0, robots.Record{}
		}
		if wait == 0 || until < wait {
			wait, by = until, v.Record
		}
	}
	return wait, by
}

// clockTime returns how long it takes from now until a time of the day in UTC.
func clockTime(of time.Duration, now time.Time) time.Duration {
	const day = 24 * time.Hour
	now = now.UTC()
	passed := now.Sub(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC))
	return ((of-passed)%day + day) % day
}
