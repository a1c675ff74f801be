package lint

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
)

var siteClosed = &Check{
	Name:     "site-closed",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		found := make(places)
		searched := false // a search engine may read something
		closed := make(map[int][]string)
		everyone := 0
		for _, g := range p.named() {
			rule, all := closing(g.Group)
			for _, name := range g.names {
				switch a := agent.Named(name); {
				case name == "*" && all:
					everyone = rule.Line
				case !a.Purposes.Has(agent.Search):
				case all:
					closed[rule.Line] = append(closed[rule.Line], a.Token)
				default:
					searched = true
				}
			}
		}
		for number, names := range closed {
			found[number] = func(l *line) {
				d := p.report(l.all(), textClosedToSearch, strings.Join(names[:min(len(names), maxNamesShown)], ", "))
				if !slices.ContainsFunc(names, isMainSearch) {
					d.Severity = Info
				}
			}
		}
		if everyone != 0 {
			found[everyone] = func(l *line) {
				d := p.report(l.all(), textClosedToAll)
				if searched {
					d.Severity = Info
				}
			}
		}
		p.tell(found)
	},
}

// isMainSearch reports whether a robot is of a search engine that few sites mean
// to do without.
func isMainSearch(token string) bool {
	return strings.EqualFold(token, "Googlebot") || strings.EqualFold(token, "bingbot")
}

var (
	textClosedToAll = text{
		"closes the whole site to all robots that no other group names, search engines among them",
		"cierra el sitio entero a todos los robots que ningún otro grupo nombra, también a los buscadores",
		"다른 그룹에 이름이 없는 모든 로봇에게, 검색 엔진까지 포함하여 사이트 전체를 막습니다",
		"закрывает весь сайт для всех роботов, не названных в других группах, в том числе для поисковых систем",
	}
	textClosedToSearch = text{
		"closes the whole site to a search engine, which can then show none of its pages: %[1]s",
		"cierra el sitio entero a un buscador, que entonces no puede mostrar ninguna de sus páginas: %[1]s",
		"검색 엔진에게 사이트 전체를 막으므로 그 검색 엔진은 어떤 페이지도 보여 줄 수 없습니다: %[1]s",
		"закрывает весь сайт для поисковой системы, и она не сможет показать ни одной его страницы: %[1]s",
	}
)
