package cli

import "github.com/spf13/cobra"

// others has the verbs of robots that another program has. A program of its own spares others
// its dependencies: each user downloads and compiles what the program imports.
var others = map[string]struct{ program, short string }{
	"crawl":   {"robots-crawl", "visit pages and what they link to, politely"},
	"search":  {"robots-crawl", "search the pages that were indexed, or index files"},
	"monitor": {"robotsd", "watch live sites, and report changes by their meaning"},
	"guard":   {"robotsd", "enforce a site's own robots.txt, as a proxy before the site"},
	"serve":   {"robotsd", "answer questions about robots.txt over HTTP"},
}

// Other returns a verb of robots that runs the program that has the verb.
func Other(verb string) *cobra.Command {
	name := others[verb].program
	return Program{Name: name, Package: "github.com/robotsexclusion/robots/cmd/" + name}.Verb(verb, Short(verb))
}

// Short returns what a verb of another program than robots does, as both programs say in help.
func Short(verb string) string {
	if others[verb].short == "" {
		panic("no program has the verb " + verb) // a mistake in the program that asks
	}
	return others[verb].short
}
