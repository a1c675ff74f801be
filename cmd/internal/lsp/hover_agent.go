package lsp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// explainAgent explains which robot a user-agent line is for, and which groups that robot
// obeys.
func (d explainer) explainAgent(p *prose, line robots.Line) {
	token := tokenOf(line)
	switch {
	case token == "*":
		d.explainEveryone(p)
		return
	case token == "":
		p.say("%s: no robot can have this name.", strong("User-agent"))
		p.say("A product token has letters, %s and %s (RFC 9309, section 2.2.1); %s is all robots that no other group names.", code("-"), code("_"), code("*"))
		return
	}
	who := d.options.Robots.Named(token)
	if !who.Known() {
		p.say("%s is not among the %s.", strong(token), agentsOf)
	} else {
		describe(p, who)
		if !strings.EqualFold(who.Token, token) {
			p.say("Its product token, which this line should have, is %s.", code(who.Token))
			who = agent.Agent{Token: token} // robots.txt addresses another robot by this token
		}
	}
	if token != line.Value {
		p.say("Of this line robots read %s.", code(token))
	}
	d.explainGroups(p, d.options.Robots.SubjectNamed(who.Token).Group(d.policy()))
}

// agentsOf lists the known robots.
const agentsOf = "known robots (table of " + agent.Version + ")"

// describe describes a known robot.
func describe(p *prose, a agent.Agent) {
	name := a.Token
	if a.Name != "" && !strings.EqualFold(lettersOf(a.Name), lettersOf(a.Token)) {
		name += " (" + a.Name + ")"
	}
	switch {
	case a.Operator != "":
		p.say("%s of %s.", strong(name), a.Operator)
	default:
		p.say("%s is a known robot.", strong(name))
	}
	if a.Purposes != 0 {
		p.item("purpose: %s", a.Purposes.String())
	}
	if a.PolicyOnly() {
		p.item("no robot sends this name: it says what may be done with pages that another one fetches")
	}
	switch a.Obedience() {
	case agent.Obeys:
		p.item("its operator says that it obeys robots.txt")
	case agent.Partly:
		p.item("it obeys robots.txt in some cases, or in some points")
	case agent.Ignores:
		p.item("it does not obey robots.txt")
	}
	if others := a.Tokens()[1:]; len(others) > 0 {
		p.item("where no group names it, it obeys that of %s", codes(others))
	}
	if !a.Everyone() {
		p.item("it ignores the group for all robots (%s): only a group that names it counts", code("*"))
	}
	switch a.CrawlDelay() {
	case agent.DelayIgnored:
		p.item("it ignores Crawl-delay")
	case agent.DelayPause:
		p.item("it takes Crawl-delay for the seconds between two requests")
	case agent.DelayRate:
		p.item("it takes Crawl-delay for seconds in which it makes at most one request")
	}
	if a.Docs() != "" {
		p.item("%s", link{"its documentation", a.Docs()})
	}
}

// lettersOf returns a name without blanks and hyphens.
func lettersOf(name string) string { return strings.NewReplacer(" ", "", "-", "").Replace(name) }

func codes(names []string) (all []code) {
	for _, name := range names {
		all = append(all, code(name))
	}
	return all
}

// explainGroups explains which groups of the file are combined.
func (d explainer) explainGroups(p *prose, g *robots.Group) {
	rules := 0
	for range g.Rules() {
		rules++
	}
	switch lines := g.Lines(); {
	case len(lines) > 1:
		p.say("The groups of lines %s are combined for it: %s.", numbers(lines), plural(rules, "rule"))
	case rules == 0:
		p.say("Its group has no rules: everything is allowed.")
	default:
		p.say("Its group has %s.", plural(rules, "rule"))
	}
}

// maxListed is the maximum number of names or numbers in a sentence.
const maxListed = 8

// numbers returns line numbers as text, at most maxListed of them.
func numbers(lines []int) string {
	var words []string
	for i, n := range lines {
		if i == maxListed {
			words = append(words, plural(len(lines)-maxListed, "more line"))
			break
		}
		words = append(words, strconv.Itoa(n))
	}
	return enumerated(words)
}

// explainEveryone explains which robots the group for everyone is for, and which not.
func (d explainer) explainEveryone(p *prose) {
	p.say("%s that no other group names.", strong("All robots"))
	named := make(map[string]bool)
	var names []string
	for _, g := range d.policy().Groups() {
		for _, name := range g.Agents() {
			if lower := strings.ToLower(name); name != "*" && !named[lower] {
				named[lower] = true
				names = append(names, name)
			}
		}
	}
	if len(names) > 0 {
		p.item("not for %s, which have their own group, and do not see this one", listed(names))
	}
	var deaf []string
	for a := range d.options.Robots.All() {
		if !a.Everyone() && !slices.ContainsFunc(a.Tokens(), func(t string) bool { return named[strings.ToLower(t)] }) {
			deaf = append(deaf, a.Token)
		}
	}
	if len(deaf) > 0 {
		p.item("not for %s, which ignore it and must be named", listed(deaf))
	}
	d.explainGroups(p, d.policy().For("*"))
}

// listed returns names for display, at most maxListed of them.
func listed(names []string) []code {
	if len(names) <= maxListed {
		return codes(names)
	}
	return append(codes(names[:maxListed]), code(plural(len(names)-maxListed, "other")))
}
