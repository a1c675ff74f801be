package lint

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var controlOctet = &Check{
	Name:     "control-octet",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			for i := range len(l.body) {
				c := l.body[i]
				if c == 0 || !isControl(c) {
					continue
				}
				d := p.report(l.span(i, i+1), textControl, fmt.Sprintf("0x%02X", c))
				if at, ok := l.comment(); ok && i >= at.from || strings.Trim(l.body, "\x1A") == "" || l.Kind == robots.Comment {
					d.Severity = Info
				}
				return
			}
		})
	},
}

var textControl = language.New(
	"control byte %[1]s in the line: no URL has it as it is, so hardly anything matches; remove it",
	"hay un carácter de control %[1]s en la línea: ninguna URL lo contiene tal cual, así que difícilmente coincide algo; quítelo",
	"줄에 제어 문자 %[1]s이(가) 있습니다. 이 문자가 그대로 든 URL은 없으므로 일치하는 것이 거의 없습니다. 지우십시오",
	"управляющий символ %[1]s в строке: в таком виде его нет ни в одном URL, поэтому вряд ли что-нибудь совпадёт; уберите его",
)
