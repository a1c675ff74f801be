package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var emptyAllow = &Check{
	Name:     "empty-allow",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if l.Value == "" {
				p.report(l.all(), textEmptyAllow)
			}
		}, robots.Allow)
	},
}

var textEmptyAllow = language.New(
	"\"Allow:\" without a path is no rule: it opens nothing and closes nothing; write \"Allow: /\" to open the whole site, or remove the line",
	"«Allow:» sin ruta no es ninguna regla: ni abre ni cierra nada; escriba «Allow: /» para abrir todo el sitio, o quite la línea",
	"경로 없는 \"Allow:\"는 규칙이 아닙니다. 아무것도 허용하거나 차단하지 않습니다. 사이트 전체를 허용하려면 \"Allow: /\"로 쓰고, 아니면 줄을 지우십시오",
	"«Allow:» без пути — не правило: он ничего не открывает и не закрывает; напишите «Allow: /», чтобы открыть весь сайт, или уберите строку",
)
