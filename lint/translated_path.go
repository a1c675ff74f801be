package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var translatedPath = &Check{
	Name:     "translated-path",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueTranslated {
				return
			}
			path := strings.NewReplacer("/ ", "/", " /", "/").Replace(l.Value)
			path = strings.NewReplacer("/ ", "/", " /", "/").Replace(path)
			d := p.report(l.value(), textTranslatedPath)
			if !strings.ContainsAny(path, " \t") && len(path) > 2 && path[0] == '/' && path[1] != '*' {
				d.Fix = &Fix{Title: p.say(textJoinPath, path), Effect: Changes, Edits: []Edit{l.value().edit(path)}}
			}
		})
	},
}

var (
	textTranslatedPath = language.New(
		"there is a blank after a slash, as machine translations put one: the paths of the site have none there, so nothing matches; and a translated path is another path",
		"hay un espacio detrás de una barra, como lo ponen las traducciones automáticas: las rutas del sitio no lo tienen ahí, así que nada coincide; y una ruta traducida es otra ruta",
		"기계 번역에서처럼 슬래시 뒤에 공백이 있습니다. 사이트의 경로에는 그 자리에 공백이 없으므로 아무것도 일치하지 않습니다. 또한 번역된 경로는 다른 경로입니다",
		"после косой черты стоит пробел, как его ставит машинный перевод: в путях сайта его там нет, поэтому ничего не совпадёт; а переведённый путь — это другой путь",
	)
	textJoinPath = language.New(
		"write \"%[1]s\"; the rule takes effect",
		"escribir «%[1]s»; la regla empezará a aplicarse",
		"\"%[1]s\"(으)로 씁니다. 규칙이 적용됩니다",
		"написать «%[1]s»; правило начнёт действовать",
	)
)
