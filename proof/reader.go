package proof

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A Reader is a way to read robots.txt: a document, as a dialect follows it, or a search engine,
// which is a dialect with differences and the robots of the engine. It is an immutable, comparable
// value; [Readers] has all of them.
//
// An engine reads as its operator publishes:
//
//   - google is dialect Google, which is Google's parser, and Google's robots with their fallbacks:
//     Googlebot-Image obeys the group of Googlebot if it has no group itself, and AdsBot-Google
//     never obeys the group for everyone.
//   - bing is RFC 9309, and bingbot obeys the group of msnbot if it has no group itself.
//   - apple is RFC 9309, and Applebot obeys the group of Googlebot.
//   - yandex is RFC 9309 for robots that obey the group of Yandex, with four differences: how rules
//     are ranked, where groups end, that "Disallow:" means "Allow: /", and that a file of more than
//     500 KiB has no rules.
//
// If the operator publishes nothing, as about percent-encoded bytes, the engine is assumed to
// follow its dialect.
type Reader struct {
	Name     string         // in lower case, such as "koster1994" or "yandex"
	Dialect  robots.Dialect // that it reads in
	Operator string         // of an engine's robots, as package agent has it; else ""

	main     string // the best-known robot of an engine
	document bool   // robots of any operator may read this way
	quirks   *quirks
}

// quirks are differences between an engine and its dialect.
type quirks struct {
	// policy returns the policy as the engine reads it, in the reader's dialect and with the
	// same line numbers.
	policy func(*robots.Policy) *robots.Policy

	// weight returns the weight of a rule. Of several matching rules the heaviest decides, and
	// of equally heavy rules one that allows.
	weight func(robots.Rule, robots.Pattern) int
}

// Readers returns all readers: those of today, then the earlier documents. Google's engine is
// dialect Google.
func Readers() []Reader { return slices.Clone(readers) }

var readers = []Reader{
	{Name: "rfc9309", document: true},
	{Name: "google", Dialect: robots.Google, Operator: "Google", main: "Googlebot", document: true},
	{Name: "bing", Operator: "Microsoft", main: "bingbot"},
	{Name: "yandex", Operator: "Yandex", main: "YandexBot", quirks: &yandex},
	{Name: "apple", Operator: "Apple", main: "Applebot"},
	{Name: "koster1994", Dialect: robots.Koster1994, document: true},
	{Name: "koster1996", Dialect: robots.Koster1996, document: true},
	{Name: "kollar1996", Dialect: robots.Kollar1996, document: true},
}

// Match returns whether the reader lets the robot with a product token fetch a URL,
// as [robots.Group.Match] does. A robot of the reader's operator obeys the
// fallbacks that package agent knows for it.
//
// The line of a rule is that in the file, but its text may be the rule as the reader understands
// it. Each call of Match reads the whole policy again.
func (r Reader) Match(p *robots.Policy, token, url string) robots.Match {
	policy := r.policy(p)
	return r.match(r.robot(nil, token).Group(policy), url)
}

// policy returns a policy as r reads it.
func (r Reader) policy(p *robots.Policy) *robots.Policy {
	if r.quirks != nil {
		return r.quirks.policy(p)
	}
	return p.In(r.Dialect)
}

// match returns the rule that decides in a group of a policy, as r reads it.
func (r Reader) match(g *robots.Group, url string) robots.Match {
	m := g.Match(url)
	if r.quirks == nil || m.Reason != robots.DecidingRule {
		return m
	}
	path := r.Dialect.Path(url)
	best := -1
	for rule, p := range g.Patterns() {
		weight := r.quirks.weight(rule, p)
		if (weight > best || weight == best && rule.Allow && !m.Allowed) && p.Matches(path) {
			best, m.Rule, m.Allowed = weight, rule, rule.Allow
		}
	}
	return m
}

// weight returns the weight of a rule for r, unless the first matching rule decides.
func (r Reader) weight(rule robots.Rule, p robots.Pattern) int {
	if r.quirks != nil {
		return r.quirks.weight(rule, p)
	}
	return p.Bytes
}

// rules returns the rules of such a group for questions about all paths.
func (r Reader) rules(g *robots.Group) *pathset.Rules {
	rules := pathset.Compile(g)
	if r.quirks != nil {
		rules = rules.By(r.quirks.weight)
	}
	return rules
}

// robot returns the robot with a product token, with the names that it obeys. Only robots of
// the reader's operator are looked up in the table.
func (r Reader) robot(table *agent.Table, token string) agent.Subject {
	if r.runs(table, token) {
		return table.SubjectNamed(token)
	}
	return agent.Subject{Name: token, Tokens: []string{token}}
}

// runs reports whether the reader's operator runs the robot with a product token.
func (r Reader) runs(table *agent.Table, token string) bool {
	return r.Operator != "" && table.Named(token).Operator == r.Operator
}

// asked returns the robots of a list that are relevant for a reader. In the list, "*" means the
// robots that no group names; for an engine, one of its robots takes the place of "*". With others,
// all robots of the engine are added that obey a group named for another robot.
func (r Reader) asked(table *agent.Table, p *robots.Policy, names []string, others bool) (tokens []string) {
	if r.Operator == "" {
		return names
	}
	var isNamed map[string]bool // by the token in lower case; nil until needed
	reaches := func(a agent.Agent) bool {
		if isNamed == nil {
			isNamed = make(map[string]bool)
			for _, name := range named(p) {
				isNamed[strings.ToLower(name)] = true
			}
		}
		return slices.ContainsFunc(a.Tokens(), func(token string) bool { return isNamed[strings.ToLower(token)] })
	}
	for _, name := range names {
		switch {
		case r.document || r.runs(table, name):
			tokens = append(tokens, name)
		case name == everyone:
			for a := range r.obedient(table) {
				if a.Everyone() && !reaches(a) {
					tokens = append(tokens, a.Token)
					break
				}
			}
		}
	}
	if others {
		for a := range r.obedient(table) {
			if len(a.Tokens()) > 1 && reaches(a) && !isNamed[strings.ToLower(a.Token)] {
				tokens = append(tokens, a.Token)
			}
		}
	}
	return tokens
}

// obedient returns the robots of the reader's operator that obey robots.txt: the main one
// first, then other robots for search.
func (r Reader) obedient(table *agent.Table) iter.Seq[agent.Agent] {
	if table == nil {
		return slices.Values(byOperator()[r.Operator])
	}
	return slices.Values(obedientOf(table)[r.Operator])
}

// byOperator caches the robots of the built-in table by operator.
var byOperator = sync.OnceValue(func() map[string][]agent.Agent { return obedientOf(nil) })

// obedientOf returns the robots of a table that obey robots.txt, by the operators of readers.
func obedientOf(table *agent.Table) map[string][]agent.Agent {
	all := make(map[string][]agent.Agent)
	for _, r := range readers {
		if r.Operator == "" {
			continue
		}
		for a := range table.All() {
			obeys := a.Obedience() == agent.Obeys || a.Obedience() == agent.Partly
			if a.Operator == r.Operator && obeys && !a.PolicyOnly() {
				all[r.Operator] = append(all[r.Operator], a)
			}
		}
		rank := func(a agent.Agent) int {
			switch {
			case a.Token == r.main:
				return 0
			case a.Purposes&agent.Search != 0:
				return 1
			}
			return 2
		}
		slices.SortStableFunc(all[r.Operator], func(a, b agent.Agent) int { return cmp.Compare(rank(a), rank(b)) })
	}
	return all
}
