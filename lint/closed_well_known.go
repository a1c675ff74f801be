package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

var closedWellKnown = &Check{
	Name:     "closed-well-known",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		found := make(places)
		everyone := p.policy.For("*")
		if _, all := closing(everyone); !all {
			closed := make(map[int][]string)
			listed := make(map[int]bool) // the rule closes all that no other rule opens
			for _, path := range openFiles {
				if m := everyone.Match(path); !m.Allowed && m.Reason == robots.DecidingRule {
					closed[m.Rule.Line] = append(closed[m.Rule.Line], path)
					listed[m.Rule.Line] = matchesAll(m.Rule.Pattern)
				}
			}
			for number, paths := range closed {
				found[number] = func(l *line) {
					d := p.report(l.all(), textClosedWellKnown, strings.Join(paths[:min(len(paths), maxFilesShown)], ", "))
					if listed[number] || len(paths) == 1 && paths[0] == favicon {
						d.Severity = Info
					}
				}
			}
		}
		p.lines(func(l *line) {
			if strings.HasPrefix(l.Value, "/robots.txt") {
				p.report(l.all(), textAlwaysOpen).Severity = Info
			}
		}, robots.Disallow)
		p.tell(found)
	},
}

const (
	favicon       = "/favicon.ico"
	maxFilesShown = 3 // how many files a message names
)

// openFiles are files that are for programs of others, which ask robots.txt or
// whose owners want them found.
var openFiles = []string{
	"/ads.txt", "/app-ads.txt", "/sellers.json", // IAB Tech Lab
	"/.well-known/security.txt", "/security.txt", // RFC 9116
	"/.well-known/assetlinks.json", "/.well-known/apple-app-site-association", // RFC 8615
	favicon,
}

var (
	textClosedWellKnown = text{
		"closes files to everyone that are there for the programs of others: %[1]s",
		"cierra a todos archivos que están ahí para los programas de otros: %[1]s",
		"다른 이들의 프로그램을 위한 파일을 모두에게 막습니다: %[1]s",
		"закрывает для всех файлы, предназначенные для чужих программ: %[1]s",
	}
	textAlwaysOpen = text{
		"robots.txt itself is always allowed (RFC 9309, section 2.2.2): the rule does nothing",
		"el propio robots.txt siempre está permitido (RFC 9309, sección 2.2.2): la regla no hace nada",
		"robots.txt 자체는 항상 허용됩니다 (RFC 9309, 2.2.2절). 이 규칙은 아무 일도 하지 않습니다",
		"сам robots.txt всегда разрешён (RFC 9309, раздел 2.2.2): правило ничего не делает",
	}
)
