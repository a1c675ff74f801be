package lint

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
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
			grave, hidden := make(map[int]bool), make(map[int]bool)
			for _, path := range openFiles {
				m := everyone.Match(path)
				if m.Allowed || m.Reason != robots.DecidingRule || strings.TrimRight(m.Rule.Pattern, "*$") == path ||
					matchesAll(m.Rule.Pattern) {
					// a rule that names the file is intended; and if everything is closed and no
					// rule opens the file, the file may not exist
					continue
				}
				closed[m.Rule.Line] = append(closed[m.Rule.Line], path)
				grave[m.Rule.Line] = grave[m.Rule.Line] || slices.Contains(sellerFiles, path)
				hidden[m.Rule.Line] = strings.TrimRight(m.Rule.Pattern, "*") == "/."
			}
			for number, paths := range closed {
				if !grave[number] && !hidden[number] && p.options.Profile == Recommended {
					continue
				}
				found[number] = func(l *line) {
					d := p.report(l.all(), textClosedWellKnown, strings.Join(paths[:min(len(paths), maxFilesShown)],
						", "))
					if !grave[number] {
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

const maxFilesShown = 3 // number of files in a message

// openFiles are files for programs of others, which obey robots.txt, or whose owners want the
// files to be found.
var openFiles = append(sellerFiles,
	"/sellers.json",                              // IAB Tech Lab
	"/.well-known/security.txt", "/security.txt", // RFC 9116
	"/.well-known/assetlinks.json", "/.well-known/apple-app-site-association", // RFC 8615
	"/favicon.ico",
)

// sellerFiles list the sellers of a site's advertisements. Buyers obey robots.txt, and buy
// nothing if they may not read the file.
var sellerFiles = []string{"/ads.txt", "/app-ads.txt"}

var (
	textClosedWellKnown = language.New("closes files to everyone that are there for the programs of others: %[1]s")
	textAlwaysOpen      = language.New(
		"robots.txt itself is always allowed (RFC 9309, section 2.2.2): the rule does nothing")
)
