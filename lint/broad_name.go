package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
)

var broadName = &Check{
	Name:     "broad-name",
	Severity: Warning,
	Profiles: []Profile{Recommended, Strict, Historic},
	run: func(p *pass) {
		asked := make(map[string][]string)
		p.lines(func(l *line) {
			name := strings.ToLower(l.Value)
			generic := genericNames[name]
			if name == "" || strings.Contains(name, "*") || len(name) > maxAgentName || !generic && p.options.Profile != Historic {
				return
			}
			others, ok := asked[name]
			if !ok && len(asked) < maxRobots {
				others = p.namesWith(name)
				asked[name] = others
			}
			if len(others) == 0 {
				return
			}
			shown := strings.Join(others[:min(len(others), 3)], ", ")
			switch {
			case generic && !p.knows(l.Value):
				p.report(l.value(), textGenericName, l.Value, len(others), shown)
			case p.options.Profile == Historic:
				p.report(l.value(), textBroadName, l.Value, len(others), shown).Severity = Info
			}
		}, robots.UserAgent)
	},
}

// genericNames are words for robots that are a part of many names.
var genericNames = map[string]bool{
	"bot": true, "bots": true, "robot": true, "robots": true, "crawl": true, "crawler": true, "crawlers": true,
	"spider": true, "spiders": true, "agent": true, "scraper": true, "ai": true,
}

// namesWith returns the known robots whose name contains a text in lower case and is longer
// than it, those of search engines first.
func (p *pass) namesWith(text string) (names []string) {
	for _, of := range p.agentTokens() {
		if lower := strings.ToLower(of.token); lower != text && strings.Contains(lower, text) {
			names = append(names, of.token)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(p.fame(a), p.fame(b)) })
	return names
}

// fame sorts robots for a message: those of search engines come first.
func (p *pass) fame(name string) int {
	switch {
	case isMainSearch(name):
		return 0
	case p.options.Robots.Named(name).Purposes.Has(agent.Search):
		return 1
	}
	return 2
}

var (
	textGenericName = language.New(
		"no robot is called \"%[1]s\": robots that follow rfc9309 or Google compare whole names and skip this group; those that follow the documents of 1994 and 1996 take it for the group of all whose name contains it, %[2]d known ones, such as %[3]s",
		"ningún robot se llama «%[1]s»: los robots que siguen rfc9309 o a Google comparan nombres enteros y pasan por alto este grupo; los que siguen los documentos de 1994 y 1996 lo aplican a todos los que lo llevan en el nombre, %[2]d conocidos, como %[3]s",
		"\"%[1]s\"이라는 이름의 로봇은 없습니다. rfc9309나 Google을 따르는 로봇은 이름 전체를 비교하므로 이 그룹을 건너뜁니다. 1994년과 1996년 문서를 따르는 로봇은 이름에 이 글자가 들어 있는 모든 로봇의 그룹으로 봅니다. 알려진 것만 %[2]d개이며, 예를 들어 %[3]s입니다",
		"робота по имени «%[1]s» нет: роботы, следующие rfc9309 или Google, сравнивают имена целиком и пропускают эту группу; те, что следуют документам 1994 и 1996 годов, относят её ко всем, в чьём имени есть это слово, — из известных их %[2]d, например %[3]s",
	)
	textBroadName = language.New(
		"in the documents of 1994 and 1996 a group is for all robots whose name contains its name: \"%[1]s\" is also for %[2]d other known robots, such as %[3]s",
		"según los documentos de 1994 y 1996, un grupo vale para todos los robots cuyo nombre contiene el suyo: «%[1]s» vale también para otros %[2]d robots conocidos, como %[3]s",
		"1994년과 1996년 문서에서는 그룹의 이름이 들어 있는 이름을 가진 모든 로봇에 그룹이 적용됩니다. \"%[1]s\"은(는) 알려진 다른 로봇 %[2]d개에도 적용됩니다. 예를 들어 %[3]s입니다",
		"по документам 1994 и 1996 годов группа относится ко всем роботам, в имени которых есть её имя: «%[1]s» — это ещё и другие известные роботы, всего %[2]d, например %[3]s",
	)
)
