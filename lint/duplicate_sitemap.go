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
	textDuplicateSitemap = language.New(
		"this sitemap stands in line %[1]d already",
		"este sitemap ya está en la línea %[1]d",
		"이 사이트맵은 이미 %[1]d번째 줄에 있습니다",
		"этот файл Sitemap уже указан в строке %[1]d",
	)
	textFirstSitemap = language.New("the same sitemap", "el mismo sitemap", "같은 사이트맵", "тот же файл Sitemap")
	textDropLine     = language.New("remove the line", "quitar la línea", "줄을 지웁니다", "убрать строку")
)
