package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var noDisallow = &Check{
	Name:     "no-disallow",
	Severity: Info,
	Profiles: []Profile{Historic},
	run: func(p *pass) {
		var first line // of the user-agent lines of a group
		open, found := false, false
		end := func() {
			if open && !found {
				p.report(first.all(), textNoDisallow)
			}
		}
		group := -1
		p.lines(func(l *line) {
			switch l.Kind {
			case robots.UserAgent:
				if l.Group != group {
					end()
					first, group, open, found = *l, l.Group, true, false
				}
			case robots.Disallow:
				found = true
			}
		}, robots.UserAgent, robots.Disallow)
		p.end(end)
	},
}

var textNoDisallow = language.New(
	"the group has no Disallow: the standard of 1994 asks for one at least in each record, and its readers may drop the group; an empty one closes nothing",
	"el grupo no tiene ningún Disallow: el estándar de 1994 pide al menos uno en cada registro y sus lectores pueden descartar el grupo; uno vacío no cierra nada",
	"그룹에 Disallow가 없습니다. 1994년 표준은 레코드마다 적어도 하나를 요구하므로 이를 따르는 로봇은 그룹을 버릴 수 있습니다. 빈 Disallow는 아무것도 막지 않습니다",
	"в группе нет ни одного Disallow: стандарт 1994 года требует хотя бы один в каждой записи, и его читатели могут отбросить группу; пустой Disallow ничего не закрывает",
)
