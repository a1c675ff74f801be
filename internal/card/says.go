package card

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// purposes are the purposes on the card, in their order.
var purposes = []string{"ai-train", "ai-search", "ai-user", "search", "preview", "archive", "seo"}

// Limits of the examination of a text, however many groups and rules it has.
const (
	maxNamed  = 1000    // names in the text that are looked at
	maxRules  = 1 << 17 // rules of all groups together, after which no other group is looked at
	maxAsked  = 64      // patterns of a group that are searched
	maxStates = 1 << 13 // states of all searches together
)

// says adds what the policy says to the robots of each purpose, to others that it names, and to
// everyone else.
func (c *Card) says(p *robots.Policy, table *agent.Table) {
	names, all, more := named(p)
	e := &examiner{policy: p, table: table, named: all, known: make(map[string]*Says), rules: maxRules,
		states: maxStates}
	e.add(&[]Says{}, "*") // the group for most robots has the first use of the budget
	listed := make(map[string]bool)
	for _, name := range purposes {
		of, _ := agent.ParsePurpose(name)
		purpose := Purpose{Purpose: name}
		for a := range table.All(of) {
			purpose.Robots++
			listed[strings.ToLower(a.Token)] = true
			e.add(&purpose.Says, a.Token)
		}
		slices.SortStableFunc(purpose.Says, func(a, b Says) int { return cmp.Compare(len(b.Robots), len(a.Robots)) })
		c.Purposes = append(c.Purposes, purpose)
	}
	c.Named = []Says{}
	c.NamedMore = more
	for _, name := range names {
		if !listed[strings.ToLower(name)] {
			e.add(&c.Named, name)
		}
	}
	var everyone []Says
	e.add(&everyone, "*")
	c.Everyone = everyone[0]
	c.Everyone.Robots = []string{"*"}
}

// named returns the names of robots in a text but "*", each once, and the number of further names;
// and all names in lower case.
func named(p *robots.Policy) (names []string, seen map[string]bool, more int) {
	seen = map[string]bool{"*": true}
	for _, g := range p.Groups() {
		for _, name := range g.Agents() {
			lower := strings.ToLower(name)
			if seen[lower] {
				continue
			}
			seen[lower] = true
			if len(names) == maxNamed {
				more++
			} else {
				names = append(names, name)
			}
		}
	}
	return names, seen, more
}

// An examiner proves what groups say.
type examiner struct {
	policy *robots.Policy
	table  *agent.Table
	named  map[string]bool  // the names in the text, in lower case
	known  map[string]*Says // by the lines of a group
	rules  int              // that may still be looked at
	states int              // that searches may still look at
}

// add adds a robot to what its group says.
func (e *examiner) add(all *[]Says, token string) {
	s := e.of(token)
	token = printable.Clipped(token, maxURL)
	for i := range *all {
		if of := &(*all)[i]; of.State == s.State && slices.Equal(of.Lines, s.Lines) && of.Count == s.Count {
			of.Robots = append(of.Robots, token)
			return
		}
	}
	added := *s
	added.Robots = []string{token}
	*all = append(*all, added)
}

// of returns what the group of a robot says. Most robots have none of their own: then the group is
// not made again.
func (e *examiner) of(token string) *Says {
	subject := e.table.SubjectNamed(token)
	isNamed := token != "*" &&
		slices.ContainsFunc(subject.Tokens, func(t string) bool { return e.named[strings.ToLower(t)] })
	key := "*"
	switch {
	case isNamed && e.rules <= 0:
		return &Says{State: Undecided}
	case isNamed:
		key = fmt.Sprint(subject.Group(e.policy).Lines())
	case subject.Alone:
		key = ""
	}
	s := e.known[key]
	if s == nil {
		g := subject.Group(e.policy)
		s = e.examine(g)
		lines := g.Lines()
		s.Lines = lines[:min(len(lines), maxPatterns)]
		e.known[key] = s
	}
	return s
}

// anySite stands before paths that are matched.
const anySite = "https://example.com"

// examine proves what a group says for all paths.
//
// A rule whose pattern matches every path, such as "Disallow: /", is the base, and without one all
// paths are open. Only a rule of the other kind can make an exception, so the patterns of these
// rules are asked for a path, and if there is none for any of them, there is no exception.
func (e *examiner) examine(g *robots.Group) *Says {
	rules := pathset.Compile(g)
	if rules.Closed() {
		return &Says{State: Closed}
	}
	n, base, weight := 0, true, -1
	kinds := map[bool]int{}
	for rule, pattern := range rules.All() {
		n++
		kinds[rule.Allow]++
		if matchesAll(pattern) && (pattern.Bytes > weight || pattern.Bytes == weight && rule.Allow) {
			base, weight = rule.Allow, pattern.Bytes
		}
	}
	e.rules -= n
	all, but := Open, OpenExcept
	if !base {
		all, but = Closed, ClosedExcept
	}
	if kinds[!base] == 0 {
		return &Says{State: all}
	}
	s := e.exceptions(g, rules, base)
	if s.Count == 0 {
		return &Says{State: all}
	}
	some, err := e.hasBase(g, rules, base)
	switch {
	case err != nil, len(s.Patterns) == 0:
		return &Says{State: Undecided}
	case !some && base:
		return &Says{State: Closed}
	case !some:
		return &Says{State: Open}
	}
	s.State = but
	return s
}

// exceptions returns the patterns of rules that decide against the base for a path.
func (e *examiner) exceptions(g *robots.Group, rules *pathset.Rules, base bool) *Says {
	s := &Says{}
	seen := make(map[string]bool)
	asked := 0
	for rule, pattern := range g.Patterns() {
		text := pattern.String()
		if rule.Allow == base || matchesAll(pattern) || seen[text] {
			continue
		}
		seen[text] = true
		found := slices.ContainsFunc(simple(pattern), func(path string) bool {
			m := g.Match(anySite + path)
			return m.Allowed != base && m.Reason == robots.DecidingRule
		})
		if !found {
			if asked++; asked > maxAsked || e.states <= 0 {
				s.Count++
				s.AtMost = true
				continue
			}
			wrong := pathset.Of(g.Dialect(), rule.Pattern)
			if allowed := rules.Near(pattern).Allowed(); base {
				wrong = wrong.Minus(allowed)
			} else {
				wrong = wrong.Intersect(allowed).Minus(pathset.Of(g.Dialect(), "/robots.txt$"))
			}
			_, ok, err := wrong.Spend(&e.states)
			switch {
			case err != nil:
				s.Count++
				s.AtMost = true
				continue
			case !ok:
				continue
			}
		}
		if s.Count++; len(s.Patterns) < maxPatterns {
			s.Patterns = append(s.Patterns, printable.Clipped(rule.Pattern, maxURL))
		}
	}
	return s
}

// hasBase reports whether a path has the answer of the base: many exceptions may leave none.
func (e *examiner) hasBase(g *robots.Group, rules *pathset.Rules, base bool) (bool, error) {
	for _, path := range []string{"/", "/index.html", "/a", "/q7", "/-x_"} {
		if g.Match(anySite+path).Allowed == base {
			return true, nil
		}
	}
	set := rules.Allowed()
	if !base {
		set = pathset.Of(g.Dialect(), "/").Minus(set)
	}
	_, ok, err := set.Minus(pathset.Of(g.Dialect(), "/robots.txt$")).Spend(&e.states)
	return ok, err
}

// matchesAll reports whether a pattern matches every path. No pattern in normal form has the byte
// 0xFF, so only one that matches everything matches it.
func matchesAll(p robots.Pattern) bool { return p.Matches("/") && p.Matches("/\xff") }

// simple returns short paths that match a pattern, the first without more than the pattern has.
func simple(p robots.Pattern) []string {
	path := p.Stem
	for segment := range p.Segments() {
		if path == "" && !strings.HasPrefix(segment, "/") {
			path = "/"
		}
		if strings.HasSuffix(path, "/") && strings.HasPrefix(segment, "/") {
			path += "a"
		}
		path += segment
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if p.Anchored {
		return []string{path}
	}
	return []string{path, path + "a", path + "/q7"}
}
