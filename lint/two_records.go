package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var twoRecords = &Check{
	Name:     "two-records",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			i, field := recordIn(l.Value)
			if i < 0 {
				return
			}
			d := p.report(l.within(i, len(l.Value)), textTwoRecords, field)
			first := strings.TrimRight(l.Value[:i], " \t")
			fix := &Fix{Title: p.say(textSplitRecords), Effect: Changes, Safe: first != "" && len(first) < i}
			if first == "" {
				// The previous field has no value: it is a slip.
				fix.Title = p.say(textDropField, l.Field)
				at := l.field()
				at.to = l.within(i, i).from
				fix.Edits = []Edit{at.edit("")}
			} else {
				fix.Edits = []Edit{l.within(len(first), i).edit(l.ending())}
			}
			d.Fix = fix
		}, robots.UserAgent, robots.Allow, robots.Disallow)
	},
}

var (
	textTwoRecords = language.New(
		"\"%[1]s\" stands on the line of another record: robots take it for a part of that value, so it has no effect of its own; write it on a line of its own",
		"«%[1]s» está en la línea de otro registro: los robots lo toman por parte de ese valor, así que no surte efecto; escríbalo en su propia línea",
		"\"%[1]s\"이(가) 다른 레코드와 같은 줄에 있습니다. 로봇은 이를 그 값의 일부로 보므로 효과가 없습니다. 다른 줄에 따로 쓰십시오",
		"«%[1]s» стоит в строке другой записи: роботы считают это частью её значения, и само по себе оно не действует; напишите его в отдельной строке",
	)
	textSplitRecords = language.New(
		"write each record on a line of its own; both take effect",
		"escribir cada registro en su propia línea; ambos empezarán a aplicarse",
		"레코드를 각각 다른 줄에 씁니다. 둘 다 적용됩니다",
		"записать каждую запись в отдельной строке; обе начнут действовать",
	)
	textDropField = language.New(
		"remove \"%[1]s:\" before it; the record takes effect",
		"quitar «%[1]s:» de delante; el registro empezará a aplicarse",
		"앞의 \"%[1]s:\"을(를) 지웁니다. 레코드가 적용됩니다",
		"убрать перед ней «%[1]s:»; запись начнёт действовать",
	)
)
