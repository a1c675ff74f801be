package lint

import "github.com/robotsexclusion/robots/internal/language"

var unreadSitemap = &Check{
	Name:     "unread-sitemap",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if len(p.options.Sitemaps) == 0 {
			return
		}
		lines := make(map[string]int)
		for _, s := range p.policy.Sitemaps() {
			if lines[s.Value] == 0 {
				lines[s.Value] = s.Line
			}
		}
		found := make(places)
		for _, s := range p.options.Sitemaps {
			if s.Problem == "" {
				continue
			}
			if number := lines[s.URL]; number > 0 {
				found[number] = func(l *line) { p.report(l.value(), textUnreadSitemap, s.URL, s.Problem) }
			} else {
				p.end(func() { p.report(p.head(), textUnreadSitemap, s.URL, s.Problem) })
			}
		}
		p.tell(found)
	},
}

var textUnreadSitemap = language.New("not all of the sitemap %[1]s could be read: %[2]s")
