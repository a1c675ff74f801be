// Command robotsd has the verbs of the program robots that run for days on a server, such as guard.
// The program robots runs it.
//
// See "robots help guard".
package main

import (
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

func main() { cli.Main(newRoot()) }

// newRoot returns the command with its verbs. Run by robots, it has that name in help.
func newRoot() *cobra.Command {
	return cli.Root(
		&cobra.Command{
			Use:   cli.Name("robotsd"),
			Short: "services about robots.txt, for servers",
			Long: `Robotsd has the verbs of robots that run for days on a server. They are a program
of their own because they need libraries, such as the client of NATS, that questions
about a file do not need. "robots guard" runs "robotsd guard", and so on, if this program
is in the folder of robots or in PATH.

The exit status is 0 if a service was stopped, and 2 if it could not start or serve.`,
			Example: `  robotsd guard --upstream http://127.0.0.1:8080 --listen :80`,
		},
		newGuard(),
		newMonitor(),
		newServe(),
	)
}

// shown returns s in a form safe for a terminal. An empty string becomes two quotes, to be
// visible.
func shown(s string) string { return printable.Shown(s) }

// cause returns the error of the system without the file name, which messages give already.
func cause(err error) error { return userfile.Cause(err) }
