package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
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
			if !neverInURL(l.Value, from, to) {
				d.Severity = Warning
				return
			}
			if strings.ContainsAny(l.Value, " \t") {
				return // another check fixes this
			}
			plain := visible(l.Value)
			if _, to := oddCharacter(plain); to == 0 && plain != "" {
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

// visible returns the visible part of a value: without invisible characters, and without
// characters that look like blanks at its ends.
func visible(value string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if isInvisible(c) {
			return -1
		}
		return c
	}, value))
}

// neverInURL reports whether the odd character in these bytes of a value cannot be in any URL.
// A path may contain a no-break space. A character after another non-ASCII character may be a
// half of one that was decoded wrongly.
func neverInURL(value string, from, to int) bool {
	c, _ := utf8.DecodeRuneInString(value[from:])
	if before, _ := utf8.DecodeLastRuneInString(value[:from]); c < 0x100 && before >= utf8.RuneSelf {
		return false
	}
	return to == len(value) || !isOddBlank(c) && value[to] < utf8.RuneSelf
}

var (
	textInvisible = language.New(
		"%[1]s in the pattern, which is not seen or looks like a blank: URLs hardly have it, so nothing matches",
		"el patrón contiene %[1]s, un carácter invisible o parecido a un espacio: las URL casi nunca lo llevan, así que nada coincide",
		"패턴에 보이지 않거나 공백처럼 보이는 문자(%[1]s)가 있습니다. 이런 문자가 든 URL은 거의 없으므로 아무것도 일치하지 않습니다",
		"в шаблоне есть символ %[1]s — невидимый или похожий на пробел: в URL его почти не бывает, поэтому ничего не совпадёт",
	)
	textInvisibleLine = language.New(
		"the line looks empty, but has characters that are not seen",
		"la línea parece vacía, pero contiene caracteres invisibles",
		"빈 줄처럼 보이지만 보이지 않는 문자가 들어 있습니다",
		"строка кажется пустой, но содержит невидимые символы",
	)
	textRemoveIt = language.New("remove what is not seen", "quitar los caracteres invisibles", "보이지 않는 문자를 지웁니다", "убрать невидимые символы")
)
