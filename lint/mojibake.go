package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var mojibake = &Check{
	Name:     "mojibake",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if m := l.meant(); m.class == fieldMojibake {
				d := p.report(l.field(), textMojibake, m.field)
				d.Fix = p.renamed(l)
			}
		}, robots.Other)
		p.lines(func(l *line) {
			if at := l.mojibake(); at.to > at.from {
				d := p.report(at, textMojibakeLine)
				d.Severity = Info
				d.Fix = &Fix{Title: p.say(textDropMark), Safe: true, Edits: []Edit{at.edit("")}}
			}
		}, robots.Malformed)
	},
}

// mojibake returns the place of a mark that is alone on its line, except for blanks and a
// comment.
func (l *line) mojibake() span {
	at := l.all()
	if c, ok := l.comment(); ok {
		at.to = c.from
	}
	if rest, ok := afterMojibake(strings.TrimRight(l.body[at.from:at.to], " \t")); !ok || rest != "" {
		at.to = at.from
	}
	return at
}

var (
	textMojibake = language.New(
		"a byte order mark, or an invisible character, that was read in a wrong encoding stands by \"%[1]s\": robots do not know the field, and the line has no effect",
		"junto a «%[1]s» hay una marca de orden de bytes, o un carácter invisible, leída con una codificación equivocada: los robots no reconocen el campo y la línea no tiene efecto",
		"\"%[1]s\" 옆에 잘못된 인코딩으로 읽힌 바이트 순서 표시나 보이지 않는 문자가 있습니다. 로봇은 이 필드를 알지 못하므로 이 줄은 효과가 없습니다",
		"рядом с «%[1]s» стоит метка порядка байтов или невидимый символ, прочитанные в неверной кодировке: роботы не знают такого поля, и строка ни на что не влияет",
	)
	textMojibakeLine = language.New(
		"this is a byte order mark that was read in a wrong encoding; it is harmless here, but would break a record that stood right behind it",
		"esto es una marca de orden de bytes leída con una codificación equivocada; aquí es inofensiva, pero estropearía un registro que viniera justo detrás",
		"잘못된 인코딩으로 읽힌 바이트 순서 표시입니다. 여기서는 해가 없지만 바로 뒤에 레코드가 있으면 그 레코드를 망칩니다",
		"это метка порядка байтов, прочитанная в неверной кодировке; здесь она безвредна, но испортила бы запись, стоящую сразу за ней",
	)
)
