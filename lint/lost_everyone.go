package lint

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof/pathset"
)

var lostEveryone = &Check{
	Name:     "lost-everyone",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		everyone := p.policy.For("*")
		if _, all := closing(everyone); all || everyone.Token() != "*" {
			return // it is intended that some robots may read paths that are closed to all others
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
		explicit := emptyDisallows(p.policy)
		asked := 0
		for _, g := range p.named() {
			names := slices.DeleteFunc(g.names, func(name string) bool {
				return strings.Contains(name, "*") || strings.EqualFold(name, "Mozilla") ||
					!p.options.Robots.Named(name).Everyone()
			})
			if len(names) == 0 || asked == maxLost || !losesAll(g.Group, closed) {
				continue
			}
			asked++
			witness, ok, _ := pathset.Allowed(g.Group).Intersect(forbidden).Example(searchStates)
			if !ok {
				continue
			}
			m := everyone.Match(anySite + witness)
			if m.Reason != robots.DecidingRule {
				continue
			}
			rule, opened := m.Rule, saysOpen(g.Group, explicit)
			found[g.Line()] = func(l *line) {
				d := p.report(l.all(), textLostEveryone, strings.Join(names[:min(len(names), maxNamesShown)], ", "),
					witness, rule.Line)
				d.Related = []Related{p.related(rule.Line, textNotForThem)}
				if opened {
					d.Severity = Info
				}
			}
		}
		p.tell(found)
	},
}

// maxLost is the maximum number of groups that are compared with the group for everyone, and
// maxOwnRules the maximum number of rules of a group that may be meant as an addition to it.
const (
	maxLost     = 200
	maxOwnRules = 2
)

// losesAll reports whether a group has few rules, and none of the rules that close a path to
// everyone.
func losesAll(g *robots.Group, closed map[string]bool) bool {
	n := 0
	for rule := range g.Rules() {
		if n++; n > maxOwnRules || !rule.Allow && (closed[rule.Pattern] || matchesAll(rule.Pattern)) {
			return false
		}
	}
	return true
}

// saysOpen reports whether a group explicitly opens everything: "Allow: /", an empty Disallow,
// or no rules at all.
func saysOpen(g *robots.Group, explicit map[int]bool) bool {
	n := 0
	for rule := range g.Rules() {
		if rule.Allow && matchesAll(rule.Pattern) {
			return true
		}
		n++
	}
	said := func(line int) bool { return explicit[line] }
	return n == 0 && (slices.ContainsFunc(g.Lines(), said) || len(g.Records(paceFields...)) == 0)
}

// emptyDisallows returns the groups as written that have a Disallow without a path, by the
// numbers of their first lines.
func emptyDisallows(p *robots.Policy) map[int]bool {
	found := make(map[int]bool)
	first, group := 0, -1
	for _, l := range p.Lines() {
		switch {
		case l.Kind == robots.UserAgent && l.Group != group:
			first, group = l.Number, l.Group
		case l.Kind == robots.Disallow && l.Value == "":
			found[first] = true
		}
	}
	return found
}

var (
	textLostEveryone = language.New(
		"loses all rules of the group for everyone, as a robot obeys one group only: %[1]s may fetch %[2]s, which line %[3]d closes to all others")
	textNotForThem = language.New("this rule is not for them")
)
