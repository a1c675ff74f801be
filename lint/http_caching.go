package lint

import (
	"time"

	"github.com/robotsexclusion/robots/internal/language"
)

var httpCaching = &Check{
	Name:     "http-caching",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		r := p.options.Response
		if r == nil || !r.MaxAge.Known || r.Status/100 == 3 || r.Status/100 == 5 {
			return
		}
		p.end(func() {
			switch age := r.MaxAge.Age; {
			case age > maxCached:
				p.report(p.head(), textLongCached, int(age/time.Hour))
			case age <= 0 && p.options.Profile == Strict:
				p.report(p.head(), textNotCached).Severity = Info
			}
		})
	},
}

// maxCached is the maximum time for which robots use a copy (RFC 9309, section 2.4).
const maxCached = 24 * time.Hour

var (
	textLongCached = language.New(
		"the answer may be cached for %[1]d hours: caches on the way give robots the old rules so long, though RFC 9309, section 2.4, asks robots to look again after 24")
	textNotCached = language.New("the answer may not be cached: some robots ask for robots.txt again before each page")
)
