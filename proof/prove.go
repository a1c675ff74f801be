package proof

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A Proof is the outcome of a claim.
type Proof struct {
	Claim   Claim
	Holds   bool // for all robots that it is about, and every path
	Decided bool // false: the limit did not suffice

	// Where the claim does not hold: a robot and a path that show it.
	Agent   string
	Witness string
	Match   robots.Match
}

// Prove returns for each claim whether it holds of a policy, over all paths. RFC 9309,
// section 2.2.2, always allows /robots.txt itself: that contradicts no claim. The error wraps
// [pathset.ErrUndecided] if a claim is not decided.
func Prove(p *robots.Policy, claims []Claim, o Options) ([]Proof, error) {
	proofs := make([]Proof, len(claims))
	known := &groups{policy: p, table: o.Robots, byLines: make(map[string]*obeyedGroup)}
	undecided := false
	for i, c := range claims {
		proofs[i] = prove(known, c, o.purse())
		undecided = undecided || !proofs[i].Decided
	}
	return proofs, undecidedError(undecided)
}

// groups are the groups of a policy that the claims are about, each compiled once for all
// claims.
type groups struct {
	policy  *robots.Policy
	table   *agent.Table
	byLines map[string]*obeyedGroup
}

// An obeyedGroup is the group that robots obey, for single URLs and for all paths.
type obeyedGroup struct {
	group *robots.Group
	rules *pathset.Rules
}

// of returns the group of a robot by its product token.
func (k *groups) of(name string) *obeyedGroup {
	g := k.table.SubjectNamed(name).Group(k.policy)
	key := fmt.Sprint(g.Lines())
	of := k.byLines[key]
	if of == nil {
		of = &obeyedGroup{g, pathset.Compile(g)}
		k.byLines[key] = of
	}
	return of
}

func prove(known *groups, c Claim, purse *purse) Proof {
	p := known.policy
	proof := Proof{Claim: c, Decided: true}
	about := c.about(p, known.table)
	if !proof.ask(known, about, c.open, purse) {
		return proof
	}
	if c.only {
		others := slices.DeleteFunc(named(p), func(name string) bool {
			return slices.ContainsFunc(about, func(a string) bool { return strings.EqualFold(a, name) })
		})
		if !proof.ask(known, others, false, purse) {
			return proof
		}
	}
	proof.Holds = proof.Decided
	return proof
}

// about returns the tokens of the robots in a claim.
func (c *Claim) about(p *robots.Policy, table *agent.Table) (names []string) {
	for _, name := range c.robots {
		if is(name, "all") {
			names = append(names, named(p)...)
		} else if tokens, ok := several(table, name); ok {
			names = append(names, tokens...)
		} else {
			names = append(names, name)
		}
	}
	return names
}

// ask checks whether robots may fetch all paths of the claim, or none. It returns false if it
// finds a counterexample.
func (p *Proof) ask(known *groups, names []string, open bool, purse *purse) bool {
	d := known.policy.Dialect()
	seen := make(map[*obeyedGroup]bool)
	for _, name := range names {
		g := known.of(name)
		if seen[g] {
			continue
		}
		seen[g] = true
		for _, text := range p.Claim.paths {
			pattern := d.Pattern(text)
			wrong := pathset.Of(d, text)
			for _, except := range p.Claim.except {
				wrong = wrong.Minus(pathset.Of(d, except))
			}
			rules := purse.under(pattern, g.rules.Near(pattern))
			if open {
				wrong = wrong.Minus(rules.Allowed())
			} else {
				wrong = wrong.Intersect(rules.Allowed())
				if d.AllowsRobotsFile() {
					wrong = wrong.Minus(pathset.Of(d, robotsFile))
				}
			}
			path, ok, err := purse.example(wrong, pattern, patternsOf(rules, !open))
			if err != nil {
				p.Decided = false
				continue
			}
			if !ok {
				continue
			}
			p.Agent, p.Witness = name, witness(path)
			p.Match = g.group.Match(anySite + p.Witness)
			if p.Match.Allowed != open {
				p.Decided = true
				return false
			}
			// the matcher decides in case of doubt
			p.Decided, p.Agent, p.Witness, p.Match = false, "", "", robots.Match{}
		}
	}
	return true
}

// String returns the outcome as a line, such as "line 3: GPTBot may not
// fetch /: does not hold: GPTBot: /a is allowed: no rule of the group matches".
// It is safe for a terminal.
func (p Proof) String() string {
	text := printable.Text(p.Claim.Text) + ": "
	if p.Claim.Line > 0 {
		text = fmt.Sprintf("line %d: %s", p.Claim.Line, text)
	}
	switch {
	case p.Holds:
		return text + "holds"
	case !p.Decided:
		return text + "undecided"
	}
	return text + fmt.Sprintf("does not hold: %s: %s is %v", printable.Text(p.Agent), printable.Text(p.Witness),
		p.Match)
}

// MarshalJSON returns an object with "line", "text", "holds", "decided", and where the claim does
// not hold "agent", "witness" and "match". The line is 0 if the claim is not from a file.
func (p Proof) MarshalJSON() ([]byte, error) {
	o := struct {
		Line    int           `json:"line"`
		Text    string        `json:"text"`
		Holds   bool          `json:"holds"`
		Decided bool          `json:"decided"`
		Agent   string        `json:"agent,omitempty"`
		Witness string        `json:"witness,omitempty"`
		Match   *robots.Match `json:"match,omitempty"`
	}{Line: p.Claim.Line, Text: p.Claim.Text, Holds: p.Holds, Decided: p.Decided, Agent: p.Agent, Witness: p.Witness}
	if p.Witness != "" {
		o.Match = &p.Match
	}
	return json.Marshal(o)
}
