package lint

import "github.com/robotsexclusion/robots/internal/language"

// Limits of some robots: bytes for Baidu's validator, and rules for Yandex.
const (
	baiduLimit  = 48 << 10
	yandexRules = 2048
)

var large = &Check{
	Name:     "large",
	Severity: Info,
	Profiles: []Profile{Strict, SEO},
	run: func(p *pass) {
		if len(p.text) > baiduLimit && len(p.text) <= sizeLimit && p.alien == robotsText {
			p.report(span{line: 1}, textLarge, len(p.text)>>10)
		}
		n, first := 0, span{}
		p.rules(func(l *line) {
			if n++; n == yandexRules+1 {
				first = l.all()
			}
		})
		p.end(func() {
			if n > yandexRules {
				p.report(first, textManyRules, n)
			}
		})
	},
}

var (
	textLarge = language.New(
		"the file has %[1]d KiB: Baidu accepts 48 KiB, and some robots read less than the 500 KiB that RFC 9309 asks for")
	textManyRules = language.New(
		"the file has %[1]d rules, and this is the first of them beyond the 2,048 that Yandex accepts")
)
