package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
)

var ignoredCrawlDelay = &Check{
	Name:     "ignored-crawl-delay",
	Severity: Info,
	Profiles: everywhere,
	run: func(p *pass) {
		var names []string // robots of the closest user-agent lines that ignore it
		naming := false
		p.lines(func(l *line) {
			switch l.Kind {
			case robots.UserAgent:
				if !naming {
					names, naming = names[:0], true
				}
				if a := p.options.Robots.Named(l.Value); a.CrawlDelay() == agent.DelayIgnored &&
					len(names) < maxNamesShown {
					names = append(names, a.Token)
				}
			case robots.Allow, robots.Disallow:
				naming = false
			case robots.Other:
				if strings.EqualFold(l.Field, "Crawl-delay") && len(names) > 0 {
					p.report(l.all(), textIgnoredDelay, strings.Join(names, ", "))
					naming = false
				}
			}
		})
	},
}

// maxNamesShown is the maximum number of robots in a message.
const maxNamesShown = 5

var textIgnoredDelay = language.New("these robots ignore Crawl-delay, as their operators say: %[1]s")
