package main

import (
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/proof"
)

// robotsOf returns the robots named by the values of --agent, or the robot without a name. The
// table may be nil.
func robotsOf(table *agent.Table, names []string) ([]agent.Subject, error) {
	if len(names) == 0 {
		return []agent.Subject{{Name: "*", Tokens: []string{"*"}}}, nil
	}
	var all []agent.Subject
	for _, name := range names {
		r := table.Subject(name)
		if len(r.Tokens) == 0 {
			return nil, cli.Misusef("--agent %q names no robot: give a product token such as ExampleBot", name)
		}
		all = append(all, r)
	}
	return all, nil
}

// checkAgents refuses a value of --agent that is nearly the name of a robot in the table or in the
// policy, which may be nil, unless --unknown is given: without this check, the answer would be for
// everyone, and not for the intended robot.
func checkAgents(table *agent.Table, p *robots.Policy, agents []string, unknown bool, l language.Language) error {
	if unknown {
		return nil
	}
	known := &robotname.Names{Table: table, Language: l}
	if p != nil {
		addNames(known, p)
	}
	return known.CheckAgents(agents)
}

// addNames adds the names of robots in a robots.txt.
func addNames(known *robotname.Names, p *robots.Policy) {
	for _, g := range p.Groups() {
		known.Add(g.Agents()...)
	}
}

// checkClaims refuses unknown names in the claims of a file. Only claims have the name "all".
func checkClaims(known *robotname.Names, file string, claims []proof.Claim) error {
	known.Add("all")
	for _, c := range claims {
		if err := known.Check(fmt.Sprintf("%s:%d", file, c.Line), c.Robots()...); err != nil {
			return err
		}
	}
	return nil
}
