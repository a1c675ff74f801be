package main

import (
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/command"
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
			return nil, command.Misusef("--agent %q names no robot: give a product token such as ExampleBot", name)
		}
		all = append(all, r)
	}
	return all, nil
}
