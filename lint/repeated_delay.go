package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var repeatedDelay = &Check{
	Name:     "repeated-delay",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		type place struct {
			number int
			value  string
		}
		// A Crawl-delay is for the closest user-agent lines: many authors write several names
		// with a delay each, and no rules.
		var first place
		naming := false
		p.lines(func(l *line) {
			switch l.Kind {
			case robots.UserAgent:
				if !naming {
					first = place{}
				}
				naming = true
			case robots.Allow, robots.Disallow:
				naming = false
			case robots.Other:
				if f, err := checked(l); f.Name != "Crawl-delay" || l.Value == "" || err != nil {
					return
				}
				naming = false
				if first.number == 0 {
					first = place{l.Number, l.Value}
					return
				}
				message := textRepeatedDelay
				if first.value == l.Value {
					message = textSameDelay
				}
				d := p.report(l.all(), message, first.number)
				d.Related = []Related{p.related(first.number, textFirstDelay)}
				if first.value == l.Value {
					d.Severity = Info
				}
			}
		}, robots.UserAgent, robots.Allow, robots.Disallow, robots.Other)
	},
}

var (
	textRepeatedDelay = language.New(
		"the group has another Crawl-delay in line %[1]d: some robots take the first, some the last")
	textSameDelay  = language.New("the group has the same Crawl-delay in line %[1]d already")
	textFirstDelay = language.New("the first Crawl-delay")
)
