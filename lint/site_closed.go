package lint

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
)

var siteClosed = &Check{
	Name:     "site-closed",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		found := make(places)
		searched := false // some search engine may read a part of the site
		closed := make(map[int][]string)
		everyone := 0
		for _, g := range p.named() {
			rule, all := closing(g.Group)
			for _, name := range g.names {
				switch a := p.options.Robots.Named(name); {
				case name == "*" && all:
					everyone = rule.Line
				case !a.Purposes.Has(agent.Search):
				case !all:
					searched = true
				case isMainSearch(a.Token), p.options.Profile == SEO && isLargeSearch(a.Token):
					closed[rule.Line] = append(closed[rule.Line], a.Token)
				}
			}
		}
		for number, names := range closed {
			slices.SortStableFunc(names, mainFirst)
			found[number] = func(l *line) {
				d := p.report(l.all(), textClosedToSearch, strings.Join(names[:min(len(names), maxNamesShown)], ", "))
				if !isMainSearch(names[0]) {
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

// mainFirst sorts robots of search engines: those for which isMainSearch is true come first.
func mainFirst(a, b string) int {
	switch main := isMainSearch(a); {
	case main == isMainSearch(b):
		return 0
	case main:
		return -1
	}
	return 1
}

// isMainSearch reports whether a robot belongs to a search engine that few sites exclude on
// purpose.
func isMainSearch(token string) bool {
	return strings.EqualFold(token, "Googlebot") || strings.EqualFold(token, "bingbot")
}

// largeSearch has the robots of search engines that many people use, at least in one country.
var largeSearch = []string{
	"Applebot", "Baiduspider", "DuckDuckBot", "SeznamBot", "Slurp", "Yandex", "YandexBot", "Yeti",
	"360Spider", "coccocbot", "PetalBot", "Qwantify", "Sogou",
}

func isLargeSearch(token string) bool {
	return slices.ContainsFunc(largeSearch, func(name string) bool { return strings.EqualFold(name, token) })
}

var (
	textClosedToAll = language.New(
		"closes the whole site to all robots that no other group names, search engines among them")
	textClosedToSearch = language.New(
		"closes the whole site to search engines, which then have none of its pages to show: %[1]s")
)
