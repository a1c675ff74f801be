package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var urlAsRule = &Check{
	Name:     "url-as-rule",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueURL {
				return
			}
			host := hostBytes(l.Value)
			d := p.report(l.value(), textURLAsRule)
			path := l.Value[host:]
			if path == "" || path[0] != '/' {
				path = "/" + path
			}
			if l.Kind == robots.Allow || !matchesAll(path) { // "Disallow: https://example.com/" is usually about another host, and would close all of this one
				d.Fix = &Fix{Title: p.say(textDropHost, path), Effect: addsRule(l), Edits: []Edit{l.value().edit(path)}}
			}
		})
	},
}

var (
	textURLAsRule = language.New(
		"a rule has a path, not a URL with its host: it matches nothing; the file is for the host that it lies on",
		"una regla lleva una ruta, no una URL con su host: no coincide con nada; el archivo solo vale para el host en el que está",
		"규칙에는 호스트가 포함된 URL이 아니라 경로를 씁니다. 아무것도 일치하지 않습니다. 파일은 그 파일이 있는 호스트에만 적용됩니다",
		"в правиле пишут путь, а не URL с хостом: оно ни с чем не совпадёт; файл относится к хосту, на котором лежит",
	)
	textDropHost = language.New(
		"write \"%[1]s\"; the rule takes effect for this host",
		"escribir «%[1]s»; la regla empezará a aplicarse en este host",
		"\"%[1]s\"(으)로 씁니다. 규칙이 이 호스트에 적용됩니다",
		"написать «%[1]s»; правило начнёт действовать для этого хоста",
	)
)
