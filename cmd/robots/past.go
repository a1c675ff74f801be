package main

import (
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const usageOfAt = "answer as at `time`, such as 2026-03-03T14:00:00Z, or as on all of a day in UTC, such as 2026-03-03, from the history in the folder of --cache"

// addMoment adds a flag whose value is a moment.
func addMoment(flags *pflag.FlagSet, m *inforce.Moment, name, usage string) {
	flags.Func(name, usage, func(text string) (err error) {
		*m, err = inforce.Parse(text)
		return err
	})
}

// policyAt returns the policy that was in force for the origin in an argument, and tells the
// user which version that was.
func (n *network) policyAt(cmd *cobra.Command, arg string, m inforce.Moment, l language.Language) (*robots.Policy,
	error) {
	site, err := asOrigin(arg)
	if err != nil {
		return nil, cli.Misuse(err)
	}
	p, err := inforce.At(cmd.Context(), n.cache, site, m)
	if err != nil {
		return nil, err
	}
	if !n.quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), say.InForce(l, p))
	}
	return p.Policy, nil
}

// policyOf returns the policy of a file or of an origin: the one that was in force at a moment, if
// it is given.
func (n *network) policyOf(cmd *cobra.Command, name string, d robots.Dialect, at inforce.Moment,
	l language.Language) (*robots.Policy, error) {
	if at.Given() {
		policy, err := n.policyAt(cmd, name, at, l)
		if err != nil {
			return nil, err
		}
		return policy.In(d), nil
	}
	if site, ok := origin(name); ok {
		r, err := n.fetch(cmd.Context(), cmd, site, l)
		if err != nil {
			return nil, err
		}
		return r.Policy.In(d), nil
	}
	data, err := readRobots(cmd, name)
	if err != nil {
		return nil, err
	}
	return d.Parse(data), nil
}
