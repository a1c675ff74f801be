package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/requestrate"
)

// An ask is the pace that a version asks of a robot.
type ask struct {
	delay  float64 // the Crawl-delay in seconds, or 0
	rates  []robots.RequestRate
	visits []robots.VisitTime

	rate timetable[rate] // at a time of the day
	open timetable[bool] // whether the robot may visit at a time of the day
}

// newAsk returns the pace that a group asks for, or nil if there is none.
func newAsk(delay float64, g *robots.Group) *ask {
	a := &ask{delay: delay, rates: g.RequestRates(), visits: g.VisitTimes()}
	if a.delay == 0 && len(a.rates) == 0 && len(a.visits) == 0 {
		return nil
	}
	var rated, visited []robots.Window
	for _, r := range a.rates {
		if r.Window != nil {
			rated = append(rated, *r.Window)
		}
	}
	for _, v := range a.visits {
		visited = append(visited, v.Window)
	}
	a.rate = newTimetable(rated, func(t time.Time) rate { return newRate(requestrate.At(a.rates, t)) })
	a.open = newTimetable(visited, func(t time.Time) bool { return openAt(visited, t) })
	return a
}

// A rate is a number of documents in a number of seconds. The zero rate is none.
type rate struct{ documents, period int64 }

func newRate(r robots.RequestRate) rate {
	return rate{int64(r.Documents), int64(r.Period / time.Second)}
}

// slower returns the slower of two rates. q may be the zero rate.
func slower(q, r rate) rate {
	if q == (rate{}) || requestrate.Slower(r.documents, r.period, q.documents, q.period) {
		return r
	}
	return q
}

// openAt reports whether a time is in one of the windows, or there are none.
func openAt(windows []robots.Window, t time.Time) bool {
	return len(windows) == 0 || slices.ContainsFunc(windows, func(w robots.Window) bool { return w.Contains(t) })
}

// slowest returns the slowest rate of any time of day, or the zero rate.
func (a *ask) slowest() (slowest rate) {
	for _, r := range a.rates {
		slowest = slower(slowest, newRate(r))
	}
	return slowest
}

// openFor returns how many seconds of the day are open.
func (a *ask) openFor() (seconds int64) {
	for i, s := range a.open {
		end := a.open[(i+1)%len(a.open)].from
		if end <= s.from {
			end += daySeconds
		}
		if s.value {
			seconds += end - s.from
		}
	}
	return seconds
}

// String returns the rate as it is written in robots.txt.
func (r rate) String() string {
	switch {
	case r.period%3600 == 0:
		return fmt.Sprintf("%d/%dh", r.documents, r.period/3600)
	case r.period%60 == 0:
		return fmt.Sprintf("%d/%dm", r.documents, r.period/60)
	}
	return fmt.Sprintf("%d/%d", r.documents, r.period)
}

// rateTexts returns the values of the Request-rates.
func (a *ask) rateTexts() []string {
	texts := []string{}
	for _, r := range a.rates {
		text := newRate(r).String()
		if r.Window != nil {
			text += " " + r.Window.String()
		}
		texts = append(texts, text)
	}
	return texts
}

// visitTexts returns the values of the Visit-times.
func (a *ask) visitTexts() []string {
	texts := []string{}
	for _, v := range a.visits {
		texts = append(texts, v.Window.String())
	}
	return texts
}

// key returns a text that is the same for asks that are equal.
func (a *ask) key() string {
	return fmt.Sprint(a.delay, ";", strings.Join(a.rateTexts(), ","), ";", strings.Join(a.visitTexts(), ","))
}
