package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
)

var invisibleCharacter = &Check{
	Name:     "invisible-character",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			from, to := oddCharacter(l.Value)
			if to == 0 {
				return
			}
			c, _ := utf8.DecodeRuneInString(l.Value[from:])
			d := p.report(l.within(from, to), textInvisible, fmt.Sprintf("U+%04X", c))
			if last := to == len(l.Value); !last && (isOddBlank(c) || l.Value[to] >= utf8.RuneSelf) {
				d.Severity = Warning // a URL may have it there after all
			}
			if strings.ContainsAny(l.Value, " \t") {
				return // another check fixes that
			}
			plain := strings.TrimSpace(strings.Map(func(c rune) rune {
				if isInvisible(c) {
					return -1
				}
				return c
			}, l.Value))
			if from, to := oddCharacter(plain); from == to && plain != "" {
				d.Fix = &Fix{Title: p.say(textRemoveIt), Effect: Changes, Edits: []Edit{l.value().edit(plain)}}
			}
		})
		p.lines(func(l *line) {
			if strings.TrimSpace(folded(l.body)) == "" {
				d := p.report(l.all(), textInvisibleLine)
				d.Severity = Info
				d.Fix = &Fix{Title: p.say(textRemoveIt), Safe: true, Edits: []Edit{l.all().edit("")}}
			}
		}, robots.Malformed)
	},
}

var (
	textInvisible = text{
		"%[1]s in the pattern, which is not seen or looks like a blank: URLs hardly have it, so nothing matches",
		"%[1]s en el patrón, que no se ve o parece un espacio: las URL apenas lo llevan, así que nada coincide",
		"패턴에 보이지 않거나 공백처럼 보이는 %[1]s이(가) 있습니다. URL에는 거의 없으므로 아무것도 맞지 않습니다",
		"в шаблоне %[1]s, невидимый или похожий на пробел символ: в URL его почти не бывает, поэтому ничего не совпадёт",
	}
	textInvisibleLine = text{
		"the line looks empty, but has characters that are not seen",
		"la línea parece vacía, pero tiene caracteres invisibles",
		"빈 줄처럼 보이지만 보이지 않는 문자가 있습니다",
		"строка кажется пустой, но содержит невидимые символы",
	}
	textRemoveIt = text{"remove what is not seen", "quitar lo que no se ve", "보이지 않는 것을 지웁니다", "убрать невидимое"}
)
