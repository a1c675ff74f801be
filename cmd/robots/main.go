// Command robots reads robots.txt: it shows which URLs a robot may fetch, and why, and
// runs the conformance vectors against other programs.
//
// See "robots help".
package main

import (
	"os"
	"slices"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/spf13/cobra"
)

func main() { os.Exit(run(newRoot, os.Args[1:])) }

// newRoot returns the command with its verbs in the order of help.
func newRoot() *cobra.Command {
	return cli.Root(
		&cobra.Command{
			Use:   "robots",
			Short: "read robots.txt: what robots may fetch, and why",
			Long: `Robots checks robots.txt: which URLs a robot may fetch, and which line decides.
It follows RFC 9309, Google's parser, or the older standards since 1994.

The exit status is 0 for "allowed" or no findings, 1 for "disallowed" or
findings, and 2 for an error. "-" is standard input.`,
			Example: `  robots match --agent ExampleBot robots.txt /private/x`,
		},
		slices.Concat(
			cli.Group("Every day", newMatch(), newFetch(), newPage(), newLint()),
			cli.Group("Authors of robots.txt", newFmt(), newDiff(), newProve(), newMinimize(), newBuild(), newLSP(),
				cli.Other("monitor")),
			cli.Group("Robots that visit a site", newAgents(), newAudit(), cli.Other("guard"), newExport()),
			cli.Group("Crawler", cli.Other("crawl"), cli.Other("search")),
			cli.Group("Tools", cli.Other("serve"), newConform(), newTestweb()),
			guessed(),
		)...,
	)
}
