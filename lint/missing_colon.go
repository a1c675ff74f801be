package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var missingColon = &Check{
	Name:     "missing-colon",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			m := l.meant()
			if m.class != fieldNoColon {
				return
			}
			message := textMissingColon
			if googleReads(l.body) {
				message = textMissingColonGoogle
			}
			d := p.report(m.name, message, m.field)
			d.Fix = p.renamed(l)
			d.Fix.Title = p.say(textAddColon, m.field)
		}, robots.Malformed, robots.Other)
	},
}

var (
	textAddColon = language.New(
		"write \"%[1]s:\"; the record takes effect",
		"escribir «%[1]s:»; el registro empezará a aplicarse",
		"\"%[1]s:\"(으)로 씁니다. 레코드가 적용됩니다",
		"написать «%[1]s:»; запись начнёт действовать",
	)
	textMissingColon = language.New(
		"no colon stands after \"%[1]s\": the line has no effect",
		"faltan los dos puntos después de «%[1]s»: la línea no tiene efecto",
		"\"%[1]s\" 뒤에 콜론이 없습니다. 이 줄은 효과가 없습니다",
		"после «%[1]s» нет двоеточия: строка ни на что не влияет",
	)
	textMissingColonGoogle = language.New(
		"no colon stands after \"%[1]s\": Google guesses it, but for most other robots the line has no effect",
		"faltan los dos puntos después de «%[1]s»: Google los adivina, pero para la mayoría de los demás robots la línea no tiene efecto",
		"\"%[1]s\" 뒤에 콜론이 없습니다. Google은 짐작해서 읽지만 다른 로봇에게는 대개 효과가 없습니다",
		"после «%[1]s» нет двоеточия: Google о нём догадается, но для большинства других роботов строка ничего не значит",
	)
)
