package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
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
				// The field before it has no value: it is a slip of the hand.
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
	textTwoRecords = text{
		"\"%[1]s\" stands on the line of another record: robots take it for a part of that value, so neither does what it says",
		"«%[1]s» está en la línea de otro registro: los robots lo toman por parte de ese valor, y ninguno de los dos hace lo que dice",
		"\"%[1]s\"이(가) 다른 레코드의 줄에 있습니다. 로봇은 이를 그 값의 일부로 보므로 둘 다 뜻대로 되지 않습니다",
		"«%[1]s» стоит в строке другой записи: роботы считают это частью её значения, и обе не делают того, что говорят",
	}
	textSplitRecords = text{
		"write each record on a line of its own; both take effect",
		"escribir cada registro en su propia línea; ambos entran en vigor",
		"레코드를 각각 다른 줄에 씁니다. 둘 다 효력을 갖습니다",
		"записать каждую запись в отдельной строке; обе начнут действовать",
	}
	textDropField = text{
		"remove \"%[1]s:\" before it; the record takes effect",
		"quitar «%[1]s:» delante; el registro entra en vigor",
		"앞의 \"%[1]s:\"을(를) 지웁니다. 레코드가 효력을 갖습니다",
		"убрать перед ней «%[1]s:»; запись начнёт действовать",
	}
)
