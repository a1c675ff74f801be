package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

var unknownField = &Check{
	Name:     "unknown-field",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if l.meant().class != fieldUnknown || l.isBarePath() || isForeignComment(l.body) {
				return
			}
			switch name := strings.ToLower(l.Field); {
			case name == "http", name == "https":
				p.report(l.all(), textBareURL)
			default:
				p.report(l.field(), textUnknownField, l.Field)
			}
		}, robots.Other)
	},
}

var (
	textUnknownField = text{
		"no robot is known to read the field \"%[1]s\": the line has no effect",
		"no se conoce ningún robot que lea el campo «%[1]s»: la línea no tiene efecto",
		"필드 \"%[1]s\"을(를) 읽는 로봇은 알려져 있지 않습니다. 이 줄은 효과가 없습니다",
		"неизвестно ни одного робота, который читает поле «%[1]s»: строка ни на что не влияет",
	}
	textBareURL = text{
		"a URL on a line of its own has no effect: if it is a sitemap, write \"Sitemap:\" before it, and else \"#\"",
		"una URL sola en una línea no tiene efecto: si es un mapa del sitio, escriba «Sitemap:» delante; si no, «#»",
		"URL만 있는 줄은 효과가 없습니다. 사이트맵이면 앞에 \"Sitemap:\"을, 아니면 \"#\"을 쓰십시오",
		"URL в отдельной строке ни на что не влияет: если это карта сайта, поставьте перед ним «Sitemap:», иначе «#»",
	}
)
