package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var duplicateSitemap = &Check{
	Name:     "duplicate-sitemap",
	Severity: Info,
	Profiles: everywhere,
	run: func(p *pass) {
		seen := make(map[string]int)
		p.lines(func(l *line) {
			if !strings.EqualFold(l.Field, "Sitemap") || l.Value == "" {
				return
			}
			first, ok := seen[l.Value]
			if !ok {
				if len(seen) < maxRemembered {
					seen[l.Value] = l.Number
				}
				return
			}
			d := p.report(l.all(), textDuplicateSitemap, first)
			d.Related = []Related{p.related(first, textFirstSitemap)}
			if _, commented := l.comment(); !commented {
				d.Fix = &Fix{Title: p.say(textDropLine), Safe: true, Edits: []Edit{l.whole("")}}
			}
		}, robots.Other)
	},
}

var (
	textDuplicateSitemap = language.New("this sitemap stands in line %[1]d already")
	textFirstSitemap     = language.New("the same sitemap")
	textDropLine         = language.New("remove the line")
)
