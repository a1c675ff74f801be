package pace

import (
	"slices"
	"time"

	"github.com/robotsexclusion/robots"
)

// A Host is what the robot owes to one host: what it was asked for there, and when
// it was there last. The zero Host was never asked. A Host is not safe for
// concurrent use, and is not to be copied while a request is under way.
//
// It survives a restart: see [Host.AppendBinary] and [Host.Resume].
type Host struct {
	// What its robots.txt asks for.
	delay  pause
	rates  []rate
	visits []robots.Window

	began   time.Time     // of the request under way, or zero
	ended   time.Time     // of the last one, or zero
	took    time.Duration // until the answer began
	blocked time.Time     // not to be asked before
	why     Reason        // it is blocked
	strikes int           // failures in a row
	struck  time.Time     // the last of them
	place   place         // where it was asked last
}

// A pause is one that a line of robots.txt asks for.
type pause struct {
	delay time.Duration
	line  int
}

// A rate is a pause that is asked for in a part of the day, or in all of it.
type rate struct {
	pause
	window *robots.Window
}

// maxRecords is how many Request-rate and Visit-time records count one by one.
const maxRecords = 32

// Obey takes over what robots.txt asks of the robot beside its rules. It is called
// with each new robots.txt, and replaces what the one before asked for.
func (h *Host) Obey(g *robots.Group) {
	h.delay, h.rates, h.visits = pause{}, nil, nil
	if d, ok := g.CrawlDelay(); ok {
		h.delay = pause{d.Delay, d.Line}
	}
	for _, r := range g.RequestRates() {
		this := rate{pause{r.Delay(), r.Line}, r.Window}
		if len(h.rates) < maxRecords {
			h.rates = append(h.rates, this)
		} else if last := &h.rates[maxRecords-1]; this.delay > last.delay {
			*last = rate{this.pause, nil} // nobody means so many: the slowest, all day
		} else {
			last.window = nil
		}
	}
	for _, v := range g.VisitTimes() {
		if len(h.visits) < maxRecords { // with fewer windows it is only visited less
			h.visits = append(h.visits, v.Window)
		}
	}
}

// Busy reports whether a request is under way.
func (h *Host) Busy() bool { return !h.began.IsZero() }

// Strikes returns how many failures and refusals there were in a row, as far as
// they are not forgiven.
func (h *Host) Strikes() int { return h.strikes }

// Begin notes that a request starts.
func (h *Host) Begin(now time.Time) { h.began = now }

// An Outcome is how a request ended.
type Outcome struct {
	Status     int           // of the answer; 0 if there was none
	RetryAfter time.Duration // what the answer asked for, or 0
	Took       time.Duration // until the answer began
	Cancelled  bool          // the robot gave up by itself: it says nothing of the host
}

// End notes how the request under way ended. It is to be called for each one that
// has begun.
func (h *Host) End(m *Manners, now time.Time, o Outcome) {
	h.began, h.ended, h.took = time.Time{}, now, max(o.Took, 0)
	switch {
	case o.Cancelled:
	case o.Status == 429 || o.Status == 503:
		h.strike(now)
		if o.RetryAfter > 0 {
			h.block(now.Add(min(o.RetryAfter, or(m.MaxRetryAfter, 24*time.Hour))), RetryAfter)
		} else {
			h.block(now.Add(m.pause(h.strikes)), Refused)
		}
	case o.Status == 0:
		h.strike(now)
		h.block(now.Add(m.pause(h.strikes)), Failed)
	case h.strikes > 0 && now.Sub(h.struck) >= or(m.Forgive, 30*time.Minute):
		h.strikes = 0
	}
}

func (h *Host) strike(now time.Time) {
	h.strikes++
	h.struck = now
}

// Close keeps the robot away until a time, because robots.txt cannot be had: then
// nothing is allowed (RFC 9309, section 2.3.1.4), and it is asked for again.
func (h *Host) Close(until time.Time) { h.block(until, Unreachable) }

// block keeps the robot away until a time, if it is not kept away for longer.
func (h *Host) block(until time.Time, why Reason) {
	if until.After(h.blocked) {
		h.blocked, h.why = until, why
	}
}

// Resume is called for each host after a restart. The robot may have been killed
// while a request was under way, of which nothing was noted: the pause starts
// anew.
func (h *Host) Resume(now time.Time) {
	h.began = time.Time{}
	if now.After(h.ended) {
		h.ended = now
	}
}

// Interrupt is called after a restart for a host that a request was under way to when
// the robot was killed. Whatever the host answered, and it may have asked to be left
// alone, is not known: it is left alone for a first pause.
func (h *Host) Interrupt(m *Manners, now time.Time) {
	h.Resume(now)
	h.block(now.Add(m.pause(1)), Interrupted)
}

// Wait returns when the next request may start, and why not before. It is in the
// past, or now, if it may start at once.
func (h *Host) Wait(m *Manners, now time.Time) Wait {
	if h.Busy() {
		return Wait{At: now.Add(time.Second), Reason: Busy}
	}
	w := Wait{Reason: Ready}
	if !h.ended.IsZero() {
		w.after(h.ended, or(m.MinDelay, time.Second), Manner, 0)
		w.after(h.ended, m.slow(h.took), Slow, 0)
		w.after(h.ended, h.delay.delay, CrawlDelay, h.delay.line)
	}
	if h.blocked.After(w.At) {
		w = Wait{At: h.blocked, Reason: h.why}
	}
	if w.At.Before(now) {
		w.At = now
	}
	// To wait for one may lead into the window of another, or out of it.
	for range maxTurns {
		before := w.At
		if !h.ended.IsZero() {
			for _, r := range h.rates {
				switch {
				case r.window == nil:
					w.after(h.ended, r.delay, RequestRate, r.line)
				case r.window.Contains(w.At):
					shut := closes(*r.window, w.At).Sub(h.ended) // then it asks for nothing any more
					w.after(h.ended, min(r.delay, shut), RequestRate, r.line)
				}
			}
		}
		if at := h.visit(w.At); at.After(w.At) {
			w = Wait{At: at, Reason: VisitTime}
		}
		if w.At.Equal(before) {
			break
		}
	}
	if !w.At.After(now) {
		return Wait{At: now, Reason: Ready}
	}
	return w
}

// maxTurns is how often waits for windows may lead to one another, which is as
// often as there are windows, and once more on the next day.
const maxTurns = 4 * maxRecords

// closes returns the end of a window that contains t.
func closes(w robots.Window, t time.Time) time.Time {
	at := t.UTC().Truncate(24 * time.Hour).Add(w.To)
	if !at.After(t) {
		at = at.Add(24 * time.Hour)
	}
	return at
}

// visit returns the first time from t on at which the host may be visited.
func (h *Host) visit(t time.Time) time.Time {
	if len(h.visits) == 0 || slices.ContainsFunc(h.visits, func(w robots.Window) bool { return w.Contains(t) }) {
		return t
	}
	midnight := t.UTC().Truncate(24 * time.Hour)
	first := t.Add(24 * time.Hour) // where no window ever opens, it is looked at again
	for _, w := range h.visits {
		for _, day := range []time.Duration{0, 24 * time.Hour} {
			if at := midnight.Add(day + w.From); at.After(t) && at.Before(first) && w.Contains(at) {
				first = at
			}
		}
	}
	return first
}
