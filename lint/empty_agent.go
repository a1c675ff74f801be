package lint

import "github.com/robotsexclusion/robots"

var emptyAgent = &Check{
	Name:     "empty-agent",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if l.Value == "" {
				p.report(l.all(), textEmptyAgent)
			}
		}, robots.UserAgent)
	},
}

var textEmptyAgent = text{
	"the user-agent line names no robot, so its rules are for nobody: write \"*\" for all robots, or a name",
	"la línea User-agent no nombra ningún robot, así que sus reglas no son para nadie: escriba «*» para todos los robots, o un nombre",
	"User-agent 줄에 로봇 이름이 없어 규칙이 누구에게도 적용되지 않습니다. 모든 로봇이면 \"*\"를, 아니면 이름을 쓰십시오",
	"строка User-agent не называет робота, и её правила ни к кому не относятся: напишите «*» для всех роботов или имя",
}
