package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var closedSitemap = &Check{
	Name:     "closed-sitemap",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if p.alien != robotsText {
			return
		}
		everyone := p.policy.For("*")
		if _, all := closing(everyone); all {
			return
		}
		found := make(places)
		for _, s := range p.policy.Sitemaps() {
			if !p.covers(s.Value) {
				continue
			}
			m := everyone.Match(s.Value)
			if m.Allowed || m.Reason != robots.DecidingRule || len(found) == maxRemembered {
				continue
			}
			found[s.Line] = func(l *line) {
				d := p.report(l.all(), textClosedSitemap, m.Rule.Line)
				d.Related = []Related{p.related(m.Rule.Line, textClosesSitemap)}
				if matchesAll(m.Rule.Pattern) {
					// a site that is closed except for some pages usually lists them in the sitemap
					// of another site
					d.Severity = Info
				}
			}
		}
		p.tell(found)
	},
}

var (
	textClosedSitemap = language.New(
		"line %[1]d closes this sitemap to everyone, if it lies on the host of this file: robots may not read it then")
	textClosesSitemap = language.New("closes the sitemap")
)
