package lint

import "github.com/robotsexclusion/robots"

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

var textEmptyAllow = text{
	"\"Allow:\" without a path asks nothing: it neither allows everything nor nothing; write \"Allow: /\" or \"Disallow: /\"",
	"«Allow:» sin ruta no pide nada: ni permite todo ni nada; escriba «Allow: /» o «Disallow: /»",
	"경로 없는 \"Allow:\"는 아무것도 요구하지 않습니다. 모두 허용하지도, 모두 금지하지도 않습니다. \"Allow: /\"나 \"Disallow: /\"로 쓰십시오",
	"«Allow:» без пути ничего не значит: он не разрешает ни всё, ни ничего; напишите «Allow: /» или «Disallow: /»",
}
