package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var doubleEncoded = &Check{
	Name:     "double-encoded",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			for at := 0; ; {
				i := strings.Index(l.Value[at:], "%25")
				if i < 0 {
					return
				}
				i += at
				at = i + 3
				if i > 0 && l.Value[i-1] == '*' {
					continue // "/*%2525" matches URLs that are encoded too often
				}
				if at+2 <= len(l.Value) && isHex(l.Value[at]) && isHex(l.Value[at+1]) {
					p.report(l.within(i, at+2), textDoubleEncoded, l.Value[i:at+2], "%"+l.Value[at:at+2])
					return
				}
			}
		})
	},
}

var textDoubleEncoded = language.New(
	"%[1]s is encoded twice: it matches a URL that has %[1]s, not one that has %[2]s",
	"%[1]s está codificado dos veces: coincide con una URL que contiene %[1]s, no con una que contiene %[2]s",
	"%[1]s은(는) 두 번 인코딩되었습니다. %[2]s이(가) 아니라 %[1]s이(가) 들어 있는 URL과 일치합니다",
	"%[1]s закодировано дважды: совпадёт URL, в котором есть %[1]s, а не тот, в котором %[2]s",
)
