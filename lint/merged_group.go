package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof/pathset"
)

var mergedGroup = &Check{
	Name:     "merged-group",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		m := &agentTracker{pass: p, asked: -1}
		p.lines(m.read)
	},
}

// An agentTracker tracks the user-agent lines of one group.
type agentTracker struct {
	*pass
	groups []*robots.Group
	first  string // the name of the first user-agent line of the group
	group  int
	record string // a field between user-agent lines, if there is one
	number int    // number of the separating line: the record, or otherwise a blank line

	asked   int // the group with the closed path witness, if it closes one
	witness string
}

func (m *agentTracker) read(l *line) {
	switch l.Kind {
	case robots.UserAgent:
		if m.first == "" || l.Group != m.group {
			m.first, m.group, m.number, m.record = l.Value, l.Group, 0, ""
			return
		}
		if m.number != 0 && !strings.EqualFold(m.first, l.Value) {
			m.judge(l)
		}
		m.number, m.record = 0, ""
	case robots.Blank:
		if m.first != "" && m.number == 0 {
			m.number = l.Number
		}
	case robots.Other, robots.Malformed:
		if m.first != "" && m.record == "" {
			m.number, m.record = l.Number, strings.TrimSpace(l.body)
		}
	case robots.Allow, robots.Disallow:
		m.first = ""
	}
}

// judge reports a user-agent line that joins a group, if the group then closes a path to the
// previous robot.
func (m *agentTracker) judge(l *line) {
	if m.asked != l.Group {
		if m.groups == nil {
			m.groups = m.policy.Groups()
		}
		m.asked = l.Group
		m.witness, _, _ = pathset.Allowed(m.groups[l.Group]).Complement().Example(searchStates)
	}
	if m.witness == "" || m.policy.For(m.first).Allowed(anySite+m.witness) {
		return
	}
	if m.record == "" {
		if m.losesSite() {
			m.report(l.all(), textLosesSite, m.first)
			return
		}
		m.report(l.all(), textJoinedByBlank, m.first, m.witness).Severity = Info
		return
	}
	d := m.report(l.all(), textJoinedByRecord, m.number, m.first, m.witness)
	d.Related = []Related{m.related(m.number, textEndsNothing)}
}

// losesSite reports whether the robot before a blank line may not read anything.
func (m *agentTracker) losesSite() bool {
	_, closed := closing(m.policy.For(m.first))
	return closed
}

var (
	textLosesSite = language.New(
		"joins the group above, as a blank line ends none today: the whole site is closed to %[1]s; write \"Disallow:\" below \"User-agent: %[1]s\" if the site is to be open, or remove the blank line if it is not",
		"se une al grupo de arriba, pues hoy una línea en blanco no termina ninguno: el sitio entero está cerrado a %[1]s; escriba «Disallow:» debajo de «User-agent: %[1]s» si ha de estar abierto, o quite la línea en blanco si no",
		"오늘날 빈 줄은 그룹을 끝내지 않으므로 이 줄은 위 그룹에 합쳐집니다. 사이트 전체가 %[1]s에게 막혀 있습니다. 열어 두려면 \"User-agent: %[1]s\" 아래에 \"Disallow:\"를 쓰고, 막으려면 빈 줄을 지우십시오",
		"присоединяется к группе выше, так как пустая строка сегодня её не завершает: для %[1]s закрыт весь сайт; если он должен быть открыт, напишите «Disallow:» под «User-agent: %[1]s», если нет — уберите пустую строку",
	)
	textJoinedByRecord = language.New(
		"joins the group above, as line %[1]d is no rule and ends none: the rules below are for %[2]s too, which may not fetch %[3]s",
		"se une al grupo de arriba, pues la línea %[1]d no es una regla y no termina ninguno: las reglas de abajo valen también para %[2]s, que no puede rastrear %[3]s",
		"%[1]d번째 줄은 규칙이 아니어서 그룹을 끝내지 않으므로 이 줄은 위 그룹에 합쳐집니다. 아래 규칙이 %[2]s에도 적용되어 %[3]s을(를) 수집할 수 없습니다",
		"присоединяется к группе выше, так как строка %[1]d — не правило и не завершает её: правила ниже действуют и для %[2]s, которому закрыт путь %[3]s",
	)
	textJoinedByBlank = language.New(
		"joins the group above, as a blank line ends none today: %[1]s may not fetch %[2]s; after the documents of 1994 and 1996 it may",
		"se une al grupo de arriba, pues hoy una línea en blanco no termina ninguno: %[1]s no puede rastrear %[2]s; según los documentos de 1994 y 1996 sí puede",
		"오늘날 빈 줄은 그룹을 끝내지 않으므로 이 줄은 위 그룹에 합쳐집니다. %[1]s은(는) %[2]s을(를) 수집할 수 없지만, 1994년과 1996년 문서에 따르면 수집할 수 있습니다",
		"присоединяется к группе выше, так как пустая строка сегодня её не завершает: для %[1]s закрыт путь %[2]s; по документам 1994 и 1996 годов он открыт",
	)
	textEndsNothing = language.New("this line ends no group", "esta línea no termina ningún grupo", "이 줄은 그룹을 끝내지 않습니다", "эта строка не завершает группу")
)
