package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var doubleWildcard = &Check{
	Name:     "double-wildcard",
	Severity: Info,
	Profiles: usually,
	run: func(p *pass) {
		p.rules(func(l *line) {
			i := strings.Index(l.Value, "**")
			if i < 0 {
				return
			}
			to := i
			for to < len(l.Value) && l.Value[to] == '*' {
				to++
			}
			d := p.report(l.within(i, to), textDoubleWildcard)
			d.Fix = &Fix{Title: p.say(textOneWildcard), Effect: Changes, Edits: []Edit{l.value().edit(manyStars().ReplaceAllString(l.Value, "*"))}}
		})
	},
}

var manyStars = lazyRegexp(`\*\*+`)

var (
	textDoubleWildcard = language.New(
		"\"**\" matches what \"*\" does: slashes too; but it is longer, and the longest pattern decides",
		"«**» coincide con lo mismo que «*», que ya incluye las barras; pero es más largo, y decide el patrón más largo",
		"\"**\"는 \"*\"와 같은 것에 일치하며, \"*\"에도 슬래시가 포함됩니다. 다만 더 길고, 가장 긴 패턴이 우선합니다",
		"«**» совпадает с тем же, что и «*», в том числе с косой чертой; но он длиннее, а решает самый длинный шаблон",
	)
	textOneWildcard = language.New(
		"write \"*\"; the pattern becomes shorter, so that another rule may win",
		"escribir «*»; el patrón se acorta, con lo que puede prevalecer otra regla",
		"\"*\"로 씁니다. 패턴이 짧아져 다른 규칙이 우선할 수 있습니다",
		"написать «*»; шаблон станет короче, и решать сможет другое правило",
	)
)
