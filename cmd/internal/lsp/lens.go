package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// Limits of lenses.
const (
	maxLenses    = 10_000 // in a document
	maxLensRules = 2000   // of a document whose rules are compared with each other
	lensStates   = 8192   // of the searches for one lens, or of each search that compares rules
	maxLensNames = 3      // robots that a lens names
)

// A codeLens is a CodeLens: a text above a line. It comes without its command, which has the text
// and is computed when the client shows the line.
type codeLens struct {
	Range   span     `json:"range"`
	Command *command `json:"command,omitempty"`
	Data    lensData `json:"data"`
}

// A lensData names the line of a lens.
type lensData struct {
	URI    string `json:"uri"`
	Serial int    `json:"serial"` // of the document
	Line   int    `json:"line"`   // from 1 on
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

// A lensParams is the lens to be resolved (codeLens/resolve).
type lensParams struct {
	codeLens
}

func (p lensParams) uri() string { return p.Data.URI }

// lenses answers with the lenses of a document, or with none if the user does not want them.
func (s *session) lenses(req *jrpc2.Request) (work, error) {
	if s.settings.noLenses {
		return func(context.Context) (any, error) { return []codeLens{}, nil }, nil
	}
	return asked(lensesOf)(s, req)
}

// lensesOf returns the lenses of a document: one for each group, and one for each rule without
// effect.
func lensesOf(d *document, _ *client, _ documentParams) (any, error) {
	all := []codeLens{}
	idle := d.facts.idle()
	group := -1
	at := cursor{text: d.text}
	for number, l := range d.policy().Lines() {
		first := l.Kind == robots.UserAgent && l.Group != group
		if !first && idle[number] == "" {
			continue
		}
		if group = max(group, l.Group); len(all) == maxLenses {
			break
		}
		all = append(all, codeLens{Range: d.contents(l, &at), Data: lensData{d.uri, d.serial, number}})
	}
	return all, nil
}

// resolve returns a lens with its text.
func resolve(d *document, _ *client, p lensParams) (any, error) {
	line, ok := d.line(p.Data.Line - 1)
	if !ok || p.Data.Serial != d.serial {
		return nil, jrpc2.Errorf(contentModified, "the lens is for an older version of the document")
	}
	lens := p.codeLens
	lens.Command = &command{(lensWriter{d}).title(line), explainCommand, []any{d.uri, line.Number - 1}}
	return lens, nil
}

// A lensWriter writes the texts of lenses.
type lensWriter struct{ *document }

func (d lensWriter) title(line robots.Line) string {
	switch line.Kind {
	case robots.UserAgent:
		return d.robots(line)
	case robots.Allow, robots.Disallow:
		return d.idle(line)
	}
	return ""
}

// robots says which known robots obey a group, and whether the group closes the site to them. The
// group for all robots has too many to name some.
func (d lensWriter) robots(line robots.Line) string {
	agents := d.policy().Groups()[line.Group].Agents()
	names := d.facts.readersOf(agents)
	budget := lensStates
	_, open, err := pathset.Allowed(d.groupOf(agents)).Minus(pathset.Of(robots.RFC9309, "/robots.txt$")).Spend(&budget)
	closed := !open && err == nil
	switch {
	case len(names) == 0 && closed:
		return lensClosedToNone.in(d.options.Language)
	case len(names) == 0:
		return lensNone.in(d.options.Language)
	}
	list := ""
	if !slices.Contains(agents, "*") {
		list = ": " + strings.Join(names[:min(len(names), maxLensNames)], ", ")
		if len(names) > maxLensNames {
			list += ", …"
		}
	}
	text := &lensRobots
	switch {
	case closed && len(names) == 1:
		text = &lensClosedToOne
	case closed:
		text = &lensClosed
	case len(names) == 1:
		text = &lensRobot
	}
	return printable.Text(fmt.Sprintf(text.in(d.options.Language), len(names), list))
}

// groupOf returns the rules for robots that a group names.
func (d lensWriter) groupOf(agents []string) *robots.Group {
	if len(agents) == 0 {
		return d.policy().For("*")
	}
	return d.policy().For(agents[0])
}

// idle says why a rule has no effect.
func (d lensWriter) idle(line robots.Line) string {
	budget := lensStates
	path, _, _ := pathset.Of(robots.RFC9309, line.Value).Spend(&budget)
	never := d.facts.idle()[line.Number] == neverDecides
	for _, other := range d.groupOf(d.policy().Groups()[line.Group].Agents()).Explain(path).Candidates {
		switch same := other.Rule.Allow == (line.Kind == robots.Allow); {
		case path == "" || other.Rule.Line == line.Number:
		case never:
			return fmt.Sprintf(lensNever.in(d.options.Language), other.Rule.Line)
		case same && other.Rule.Allow:
			return fmt.Sprintf(lensOpened.in(d.options.Language), other.Rule.Line)
		case same:
			return fmt.Sprintf(lensShadowed.in(d.options.Language), other.Rule.Line)
		}
	}
	return lensIdle.in(d.options.Language)
}

// facts are what lenses need to know of a document as a whole. Each is computed on first use.
type facts struct {
	readers func() map[string][]string // the known robots that obey the groups for a name
	idle    func() map[int]string      // why rules have no effect, by their lines
}

// neverDecides is the reason of a [proof.Redundancy] of a rule that other rules overrule
// everywhere.
const neverDecides = "never decides"

func newFacts(d *document) facts {
	return facts{
		readers: sync.OnceValue(func() map[string][]string { return readersOf(d) }),
		idle:    sync.OnceValue(func() map[int]string { return idleRules(d) }),
	}
}

// readersOf returns the known robots by the name for which they obey a group, in lower case: the
// first of their names in the file, or "*".
func readersOf(d *document) map[string][]string {
	named := make(map[string]bool)
	for _, g := range d.policy().Groups() {
		for _, name := range g.Agents() {
			named[strings.ToLower(name)] = true
		}
	}
	readers := make(map[string][]string)
	for a := range d.options.Robots.All() {
		names := a.Tokens()
		if a.Everyone() {
			names = append(slices.Clip(names), "*")
		}
		for _, name := range names {
			if name = strings.ToLower(name); named[name] {
				readers[name] = append(readers[name], a.Token)
				break
			}
		}
	}
	return readers
}

// readersOf returns the known robots that obey a group with these names.
func (f *facts) readersOf(agents []string) (all []string) {
	readers := f.readers()
	seen := make(map[string]bool)
	for _, name := range agents {
		if name = strings.ToLower(name); !seen[name] {
			seen[name] = true
			all = append(all, readers[name]...)
		}
	}
	return all
}

// idleRules returns the rules without effect, with the reason: of a file with very many rules none,
// because each rule is compared with all others.
func idleRules(d *document) map[int]string {
	rules := 0
	for _, l := range d.policy().Lines() {
		if l.Kind == robots.Allow || l.Kind == robots.Disallow || l.Kind == robots.UserAgent {
			rules++
		}
	}
	idle := make(map[int]string)
	if rules > maxLensRules || strings.Count(d.text.content, "*") > 2*maxLensRules {
		return idle
	}
	redundant, _ := proof.Redundant(d.policy(), proof.Options{Robots: d.options.Robots, Limit: lensStates})
	for _, r := range redundant {
		idle[r.Rule.Line] = r.Why
	}
	return idle
}
