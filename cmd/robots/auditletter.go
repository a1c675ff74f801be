package main

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditsites"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/rdap"
	"github.com/spf13/cobra"
)

// An incident has the flags for a letter to the operator of a robot.
type incident struct {
	token string
	rdap  bool
	table *agent.Table // has the page on which the operator documents the robot
}

func (i *incident) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&i.token, "incident", "",
		"print a letter to the operator of the robot `token`, not the report")
	completeNames(cmd, "incident", completeAgents)
	cmd.Flags().BoolVar(&i.rdap, "rdap", false,
		"ask the registries for the abuse contacts of the robot's networks, for --incident")
}

// check refuses flags that do not go together.
func (i *incident) check(p *auditPrinter) error {
	switch {
	case i.rdap && i.token == "":
		return cli.Misusef("--rdap goes with --incident, whose letter names the contacts")
	case i.token != "" && (p.json || p.csv):
		return cli.Misusef("--incident does not go with --json or --csv: a letter is text")
	case i.rdap && p.anonymize != "":
		return cli.Misusef("--rdap does not go with --anonymize: it sends addresses to the registries, and names networks")
	}
	return nil
}

// find returns the robot of a report that the user means, or nil. A name of several robots in the
// report is an error, and so is one that nobody knows and that nearly is a known one.
func (i *incident) find(r *audit.Report) (*audit.Robot, error) {
	if robot := auditreport.Find(r, i.token); robot != nil {
		return robot, nil
	}
	var names []string
	for _, robot := range r.Robots {
		names = append(names, robot.Token)
	}
	asked, err := i.table.Resolve(i.token, names...)
	var found []*audit.Robot
	for _, s := range asked {
		for _, token := range []string{s.Tokens[0], i.table.Named(s.Tokens[0]).Token} {
			if robot := auditreport.Find(r, token); robot != nil && !slices.Contains(found, robot) {
				found = append(found, robot)
				break
			}
		}
	}
	switch unknown, ok := errors.AsType[*agent.UnknownError](err); {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("the logs have %d robots meant by %s: name one of them, such as %s", len(found),
			printable.Shown(i.token), printable.Shown(found[0].Token))
	case ok && unknown.Meant != "":
		return nil, unknown
	}
	return nil, nil
}

// letter returns the letter, or nil if none is asked for. The sources are those of the versions.
// The first error is that of the registries, with which there is a letter all the same.
func (i *incident) letter(cmd *cobra.Command, r *audit.Report, sources []string) (letter *auditreport.Letter, failed,
	err error) {
	if i.token == "" {
		return nil, nil, nil
	}
	robot, err := i.find(r)
	if err != nil {
		return nil, nil, err
	}
	if robot == nil {
		var names []string
		for _, robot := range r.Robots[:min(5, len(r.Robots))] {
			names = append(names, printable.Clipped(robot.Token, 40))
		}
		return nil, nil, fmt.Errorf("the logs have no robot %s; the first robots there are: %s",
			printable.Quoted(i.token, 40), strings.Join(names, ", "))
	}
	if r.Proxied > 0 && len(robot.Addresses) == 0 && robot.Requests > 0 {
		if address := auditreport.InsideProxy(r); address != "" {
			return nil, nil, fmt.Errorf("there is no letter about %s: its disallowed requests come from addresses "+
				"such as %s, which belongs to nobody on the Internet; if they are those of a proxy before the server, log "+
				"the addresses of its clients, and read these with --forwarded or --format",
				printable.Quoted(i.token, 40), address)
		}
		return nil, nil, fmt.Errorf("no letter can be written about %s: the logs look as if they were written behind "+
			"a proxy, and its address is not the robot's; let the server log the address of the client, or X-Forwarded-For",
			printable.Quoted(robot.Token, 40))
	}
	known := i.table.Named(robot.Token)
	letter = &auditreport.Letter{
		Report: r, Robot: robot, Docs: known.Docs(), Sources: sources,
		DelayIsRate: known.CrawlDelay() == agent.DelayRate,
	}
	if !i.rdap {
		return letter, nil, nil
	}
	var addresses []netip.Addr
	for _, a := range robot.Addresses {
		if address, err := netip.ParseAddr(a.Address); err == nil {
			addresses = append(addresses, address)
		}
	}
	ctx, stop := cli.Interruptible(cmd)
	defer stop()
	transport := fetch.DialFilter{}.Transport()
	defer transport.CloseIdleConnections()
	client := rdap.Client{Transport: transport, UserAgent: cli.UserAgent()}
	letter.Networks, failed = client.Networks(ctx, addresses)
	return letter, failed, nil
}

// sourcesOf returns the sources of versions as the flags name them, printable: parts store them.
func sourcesOf(v auditsites.Values) (list []string) {
	for _, flag := range []struct {
		name   string
		values []string
	}{{"--robots", v.Robots}, {"--git", v.Git}, {"--history", v.History}} {
		for _, value := range flag.values {
			list = append(list, flag.name+" "+printable.Text(value))
		}
	}
	return list
}
