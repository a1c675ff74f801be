package lint

import (
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/language"
)

var caseDiffers = &Check{
	Name:     "case-differs",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		type rule struct {
			value string
			line  int
		}
		group, seen := -1, map[string]rule(nil)
		p.rules(func(l *line) {
			if l.Group != group {
				group, seen = l.Group, make(map[string]rule)
			}
			if l.Value == "" {
				return
			}
			lower := strings.ToLower(l.Value)
			if !utf8.ValidString(l.Value) {
				lower = lowerASCII(l.Value) // otherwise all bytes that are not UTF-8 would be equal
			}
			first, ok := seen[lower]
			if !ok && len(seen) < maxRemembered {
				seen[lower] = rule{l.Value, l.Number}
			}
			if ok && upperEscapes(first.value) != upperEscapes(l.Value) {
				d := p.report(l.value(), textCaseDiffers, first.line)
				d.Related = []Related{p.related(first.line, textOtherCase)}
			}
		})
	},
}

// upperEscapes returns a pattern with its percent-encoding in upper case, because robots
// compare hex digits in any case.
func upperEscapes(value string) string {
	if !strings.Contains(value, "%") {
		return value
	}
	b := []byte(value)
	for i := range b {
		if isEscape(value[i:]) {
			copy(b[i:], strings.ToUpper(value[i:i+3]))
		}
	}
	return string(b)
}

var (
	textCaseDiffers = language.New(
		"the pattern differs from that of line %[1]d in case only: paths are case-sensitive, and both are needed if the server is not",
		"el patrón solo se distingue del de la línea %[1]d por las mayúsculas: las rutas distinguen mayúsculas y minúsculas, y hacen falta ambos si el servidor no lo hace",
		"%[1]d번째 줄의 패턴과 대소문자만 다릅니다. 경로는 대소문자를 구분하므로, 서버가 구분하지 않는다면 둘 다 필요합니다",
		"шаблон отличается от шаблона в строке %[1]d только регистром: регистр в путях важен, и если сервер его не различает, нужны оба",
	)
	textOtherCase = language.New("the other pattern", "el otro patrón", "다른 패턴", "другой шаблон")
)
