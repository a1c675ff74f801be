package fetch

import (
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/robotsexclusion/robots"
)

// A pace is the pause that a group asks for between requests. It keeps no text of the file.
type pace struct {
	delay time.Duration
	rates []rate
}

// A rate is the pause of a Request-rate: the documents of a period, evenly spread, as the crawler
// requests them.
type rate struct {
	pause  time.Duration
	window *robots.Window // nil: all day
}

// maxRates is the maximum number of rates that count separately, as for the crawler.
const maxRates = 32

// newPace returns the pace that a group asks for.
func newPace(g *robots.Group) *pace {
	delay, _ := g.CrawlDelay()
	p := &pace{delay: delay.Delay}
	for _, r := range g.RequestRates() {
		p.rates = append(p.rates, rate{r.Delay(), r.Window})
	}
	if len(p.rates) > maxRates {
		slices.SortFunc(p.rates, func(q, r rate) int { return int(max(-1, min(1, r.pause-q.pause))) })
		p.rates = []rate{{p.rates[0].pause, nil}} // too many to be meant: the slowest, all day
	}
	return p
}

// pause returns the pause that holds at a time. Rates for this time of the day replace those for
// the whole day.
func (p *pace) pause(t time.Time) time.Duration {
	var timed, daily time.Duration
	inWindow := false
	for _, r := range p.rates {
		switch {
		case r.window == nil:
			daily = max(daily, r.pause)
		case r.window.Contains(t):
			timed, inWindow = max(timed, r.pause), true
		}
	}
	if inWindow {
		return max(p.delay, timed)
	}
	return max(p.delay, daily)
}

// turn returns the first turn at or after a time, if the last one was at another. A wait that leads
// into the window of a slower rate continues. A wait does not end early because a window ends.
func (p *pace) turn(last, at time.Time, least time.Duration) time.Time {
	for {
		// Each step has a longer pause than the one before, so there are no more steps than rates.
		due := last.Add(max(least, p.pause(at)))
		if !due.After(at) {
			return at
		}
		at = due
	}
}

// longest returns the longest pause at any time.
func (p *pace) longest() time.Duration {
	longest := p.delay
	for _, r := range p.rates {
		longest = max(longest, r.pause)
	}
	return longest
}

// paces has the paces of policies as long as the policies are in memory, so that records are not
// read again for each request. The zero value is ready to use, and safe for concurrent use.
type paces struct {
	known sync.Map // of *pace, by weak.Pointer[robots.Policy]
}

// of returns the pace that a group of a policy asks for. All calls with a policy must have the same
// group.
func (p *paces) of(policy *robots.Policy, g *robots.Group) *pace {
	key := weak.Make(policy)
	if known, ok := p.known.Load(key); ok {
		return known.(*pace)
	}
	known, loaded := p.known.LoadOrStore(key, newPace(g))
	if !loaded {
		runtime.AddCleanup(policy, func(key weak.Pointer[robots.Policy]) { p.known.Delete(key) }, key)
	}
	return known.(*pace)
}
