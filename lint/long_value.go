package lint

import (
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

// Maximum characters of values: of a path for Baidu's validator and for Yandex, and of a
// Clean-param, which only Yandex reads.
const (
	baiduPath    = 250
	yandexRule   = 1024
	yandexParams = 500
)

var longValue = &Check{
	Name:     "long-value",
	Severity: Warning,
	Profiles: []Profile{Strict, SEO},
	run: func(p *pass) {
		p.rules(func(l *line) {
			switch n := utf8.RuneCountInString(l.Value); {
			case n > yandexRule:
				p.report(l.value(), textLongRule, n)
			case n > baiduPath:
				p.report(l.value(), textLongPath, n).Severity = Info
			}
		})
		p.lines(func(l *line) {
			if n := utf8.RuneCountInString(l.Value); n > yandexParams && strings.EqualFold(l.Field, "Clean-param") {
				p.report(l.value(), textLongParams, n)
			}
		}, robots.Other)
	},
}

var (
	textLongRule = language.New(
		"the pattern has %[1]d characters: Yandex refuses rules of more than 1,024, and Baidu paths of more than 250",
		"el patrón tiene %[1]d caracteres: Yandex rechaza las reglas de más de 1024, y Baidu las rutas de más de 250",
		"패턴이 %[1]d자입니다. Yandex는 1,024자가 넘는 규칙을, Baidu는 250자가 넘는 경로를 받지 않습니다",
		"число символов в шаблоне: %[1]d; Яндекс не принимает правила длиннее 1024 символов, а Baidu — пути длиннее 250",
	)
	textLongPath = language.New(
		"the pattern has %[1]d characters: Baidu refuses paths of more than 250",
		"el patrón tiene %[1]d caracteres: Baidu rechaza las rutas de más de 250",
		"패턴이 %[1]d자입니다. Baidu는 250자가 넘는 경로를 받지 않습니다",
		"число символов в шаблоне: %[1]d; Baidu не принимает пути длиннее 250",
	)
	textLongParams = language.New(
		"the value has %[1]d characters: Yandex, which alone reads Clean-param, refuses more than 500; write several lines",
		"el valor tiene %[1]d caracteres: Yandex, el único que lee Clean-param, rechaza más de 500; repártalo en varias líneas",
		"값이 %[1]d자입니다. Clean-param을 읽는 유일한 검색 엔진인 Yandex는 500자까지만 받습니다. 여러 줄로 나누어 쓰십시오",
		"число символов в значении: %[1]d; Яндекс, единственный, кто читает Clean-param, принимает не больше 500: разбейте значение на несколько строк",
	)
)
