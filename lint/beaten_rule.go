package lint

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof/pathset"
)

var beatenRule = &Check{
	Name:     "beaten-rule",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if p.alien != robotsText || !p.fewRules() {
			return
		}
		found := make(places)
		s := beatenSearch{states: beatenStates, searches: beatenSearches}
		for _, g := range p.named() {
			s.of(g.Group)
			for rule, pattern := range g.Patterns() {
				if rule.Allow || found[rule.Line] != nil || !s.mayLose(pattern) {
					continue
				}
				if lost := s.lost(rule, pattern); len(lost) > 0 {
					found[rule.Line] = func(l *line) { tellBeaten(p, l, lost) }
				}
			}
		}
		p.tell(found)
	},
}

// tellBeaten reports a Disallow line that closes nothing, as it is no longer than the Allow lines
// that match the same paths.
func tellBeaten(p *pass, l *line, lost []loss) {
	first := lost[0]
	d := p.report(l.all(), textBeaten, first.by.Line, first.witness)
	for _, of := range lost[:min(len(lost), maxRemedies)] {
		d.Related = append(d.Related, p.related(of.by.Line, textBeats))
	}
	var longer []string
	for _, of := range lost {
		longer = append(longer, of.remedy)
	}
	if len(lost) > maxRemedies || slices.Contains(longer, "") {
		return
	}
	d.Fix = &Fix{
		Title:  p.say(textLonger, strings.Join(longer, ", ")),
		Effect: Closes,
		Edits:  []Edit{l.value().edit(strings.Join(longer, l.ending()+l.Field+": "))},
	}
}

// maxRemedies is the maximum number of rules that a fix writes for one.
const maxRemedies = 5

// A loss is a rule that beats another one.
type loss struct {
	by      robots.Rule
	witness string // a path that both match
	remedy  string // the pattern that would win, or "" if it has no simple form
}

// A beatenSearch looks for Disallow lines of a group that close nothing because Allow lines beat
// them.
type beatenSearch struct {
	group   *robots.Group
	rules   *pathset.Rules   // of the group, once they are needed
	allows  []robots.Pattern // of the Allow rules
	folders []robots.Pattern // of the Disallow rules without wildcards

	states, searches int // that are left for the file
}

const (
	beatenStates   = 50_000
	beatenSearches = 200
)

// of begins with another group.
func (s *beatenSearch) of(g *robots.Group) {
	s.group, s.rules, s.allows, s.folders = g, nil, nil, nil
	for rule, pattern := range g.Patterns() {
		switch {
		case rule.Allow:
			s.allows = append(s.allows, pattern)
		case isFolder(pattern):
			s.folders = append(s.folders, pattern)
		}
	}
}

// isFolder reports whether a pattern matches all paths that start with its stem.
func isFolder(p robots.Pattern) bool { return p.String() == p.Stem }

// mayLose reports, at little cost, whether a Disallow rule may close nothing because of Allow
// rules. Only a rule with the same stem or a shorter one closes all paths that begin with the stem.
func (s *beatenSearch) mayLose(pattern robots.Pattern) bool {
	covers := func(p robots.Pattern) bool {
		return strings.HasPrefix(pattern.Stem, p.Stem) && p.String() != pattern.String()
	}
	closed := !isFolder(pattern) && slices.ContainsFunc(s.folders, covers)
	return s.searches > 0 && s.states > 0 && slices.ContainsFunc(s.allows, func(p robots.Pattern) bool {
		return p.Bytes >= pattern.Bytes && (covers(p) || closed && strings.HasPrefix(p.Stem, pattern.Stem))
	})
}

// lost returns the Allow rules because of which a Disallow rule closes nothing, or none if it
// closes something. Where a rule for a folder closes all else that it matches, only the paths in
// which it crosses an Allow rule are left for it. An Allow rule that lies within it is an exception
// from it, and meant to win.
func (s *beatenSearch) lost(rule robots.Rule, pattern robots.Pattern) (lost []loss) {
	s.searches--
	if s.rules == nil {
		s.rules = pathset.Compile(s.group)
	}
	near := s.rules.Near(pattern)
	same := func(r robots.Rule, p robots.Pattern) bool { return r == rule && p == pattern }
	// Rules that cross the Allow rules as this one does may lose as it does.
	others := near.Where(func(r robots.Rule, p robots.Pattern) bool {
		return r.Allow || isFolder(p) && p.String() != pattern.String()
	})
	with := near.Where(func(r robots.Rule, p robots.Pattern) bool {
		return r.Allow || same(r, p) || isFolder(p) && p.String() != pattern.String()
	})
	if !s.empty(with.Decided(same).Intersect(others.Allowed())) {
		return nil
	}
	matched := pathset.Of(robots.RFC9309, pattern.String())
	never := s.empty(matched.Minus(near.Allowed())) // all that it matches is open
	if !never && isFolder(pattern) {
		return nil
	}
	for r, p := range near.All() {
		switch {
		case same(r, p):
			return lost
		case r.Allow && p.String() == pattern.String():
			return nil // contradicting-rules reports both
		case !r.Allow || !never && s.empty(pathset.Of(robots.RFC9309, p.String()).Minus(matched)):
			continue
		}
		by := func(other robots.Rule, _ robots.Pattern) bool { return other == r }
		if path, ok, _ := near.Decided(by).Intersect(matched).Spend(&s.states); ok {
			lost = append(lost, loss{r, path, remedy(p, pattern)})
		}
	}
	return lost
}

// empty reports whether a set is known to have no path.
func (s *beatenSearch) empty(set pathset.Set) bool {
	_, ok, err := set.Spend(&s.states)
	return !ok && err == nil
}

// remedy returns the pattern that matches what both of two patterns match and that beats the first
// one, or "" if that is not a plain start of paths.
func remedy(winner, loser robots.Pattern) string {
	start := winner.Stem
	head, rest, wild := strings.Cut(loser.String(), "*")
	if !isFolder(winner) || !wild || !strings.HasPrefix(start, head) {
		return ""
	}
	if strings.HasPrefix(rest, "/") {
		start = strings.TrimSuffix(start, "/")
	}
	return start + "*" + rest
}

var (
	textBeaten = language.New(
		"closes nothing: line %[1]d is at least as long, so it decides where both match, as for %[2]s")
	textBeats  = language.New("this line decides where both match")
	textLonger = language.New("write it longer: %[1]s")
)
