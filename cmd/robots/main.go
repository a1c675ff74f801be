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
	root := &cobra.Command{
		Use:   "robots [flags] [FILE|FOLDER|ORIGIN|-]",
		Short: "read robots.txt: what robots may fetch, and why",
		Long: `Robots checks robots.txt: which URLs a robot may fetch, and which line decides.
It follows RFC 9309, Google's parser, or the older standards since 1994.

Without a verb, robots prints the report card of a file, a live site, or the
robots.txt of the project in the current folder: what it says to AI, to search
engines and to others, its mistakes, and what to do next.

The exit status is 0 for "allowed" or no findings, 1 for "disallowed" or
findings, and 2 for an error. A report card is not a finding: it exits with 0
whatever it says, and with 1 if the site is unreachable. "-" is standard input.`,
		Example: `  robots
  robots example.com
  robots block ai-train
  robots match --agent Googlebot robots.txt /private/x`,
	}
	card := newCarder(root)
	return card.answer(cli.Root(root,
		slices.Concat(
			cli.Group("Every day", newMatch(), newFetch(), newPage(), newLint()),
			cli.Group("Authors of robots.txt", newBlock(), newAllow(), newFmt(), newDiff(), newProve(),
				newMinimize(), newBuild(), newLSP(), cli.Other("monitor")),
			cli.Group("Robots that visit a site", newAgents(), newAudit(), cli.Other("guard"), newExport()),
			cli.Group("Crawler", cli.Other("crawl"), cli.Other("search")),
			cli.Group("Tools", cli.Other("serve"), newConform(), newTestweb()),
			guessed(),
		)...,
	))
}
