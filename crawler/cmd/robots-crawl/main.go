// Command robots-crawl visits pages, politely, and searches them: it has the verbs crawl and
// search of the program robots, which runs it.
//
// See "robots help crawl" and "robots help search".
package main

import (
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/spf13/cobra"
)

func main() { cli.Main(newRoot()) }

// newRoot returns the command with its verbs. Run by robots, it has that name in help.
func newRoot() *cobra.Command {
	return cli.Root(
		&cobra.Command{
			Use:   cli.Name("robots-crawl"),
			Short: "visit pages, and search them",
			Long: `Robots-crawl has the verbs of robots that need a database and a search engine. They
are a separate program because the database and the search engine take long to compile,
and most users of robots need neither. "robots crawl" runs
"robots-crawl crawl", and "robots search" runs "robots-crawl search", if this program is
in the folder of robots or in PATH.

The exit status is 0 for yes, or nothing found, 1 for no, or something found,
and 2 if the question could not be asked. "-" is standard input.`,
			Example: `  robots-crawl crawl --demo`,
		},
		newCrawl(),
		newSearch(),
	)
}
