package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var misplacedDollar = &Check{
	Name:     "misplaced-dollar",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			i := strings.IndexByte(l.Value, '$')
			if i < 0 || i == len(l.Value)-1 || classOf(l.Value) != valueFine || looksLikeRegexp(l.Value) >= 0 {
				return
			}
			// A "$" at the start of a name, as in "/$FILE/" and "/$*", is a part of the path.
			if c := l.Value[i+1]; i > 0 && l.Value[i-1] == '/' || c == '_' || c == '(' || 'a' <= c|0x20 && c|0x20 <= 'z' {
				return
			}
			p.report(l.within(i, i+1), textMisplacedDollar)
		})
	},
}

var textMisplacedDollar = language.New(
	"\"$\" stands for the end only where it is the last byte: here it is a dollar sign that the URL must have",
	"«$» significa el final solo si es el último carácter: aquí es un signo de dólar que la URL debe tener",
	"\"$\"는 마지막 문자일 때만 끝을 뜻합니다. 여기서는 URL에 있어야 하는 달러 기호입니다",
	"«$» означает конец, только если это последний символ: здесь это знак доллара, который должен быть в URL",
)
