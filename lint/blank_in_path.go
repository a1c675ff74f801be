package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var blankInPath = &Check{
	Name:     "blank-in-path",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueBlank {
				return
			}
			i := strings.IndexAny(l.Value, " \t")
			d := p.report(l.within(i, i+1), textBlankInPath)
			path := strings.NewReplacer(" ", "%20", "\t", "%20").Replace(l.Value)
			d.Fix = &Fix{Title: p.say(textEncodeBlanks), Effect: Changes, Edits: []Edit{l.value().edit(path)}}
		})
	},
}

var (
	textBlankInPath = language.New(
		"there is a blank in the pattern: Google's parser finds no URL that matches, others read %%20; write %%20 for a blank, or \"#\" before a comment",
		"hay un espacio en el patrón: para el analizador de Google ninguna URL coincide, otros leen %%20; escriba %%20 en lugar del espacio, o «#» delante de un comentario",
		"패턴에 공백이 있습니다. Google의 파서에는 일치하는 URL이 없고, 다른 파서는 공백을 %%20으로 읽습니다. 공백은 %%20으로 쓰고, 주석이면 앞에 \"#\"을 쓰십시오",
		"в шаблоне есть пробел: для парсера Google ни один URL не совпадёт, другие читают %%20; пишите %%20 вместо пробела, а перед комментарием ставьте «#»",
	)
	textEncodeBlanks = language.New(
		"write %%20 for the blanks; the rule takes effect for Google too",
		"escribir %%20 en lugar de los espacios; la regla valdrá también para Google",
		"공백을 %%20으로 씁니다. 규칙이 Google에도 적용됩니다",
		"записать пробелы как %%20; правило начнёт действовать и для Google",
	)
)
