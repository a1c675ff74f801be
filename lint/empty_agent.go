package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var emptyAgent = &Check{
	Name:     "empty-agent",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if strings.TrimSpace(folded(l.Value)) == "" { // empty, or only invisible characters
				p.report(l.all(), textEmptyAgent)
			}
		}, robots.UserAgent)
	},
}

var textEmptyAgent = language.New(
	"the user-agent line names no robot, so its rules are for nobody: write \"*\" for all robots, or a name",
	"la línea User-agent no nombra ningún robot, así que sus reglas no se aplican a nadie: escriba «*» para todos los robots, o un nombre",
	"User-agent 줄에 로봇 이름이 없어 규칙이 어떤 로봇에도 적용되지 않습니다. 모든 로봇을 뜻하는 \"*\"나 로봇 이름을 쓰십시오",
	"в строке User-agent нет имени робота, и её правила ни к кому не относятся: напишите имя или «*» — для всех роботов",
)
