package pace

import (
	"slices"
	"time"

	"github.com/robotsexclusion/robots"
)

// A Host is the pace of one host: the limits from its robots.txt, and its last requests
// and failures. The zero Host has had no requests. A Host is not safe for concurrent use,
// and must not be copied while a request is open.
//
// It survives a restart: see [Host.AppendBinary] and [Host.Resume].
type Host struct {
	// The limits from its robots.txt.
	delay  pause
	rates  []rate
	visits []robots.Window

	began   time.Time     // start of the open request, or zero
	ended   time.Time     // end of the last request, or zero
	took    time.Duration // response time: until the answer began
	blocked time.Time     // no request before this time
	why     Reason        // reason of blocked
	strikes int           // consecutive failures
	struck  time.Time     // time of the last failure
	place   place         // place of the last request
	unsure  bool          // its last answer was lost, and may have been a robots.txt with a pause
}

// A pause is a pause that a line of robots.txt asks for.
type pause struct {
	delay time.Duration
	line  int
}

// A rate is a pause for a part of the day, or for all of it.
type rate struct {
	pause
	window *robots.Window
}

// maxRecords is the maximum number of Request-rate and Visit-time records that are kept
// separately.
const maxRecords = 32

// Obey applies the limits of robots.txt other than its rules. It is called with each new
// robots.txt, and replaces the limits of the one before.
func (h *Host) Obey(g *robots.Group) {
	h.delay, h.rates, h.visits, h.unsure = pause{}, nil, nil, false
	if d, ok := g.CrawlDelay(); ok {
		h.delay = pause{d.Delay, d.Line}
	}
	for _, r := range g.RequestRates() {
		this := rate{pause{r.Delay(), r.Line}, r.Window}
		if len(h.rates) < maxRecords {
			h.rates = append(h.rates, this)
		} else if last := &h.rates[maxRecords-1]; this.delay > last.delay {
			*last = rate{this.pause, nil} // too many to be meant: keep the slowest rate, all day
		} else {
			last.window = nil
		}
	}
	for _, v := range g.VisitTimes() {
		if len(h.visits) < maxRecords { // dropping a window only reduces visits
			h.visits = append(h.visits, v.Window)
		}
	}
}

// IsTooSlow reports whether robots.txt asks for a longer pause between all requests than the robot
// makes. Then the robot should make no request, and [Host.Wait] ignores that pause. A Request-rate
// for some hours ends with them, and does not count.
func (h *Host) IsTooSlow(m *Pauses) bool {
	asked := h.delay.delay
	for _, r := range h.rates {
		if r.window == nil {
			asked = max(asked, r.delay)
		}
	}
	return m.MaxPause >= 0 && asked > or(m.MaxPause, time.Hour)
}

// Rest returns when a host that is too slow may be asked for robots.txt again, which may have
// changed: after the longest pause that the robot makes.
func (h *Host) Rest(m *Pauses) Wait {
	most := or(m.MaxPause, time.Hour)
	return Wait{h.ended.Add(most), CrawlDelay, most, h.delay.line}
}

// Busy reports whether a request is open.
func (h *Host) Busy() bool { return !h.began.IsZero() }

// Strikes returns the number of consecutive failures and refusals that have not been
// forgiven.
func (h *Host) Strikes() int { return h.strikes }

// Begin records the start of a request.
func (h *Host) Begin(now time.Time) { h.began = now }

// An Outcome is how a request ended.
type Outcome struct {
	Status     int           // HTTP status; 0 without a response
	RetryAfter time.Duration // from the response, or 0
	Took       time.Duration // response time: until the answer began
	Cancelled  bool          // the robot cancelled the request: this says nothing about the host
}

// End records the outcome of the open request. It must be called once for each Begin.
func (h *Host) End(m *Pauses, now time.Time, o Outcome) {
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

// Close blocks requests until the given time, because robots.txt cannot be fetched: then
// nothing is allowed (RFC 9309, section 2.3.1.4), and robots.txt is fetched again at that
// time.
func (h *Host) Close(until time.Time) { h.block(until, Unreachable) }

// block blocks requests until the given time, unless they are blocked for longer.
func (h *Host) block(until time.Time, why Reason) {
	if until.After(h.blocked) {
		h.blocked, h.why = until, why
	}
}

// Resume is called for each host after a restart. The robot may have been killed during a
// request that was not recorded, so the pause starts again.
func (h *Host) Resume(now time.Time) {
	h.began = time.Time{}
	if now.After(h.ended) {
		h.ended = now
	}
}

// Move is called for a host whose record is from before a time, by a clock that may differ by so
// much from this one: no pause that the host has asked for ends before its time by any of the two.
// An end of a request after that time says that this clock is not ahead.
func (h *Host) Move(since time.Time, apart time.Duration) {
	if h.ended.Before(since) && !h.blocked.IsZero() {
		h.blocked = h.blocked.Add(apart)
	}
}

// Interrupt is called after a restart for a host that had an open request when the robot
// was killed. The response is lost, and may have asked for a pause, so the host gets a
// FirstPause, and the same pause between all requests until its robots.txt is known: see
// [Host.Obey].
func (h *Host) Interrupt(m *Pauses, now time.Time) {
	h.Resume(now)
	h.unsure = true
	h.block(now.Add(m.pause(1)), Interrupted)
}

// Unsure reports whether the host was interrupted, and has obeyed no robots.txt since.
func (h *Host) Unsure() bool { return h.unsure }

// Silent returns until when no robot that obeys the recorded state asks the host, whatever its own
// pauses are: the host has asked for a pause, or failed. It returns the zero time if a request is
// open. Hours of visits do not count, since they may have begun after the record.
func (h *Host) Silent() time.Time {
	switch asked := h.ended.Add(h.delay.delay); {
	case h.Busy():
		return time.Time{}
	case asked.After(h.blocked):
		return asked
	}
	return h.blocked
}

// Wait returns when the next request may start, and why not before. The time is now or in
// the past if the request may start at once.
func (h *Host) Wait(m *Pauses, now time.Time) Wait {
	if h.Busy() {
		return Wait{At: now.Add(time.Second), Reason: Busy}
	}
	w := Wait{Reason: Ready}
	tooSlow := h.IsTooSlow(m)
	if !h.ended.IsZero() {
		w.after(h.ended, or(m.MinDelay, time.Second), Manner, 0)
		w.after(h.ended, m.slow(h.took), Slow, 0)
		if h.unsure {
			w.after(h.ended, min(or(m.FirstPause, time.Minute), or(m.LastPause, 24*time.Hour)), Interrupted, 0)
		}
		if !tooSlow {
			w.after(h.ended, h.delay.delay, CrawlDelay, h.delay.line)
		}
	}
	if h.blocked.After(w.At) {
		w = Wait{At: h.blocked, Reason: h.why}
	}
	if w.At.Before(now) {
		w.At = now
	}
	// Waiting for one limit may move the time into the window of another, or out of it.
	for range maxTurns {
		before := w.At
		if !h.ended.IsZero() {
			for _, r := range h.rates {
				switch {
				case r.window == nil && tooSlow:
				case r.window == nil:
					w.after(h.ended, r.delay, RequestRate, r.line)
				case r.window.Contains(w.At):
					shut := closes(*r.window, w.At).Sub(h.ended) // the rate ends with its window
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

// maxTurns is the maximum number of steps from window to window: the number of windows,
// and once more for the next day.
const maxTurns = 4 * maxRecords

// closes returns the end of a window that contains t.
func closes(w robots.Window, t time.Time) time.Time {
	at := t.UTC().Truncate(24 * time.Hour).Add(w.To)
	if !at.After(t) {
		at = at.Add(24 * time.Hour)
	}
	return at
}

// visit returns the first time from t on at which Visit-time allows a request.
func (h *Host) visit(t time.Time) time.Time {
	if len(h.visits) == 0 || slices.ContainsFunc(h.visits, func(w robots.Window) bool { return w.Contains(t) }) {
		return t
	}
	midnight := t.UTC().Truncate(24 * time.Hour)
	first := t.Add(24 * time.Hour) // each window opens before that
	for _, w := range h.visits {
		for _, day := range []time.Duration{0, 24 * time.Hour} {
			if at := midnight.Add(day + w.From); at.After(t) && at.Before(first) {
				first = at
			}
		}
	}
	return first
}
