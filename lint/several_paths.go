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
			message, paths := textSeveralPaths, pathsIn(l.Value)
			joined := paths == nil
			if joined {
				message, paths = textJoinedPaths, joinedPaths(l.Value)
			}
			d := p.report(l.value(), message)
			if joined {
				d.Severity = Warning
			}
			d.Fix = &Fix{
				Title:  p.say(textSplitPaths),
				Effect: Changes,
				Safe:   !joined, // a URL cannot contain blanks, but it can contain semicolons and commas
				Edits:  []Edit{l.value().edit(strings.Join(paths, l.ending()+l.Field+": "))},
			}
		})
	},
}

var (
	textSeveralPaths = language.New(
		"a rule has one path: robots take the blanks for a part of it, and the paths of the site have none, so nothing matches; write a rule for each",
		"una regla lleva una sola ruta: los robots toman los espacios por parte de ella, y las rutas del sitio no los tienen, así que nada coincide; escriba una regla para cada ruta",
		"규칙에는 경로를 하나만 씁니다. 로봇은 공백을 경로의 일부로 보는데 사이트의 경로에는 공백이 없으므로 아무것도 일치하지 않습니다. 경로마다 규칙을 따로 쓰십시오",
		"в правиле один путь: роботы считают пробелы его частью, а в путях сайта пробелов нет, поэтому ничего не совпадёт; напишите правило для каждого пути",
	)
	textJoinedPaths = language.New(
		"a rule has one path: robots take the semicolons or commas for a part of it; if these are several paths, write a rule for each",
		"una regla lleva una sola ruta: los robots toman los puntos y comas o las comas por parte de ella; si son varias rutas, escriba una regla para cada una",
		"규칙에는 경로를 하나만 씁니다. 로봇은 세미콜론이나 쉼표를 경로의 일부로 봅니다. 여러 경로라면 경로마다 규칙을 따로 쓰십시오",
		"в правиле один путь: роботы считают точки с запятой или запятые его частью; если путей несколько, напишите правило для каждого",
	)
	textSplitPaths = language.New(
		"write a rule for each path; all take effect",
		"escribir una regla para cada ruta; todas empezarán a aplicarse",
		"경로마다 규칙을 씁니다. 모두 적용됩니다",
		"написать правило для каждого пути; все начнут действовать",
	)
)
