package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
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
			case isProse(l.Field):
				p.report(l.all(), textNotARecord)
			default:
				p.report(l.field(), textUnknownField, l.Field)
			}
		}, robots.Other)
	},
}

// isProse reports whether what stands before a colon is no name of a field, but
// part of a page or of a sentence.
func isProse(field string) bool {
	return strings.ContainsAny(field, `<>{}"`) || len(strings.Fields(field)) > 3
}

var (
	textUnknownField = language.New(
		"no robot is known to read the field \"%[1]s\": the line has no effect",
		"no se conoce ningún robot que lea el campo «%[1]s»: la línea no tiene efecto",
		"필드 \"%[1]s\"을(를) 읽는다고 알려진 로봇이 없습니다. 이 줄은 효과가 없습니다",
		"неизвестно ни одного робота, который читает поле «%[1]s»: строка ни на что не влияет",
	)
	textBareURL = language.New(
		"a URL on a line of its own has no effect: if it is a sitemap, write \"Sitemap:\" before it, and else \"#\"",
		"una URL sola en una línea no tiene efecto: si es un sitemap, escriba «Sitemap:» delante; si no, «#»",
		"URL만 있는 줄은 효과가 없습니다. 사이트맵이면 앞에 \"Sitemap:\"을, 아니면 \"#\"을 쓰십시오",
		"URL в отдельной строке ни на что не влияет: если это файл Sitemap, поставьте перед ним «Sitemap:», если нет — «#»",
	)
)
