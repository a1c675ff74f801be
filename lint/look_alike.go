package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var lookAlike = &Check{
	Name:     "look-alike",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if m := l.meant(); m.class == fieldLookAlike {
				d := p.report(m.name, textLookAlikeField, m.field)
				d.Fix = p.renamed(l)
			}
		}, robots.Other, robots.Malformed)
		p.lines(func(l *line) {
			plain := strings.TrimSpace(folded(l.Value))
			if plain == l.Value || plain == "" || !isASCII(plain) {
				return // empty-agent reports invisible names
			}
			d := p.report(l.value(), textLookAlikeAgent, plain)
			if strings.ContainsAny(plain, " '\"") {
				return // even so it is not a product token
			}
			d.Fix = &Fix{Title: p.say(textWriteASCII, plain), Effect: Changes, Safe: true, Edits: []Edit{l.value().edit(plain)}}
		}, robots.UserAgent)
	},
}

var (
	textLookAlikeField = language.New(
		"this looks like \"%[1]s:\", but has other characters that look the same or are not seen: robots do not know the field, and the line has no effect",
		"esto parece «%[1]s:», pero contiene otros caracteres de igual aspecto o invisibles: los robots no reconocen el campo y la línea no tiene efecto",
		"\"%[1]s:\"처럼 보이지만 모양이 같은 다른 문자나 보이지 않는 문자가 섞여 있습니다. 로봇은 이 필드를 알지 못하므로 이 줄은 효과가 없습니다",
		"это похоже на «%[1]s:», но содержит другие символы, одинаковые на вид или невидимые: роботы не знают такого поля, и строка ни на что не влияет",
	)
	textLookAlikeAgent = language.New(
		"this looks like \"%[1]s\", but has other characters that look the same or are not seen: no robot has this name",
		"esto parece «%[1]s», pero contiene otros caracteres de igual aspecto o invisibles: ningún robot tiene este nombre",
		"\"%[1]s\"처럼 보이지만 모양이 같은 다른 문자나 보이지 않는 문자가 섞여 있습니다. 이런 이름의 로봇은 없습니다",
		"это похоже на «%[1]s», но содержит другие символы, одинаковые на вид или невидимые: робота с таким именем нет",
	)
	textWriteASCII = language.New(
		"write \"%[1]s\"; the group is for this robot then",
		"escribir «%[1]s»; el grupo se aplicará a ese robot",
		"\"%[1]s\"(으)로 씁니다. 그룹이 이 로봇에 적용됩니다",
		"написать «%[1]s»; группа станет относиться к этому роботу",
	)
)
