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
			if name == "" || strings.Contains(name, "*") || len(name) > maxAgentName || !generic &&
				p.options.Profile != Historic {
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
		"no robot is called \"%[1]s\": robots that follow rfc9309 or Google compare whole names and skip this group; those that follow the documents of 1994 and 1996 take it for the group of all whose name contains it, %[2]d known ones, such as %[3]s")
	textBroadName = language.New(
		"in the documents of 1994 and 1996 a group is for all robots whose name contains its name: \"%[1]s\" is also for %[2]d other known robots, such as %[3]s")
)
