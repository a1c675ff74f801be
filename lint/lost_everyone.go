package lint

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/pathset"
)

var lostEveryone = &Check{
	Name:     "lost-everyone",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		everyone := p.policy.For("*")
		if _, all := closing(everyone); all || everyone.Token() != "*" {
			return // that some robots may read what is closed to all others is meant
		}
		closed := make(map[string]bool)
		for rule := range everyone.Rules() {
			if !rule.Allow {
				closed[rule.Pattern] = true
			}
		}
		if len(closed) == 0 {
			return
		}
		forbidden := pathset.Allowed(everyone).Complement()
		found := make(places)
		asked := 0
		for _, g := range p.named() {
			names := slices.DeleteFunc(g.names, func(name string) bool {
				return strings.Contains(name, "*") || strings.EqualFold(name, "Mozilla") || !agent.Named(name).Everyone()
			})
			if len(names) == 0 || asked == maxLost || !losesAll(g.Group, closed) {
				continue
			}
			asked++
			witness, ok, _ := pathset.Allowed(g.Group).Intersect(forbidden).Example(searchStates)
			if !ok {
				continue
			}
			rule := everyone.Match(witness).Rule
			opened := saysOpen(p.policy, g.Group)
			found[g.Line()] = func(l *line) {
				d := p.report(l.all(), textLostEveryone, strings.Join(names[:min(len(names), maxNamesShown)], ", "), witness, rule.Line)
				d.Related = []Related{p.related(rule.Line, textNotForThem)}
				if opened {
					d.Severity = Info
				}
			}
		}
		p.tell(found)
	},
}

// maxLost is how many groups are held against that for everyone, and maxOwnRules
// how many rules a group may have to be thought an addition to it.
const (
	maxLost     = 200
	maxOwnRules = 2
)

// losesAll reports whether a group has few rules, and none of those that close a
// path to everyone.
func losesAll(g *robots.Group, closed map[string]bool) bool {
	n := 0
	for rule := range g.Rules() {
		if n++; n > maxOwnRules || !rule.Allow && (closed[rule.Pattern] || matchesAll(rule.Pattern)) {
			return false
		}
	}
	return true
}

// saysOpen reports whether a group says that all is open: "Allow: /", or an empty
// Disallow.
func saysOpen(p *robots.Policy, g *robots.Group) bool {
	n := 0
	for rule := range g.Rules() {
		if rule.Allow && matchesAll(rule.Pattern) {
			return true
		}
		n++
	}
	return n == 0 && len(g.Records("crawl-delay", "request-rate", "visit-time")) == 0
}

var (
	textLostEveryone = text{
		"loses all rules of the group for everyone, as a robot obeys one group only: %[1]s may fetch %[2]s, which line %[3]d closes to all others",
		"pierde todas las reglas del grupo para todos, pues un robot obedece un solo grupo: %[1]s puede leer %[2]s, que la línea %[3]d cierra a los demás",
		"로봇은 한 그룹만 따르므로 모두를 위한 그룹의 규칙을 모두 잃습니다. %[3]d번째 줄이 다른 로봇에게 막는 %[2]s을(를) %[1]s은(는) 가져갈 수 있습니다",
		"теряет все правила группы для всех, так как робот подчиняется только одной группе: для %[1]s открыт %[2]s, который строка %[3]d закрывает остальным",
	}
	textNotForThem = text{"this rule is not for them", "esta regla no es para ellos", "이 규칙은 그들에게 적용되지 않습니다", "это правило не для них"}
)
