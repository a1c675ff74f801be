package lint

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var absurdPace = &Check{
	Name:     "absurd-pace",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if f, _ := robots.FieldNamed(l.Field); !f.Pace {
				return
			}
			// Parse the record alone, in a group for everyone, as robots do.
			group := robots.Parse([]byte("User-agent: *\n" + l.body + "\nAllow: /")).For("*")
			if delay, ok := group.CrawlDelay(); ok {
				p.slow(l, delay.Delay)
			}
			for _, rate := range group.RequestRates() {
				p.slow(l, rate.Delay())
				if rate.Window != nil {
					p.narrow(l, *rate.Window)
				}
			}
			for _, visit := range group.VisitTimes() {
				p.narrow(l, visit.Window)
			}
		}, robots.Other)
	},
}

// slowDelay is a pause with which a robot reads next to nothing of a site, and longDelay an
// unusual pause. Of 2,857 real Crawl-delays, three in a thousand are longer than ten minutes,
// and one is an hour.
const (
	longDelay = 5 * time.Minute
	slowDelay = time.Hour
)

// slow reports a pause between two requests that is too long to be intended.
func (p *pass) slow(l *line, delay time.Duration) {
	if delay <= longDelay {
		return
	}
	d := p.report(l.value(), textSlow, int(24*time.Hour/delay))
	if delay < slowDelay {
		d.Severity = Info
	}
}

// shortWindow is a time of the day so short that hardly any robot visits within it.
const shortWindow = 10 * time.Minute

// narrow reports a time of the day that is too short to be intended.
func (p *pass) narrow(l *line, w robots.Window) {
	length := w.To - w.From
	if length < 0 {
		length += 24 * time.Hour
	}
	switch {
	case length == 0:
		p.report(l.value(), textNoTime, w.String())
	case length < shortWindow:
		p.report(l.value(), textNarrow, w.String(), fmt.Sprint(int(length.Minutes())))
	}
}

var (
	textSlow = language.New(
		"a robot that obeys this pause fetches %[1]d pages a day at most: robots that are to stay away need \"Disallow: /\"")
	textNoTime = language.New(
		"the time of the day %[1]s starts when it ends: robots may read it as the whole day, or as no time")
	textNarrow = language.New("the time of the day %[1]s is too short (%[2]s min): hardly a robot will come in it")
)
