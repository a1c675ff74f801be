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
		"the pattern has %[1]d characters: Yandex refuses rules of more than 1,024, and Baidu paths of more than 250")
	textLongPath   = language.New("the pattern has %[1]d characters: Baidu refuses paths of more than 250")
	textLongParams = language.New(
		"the value has %[1]d characters: Yandex, which alone reads Clean-param, refuses more than 500; write several lines")
)
