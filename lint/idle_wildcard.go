package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var idleWildcard = &Check{
	Name:     "idle-wildcard",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		p.rules(func(l *line) {
			switch v := l.Value; {
			case len(v) > 2 && strings.HasSuffix(v, "*$"):
				p.report(l.within(len(v)-2, len(v)), textIdleEnd)
			case len(v) > 2 && strings.HasSuffix(v, "*"):
				p.report(l.within(len(v)-1, len(v)), textIdleStar)
			}
		})
	},
}

var (
	textIdleStar = language.New(
		"\"*\" at the end changes nothing but the length of the pattern: a pattern without \"$\" matches whatever follows anyway",
		"«*» al final solo cambia la longitud del patrón: sin «$», un patrón coincide igualmente con lo que siga",
		"끝의 \"*\"는 패턴의 길이만 바꿉니다. \"$\"가 없는 패턴은 어차피 뒤에 무엇이 오든 일치합니다",
		"«*» в конце меняет только длину шаблона: без «$» он и так совпадает с любым продолжением",
	)
	textIdleEnd = language.New(
		"\"*$\" at the end changes nothing but the length of the pattern: anything, and then the end, is anything",
		"«*$» al final solo cambia la longitud del patrón: cualquier cosa seguida del final es cualquier cosa",
		"끝의 \"*$\"는 패턴의 길이만 바꿉니다. 무엇이든 온 다음에 끝나는 것은 결국 무엇이든 되는 것과 같습니다",
		"«*$» в конце меняет только длину шаблона: «что угодно, а затем конец» — это и есть что угодно",
	)
)
