package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var translatedField = &Check{
	Name:     "translated-field",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if m := l.meant(); m.class == fieldTranslated {
				d := p.report(l.field(), textTranslatedField, l.Field, m.field)
				d.Fix = p.renamed(l)
			}
		}, robots.Other)
	},
}

var textTranslatedField = language.New(
	"\"%[1]s\" is a translation of \"%[2]s\": robots know the English name only, and the line has no effect",
	"«%[1]s» es una traducción de «%[2]s»: los robots solo reconocen el nombre en inglés y la línea no tiene efecto",
	"\"%[1]s\"은(는) \"%[2]s\"을(를) 번역한 말입니다. 로봇은 영어 이름만 알므로 이 줄은 효과가 없습니다",
	"«%[1]s» — это перевод слова «%[2]s»: роботы знают только английское название, и строка ни на что не влияет",
)
