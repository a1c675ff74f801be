package export

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/layers"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A plan is what all servers need to know of a policy.
type plan struct {
	server   string
	site     string
	options  Options
	policy   *robots.Policy
	groups   [][]layers.Layer // each with a rule that disallows
	everyone int              // the index of the group for everyone, or -1 if it allows all paths
	names    []headerregex.Name
	notes    []string

	numbers map[string]int // indexes of groups by their lines, or of limits

	pace *plan // of the paces, or nil

	// Of the plan of the paces.
	paced   bool // classes are indexes of limits, and not of groups
	limits  []limit
	untimed bool // a record about times of the day is left out
}

var otherThanFolder = regexp.MustCompile(`[^0-9A-Za-z/_.,@+-]`)

var siteName = regexp.MustCompile(`^[a-z0-9_]{1,40}$`)

func newPlan(server string, policy *robots.Policy, o Options) (*plan, error) {
	p := &plan{server: server, site: o.Site, options: o, policy: policy, numbers: make(map[string]int)}
	if p.site == "" {
		p.site = "site"
	}
	if !siteName.MatchString(p.site) {
		return nil, fmt.Errorf("the name of the site is %s: it may have small letters, digits and \"_\", 40 at most",
			printable.Quoted(p.site, 60))
	}
	if at := otherThanFolder.FindString(o.Folder); at != "" {
		return nil, fmt.Errorf("the name of the folder is %s: it may have letters, digits and \"/_.,@+-\", and not %s",
			printable.Quoted(o.Folder, 100), printable.Quoted(at, 10))
	}
	if err := p.checkExceptions(); err != nil {
		return nil, err
	}
	p.everyone = p.number(policy.For(), agent.Agent{})
	p.addNames()
	if o.Pace {
		p.pace = p.paceOf()
	}
	if everyone := policy.For(); o.Agents == All && !o.WellKnown && !everyone.Allowed("/.well-known/acme-challenge/x") {
		p.notes = append(p.notes,
			"robots.txt disallows /.well-known/ to all robots, and the clients that check certificates over HTTP may be robots: allow it in robots.txt, or use the option that lets it pass")
	}
	return p, nil
}

// folder returns where the server finds the files.
func (p *plan) folder(usual string) string { return cmp.Or(p.options.Folder, usual) }

// addNames adds the names of robots and tools.
func (p *plan) addNames() {
	for name, a := range (*agent.Table)(nil).HeaderNames() {
		p.addName(name, a)
	}
	p.addUnlisted()
}

// number returns the index of a group, or -1 if the group allows all paths; or that of the limit of
// a robot that obeys the group, or -1 if the group asks for no pace.
func (p *plan) number(g *robots.Group, a agent.Agent) int {
	if p.paced {
		return p.limitNumber(g, a)
	}
	key := fmt.Sprint(g.Lines())
	n, ok := p.numbers[key]
	if !ok {
		n = -1
		rules := layers.Of(g)
		if slices.ContainsFunc(rules, func(l layers.Layer) bool { return !l.Allow }) {
			n = len(p.groups)
			p.groups = append(p.groups, rules)
		}
		p.numbers[key] = n
	}
	return n
}

// addName adds a name of a robot or tool of the table.
func (p *plan) addName(name string, a agent.Agent) {
	n := headerregex.Name{Text: name, Class: headerregex.Everyone, Level: levelOf(a)}
	if a.Kind != agent.Robot { // people use the program, even if robots.txt names it
		n.Level = headerregex.Tool
		p.names = append(p.names, n)
		return
	}
	own := p.policy.ForOnly(a.Tokens()...)
	switch {
	case a.Device: // of a person
		n.Class, n.Level = headerregex.Nobody, headerregex.Device
	case p.paced && a.CrawlDelay() == agent.DelayIgnored && own.Line()+p.everyone >= 0: // as in a guard
		n.Class = headerregex.Nobody
	case own.Line() > 0:
		n.Class = p.class(own, a)
	case p.paced && p.everyone >= 0 && a.Everyone() && a.Crawler() && p.options.Agents != Named:
		n.Class = p.class(p.policy.For(), a)
	case !a.Everyone() || !a.Crawler():
		n.Class = headerregex.Nobody
	}
	p.names = append(p.names, n)
}

// levelOf returns the level of a robot of the table: the number of its product tokens, without
// another name of its headers, which is before them.
func levelOf(a agent.Agent) int {
	tokens := a.Tokens()
	return len(tokens) - slices.Index(tokens, a.Token)
}

// class returns the class of a robot that obeys a group.
func (p *plan) class(g *robots.Group, a agent.Agent) headerregex.Class {
	switch n := p.number(g, a); {
	case n < 0:
		return headerregex.Nobody
	case n == p.everyone && p.options.Agents != Named:
		return headerregex.Everyone
	default:
		return headerregex.Class(n)
	}
}

var wholeWord = regexp.MustCompile(`^[0-9a-z_!%\x{80}-\x{10ffff}-]+(?:\.[0-9a-z_!%\x{80}-\x{10ffff}-]+)*$`)

// addUnlisted adds the names of the policy that the table does not have, if they are names of
// robots.
func (p *plan) addUnlisted() {
	var absent, programs, unmarked []string
	seen := make(map[string]bool)
	for _, g := range p.policy.Groups() {
		for _, token := range g.Agents() {
			text := strings.ToLower(token)
			shown := agent.Lookup(token + "/1.0")
			if token == "*" || seen[text] || shown.Known() && shown.Kind == agent.Robot {
				continue
			}
			seen[text] = true
			clipped := printable.Clipped(token, 60)
			class := p.class(p.policy.For(token), agent.Agent{})
			name := headerregex.Name{Text: text, Class: class, Level: headerregex.Unknown}
			usual := len(text) <= 200 && wholeWord.MatchString(text)
			switch {
			case usual && shown.Kind == agent.Robot:
				p.names = append(p.names, name)
			case usual && headerregex.Nearby(token):
				if name.Level = headerregex.Unmarked; name.Class != headerregex.Everyone || p.options.Agents != All {
					p.names = append(p.names, name)
				}
				unmarked = append(unmarked, clipped)
			case agent.Named(token).Known() && shown.Kind != agent.Program: // the robot has another name in headers
			case shown.Kind == agent.Program:
				programs = append(programs, clipped)
			default:
				absent = append(absent, clipped)
			}
		}
	}
	if len(programs) > 0 {
		p.notes = append(p.notes,
			"these names of robots.txt do not say that they are robots, so they pass as programs of people: "+
				strings.Join(programs, ", "))
	}
	if len(unmarked) > 0 {
		p.notes = append(p.notes,
			"these names of robots.txt do not say that they are robots, so a client with one of them passes unless its header also has an address for contact, or a word such as crawler after the name: "+strings.Join(unmarked, ", "))
	}
	if len(absent) > 0 {
		p.notes = append(p.notes, "no header of a robot shows these names of robots.txt, which are ignored: "+
			strings.Join(absent, ", "))
	}
}

// A line is an expression of targets, and whether the targets are allowed. Of several lines, the
// first that matches decides; otherwise the target is allowed.
type line struct {
	expression string
	allow      bool
}

// targetSyntax returns the syntax for variables that hold the target as it was sent, from its path
// on, without blanks. An expression has at most limit bytes.
func targetSyntax(limit int) pathregex.Syntax {
	return pathregex.Syntax{
		Root:  `^(?:/|(?![^?#]))`,
		Any:   `[^#]*?`,
		End:   `(?:#|\z)`,
		Limit: limit,
	}
}

// paths returns the lines of a group in a syntax.
func (p *plan) paths(syntax *pathregex.Syntax, group int, odd bool) ([]line, error) {
	open := layers.Layer{Allow: true, Rules: append(fixed("/robots.txt$"), fixed("/robots.txt?")...)}
	if p.options.WellKnown {
		open.Rules = append(open.Rules, fixed("/.well-known/")...)
	}
	return p.lines(syntax, append([]layers.Layer{open}, p.groups[group]...), odd)
}

// lines returns the lines of layers in a syntax.
func (p *plan) lines(syntax *pathregex.Syntax, list []layers.Layer, odd bool) (lines []line, err error) {
	for _, layer := range list {
		texts, err := syntax.Write(layer.Rules, odd)
		if e := (*pathregex.RuleError)(nil); errors.As(err, &e) {
			return nil, &Refusal{p.server, e.Rule, e.Reason}
		} else if err != nil {
			return nil, err
		}
		for _, text := range texts {
			lines = append(lines, line{text, layer.Allow})
		}
	}
	return lines, nil
}

// fixed returns the rule of a pattern that is not in the file.
func fixed(pattern string) []layers.Rule {
	return layers.Split(robots.Rule{Allow: true, Pattern: pattern}, robots.RFC9309.Pattern(pattern))
}
