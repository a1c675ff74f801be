package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var severalPaths = &Check{
	Name:     "several-paths",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueList {
				return
			}
			d := p.report(l.value(), textSeveralPaths)
			paths := pathsIn(l.Value)
			d.Fix = &Fix{
				Title:  p.say(textSplitPaths),
				Effect: Changes,
				Safe:   true,
				Edits:  []Edit{l.value().edit(strings.Join(paths, l.ending()+l.Field+": "))},
			}
		})
	},
}

var (
	textSeveralPaths = language.New(
		"a rule has one path: robots take the blanks for a part of it, and no URL has blanks, so nothing matches; write a rule for each",
		"una regla lleva una sola ruta: los robots toman los espacios por parte de ella, y ninguna URL tiene espacios, así que nada coincide; escriba una regla para cada ruta",
		"규칙에는 경로를 하나만 씁니다. 로봇은 공백을 경로의 일부로 보는데 URL에는 공백이 없으므로 아무것도 일치하지 않습니다. 경로마다 규칙을 따로 쓰십시오",
		"в правиле один путь: роботы считают пробелы его частью, а в URL пробелов нет, поэтому ничего не совпадёт; напишите правило для каждого пути",
	)
	textSplitPaths = language.New(
		"write a rule for each path; all take effect",
		"escribir una regla para cada ruta; todas empezarán a aplicarse",
		"경로마다 규칙을 씁니다. 모두 적용됩니다",
		"написать правило для каждого пути; все начнут действовать",
	)
)
