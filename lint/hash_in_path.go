package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

var hashInPath = &Check{
	Name:     "hash-in-path",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			at, ok := l.comment()
			if !ok || l.Value == "" || at.from == 0 || strings.IndexByte(" \t", l.body[at.from-1]) >= 0 {
				return
			}
			rest := l.body[at.from+1:]
			d := p.report(at, textHashInPath, l.Value)
			// "Disallow: /#!" closes the whole site. What is spaced as a comment, or
			// follows a slash that closes no more than a folder, may be meant so.
			if l.Value != "/" || l.Kind != robots.Disallow || !isFragment(rest) {
				d.Severity = Warning
			}
		})
	},
}

// isFragment reports whether what follows "#" is a fragment of a URL: it starts
// without a blank, and with a sign of one.
func isFragment(s string) bool {
	return s != "" && strings.IndexByte("!/*?", s[0]) >= 0
}

var textHashInPath = text{
	"\"#\" starts a comment, also within a path: robots read the pattern as \"%[1]s\"; they never ask for a fragment, and write %%23 for a \"#\" that is one of the path",
	"«#» empieza un comentario también dentro de una ruta: los robots leen el patrón «%[1]s»; nunca piden un fragmento, y un «#» que es de la ruta se escribe %%23",
	"\"#\"은 경로 안에서도 주석을 시작합니다. 로봇은 패턴을 \"%[1]s\"(으)로 읽습니다. 로봇은 조각을 요청하지 않으며, 경로의 \"#\"은 %%23으로 씁니다",
	"«#» начинает комментарий и внутри пути: роботы читают шаблон как «%[1]s»; фрагментов они не запрашивают, а «#» самого пути пишут как %%23",
}
