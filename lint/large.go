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
		"the file has %[1]d KiB: Baidu accepts 48 KiB, and some robots read less than the 500 KiB that RFC 9309 asks for",
		"el archivo ocupa %[1]d KiB: Baidu acepta 48 KiB, y algunos robots leen menos de los 500 KiB que pide el RFC 9309",
		"파일 크기가 %[1]dKiB입니다. Baidu는 48KiB까지만 받고, 일부 로봇은 RFC 9309가 요구하는 500KiB보다 적게 읽습니다",
		"файл занимает %[1]d КиБ: Baidu принимает 48 КиБ, а некоторые роботы читают меньше 500 КиБ, которых требует RFC 9309",
	)
	textManyRules = language.New(
		"the file has %[1]d rules, and this is the first of them beyond the 2,048 that Yandex accepts",
		"el archivo tiene %[1]d reglas, y esta es la primera que supera las 2048 que acepta Yandex",
		"파일에 규칙이 %[1]d개 있습니다. Yandex가 받는 2,048개를 넘는 첫 규칙이 여기입니다",
		"всего правил в файле: %[1]d; это первое сверх 2048, которые принимает Яндекс",
	)
)
