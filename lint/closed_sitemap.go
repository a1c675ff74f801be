package lint

import "github.com/robotsexclusion/robots"

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
			m := everyone.Match(s.Value)
			if m.Allowed || m.Reason != robots.DecidingRule || len(found) == maxRemembered {
				continue
			}
			found[s.Line] = func(l *line) {
				d := p.report(l.all(), textClosedSitemap, m.Rule.Line)
				d.Related = []Related{p.related(m.Rule.Line, textClosesSitemap)}
			}
		}
		p.tell(found)
	},
}

var (
	textClosedSitemap = text{
		"line %[1]d closes this sitemap to everyone, so that robots may not read it",
		"la línea %[1]d cierra este mapa del sitio a todos, así que los robots no pueden leerlo",
		"%[1]d번째 줄이 이 사이트맵을 모두에게 막으므로 로봇이 읽을 수 없습니다",
		"строка %[1]d закрывает эту карту сайта для всех, и роботы не могут её прочитать",
	}
	textClosesSitemap = text{"closes the sitemap", "cierra el mapa del sitio", "사이트맵을 막습니다", "закрывает карту сайта"}
)
