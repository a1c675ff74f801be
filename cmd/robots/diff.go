package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/proof"
	"github.com/spf13/cobra"
)

// newDiff returns the verb that shows which paths a change of a file closes and opens.
func newDiff() *cobra.Command {
	var d differ
	cmd := &cobra.Command{
		Use:   "diff [flags] (OLD NEW|ORIGIN)",
		Short: "show which paths a change of robots.txt closes and opens",
		Long: `Diff compares two robots.txt files by what they say, not by their lines: for
each robot that one of them names, and for all others (*), which paths were
closed and which opened, each with the rule that does it and a path that shows
it. Diff compares all paths at once: "no change" is proven. It also lists other
changed records, such as Sitemap and Crawl-delay.

` + helpOnAgents + `

OLD and NEW are files, or origins such as example.com, whose robots.txt diff
fetches: 'robots diff example.com robots.txt' shows what a file will change on a
live site. Standard error has the answer of the server. It means what RFC 9309
says: without a robots.txt all is allowed, and nothing while the server is
unreachable.

With --at, diff uses the robots.txt that was in force for an origin at a time, or
on a day, from the history in the folder of --cache: give one file, one origin
and one --at, or one origin and two.

The exit status is 0 if every robot gets the same answer for every path, 1 after
a change, and 2 after an error, or if --limit was too low to decide. With
--fail-on closed, or opened, only such a change has status 1.`,
		Example: `  robots diff robots.txt new.robots.txt
  git show HEAD:robots.txt | robots diff - robots.txt
  robots diff --agent Googlebot --fail-on closed old.txt new.txt
  robots diff --markdown old.txt new.txt
  robots diff example.com robots.txt
  robots diff --cache ~/robots --at 2026-03-03 example.com robots.txt
  robots diff --cache ~/robots --at 2026-03-03 --at 2026-06-01 example.com`,
		Args: func(cmd *cobra.Command, args []string) error { return d.checkArgs(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd, args) },
	}
	flags := cmd.Flags()
	d.table.add(cmd)
	d.agents.add(cmd, "ask only about these `robots`, with commas between them; repeat it for more")
	flags.Var(dialectFlag{&d.dialect}, "dialect", "read both as `name` says")
	flags.StringVar(&d.failOn, "fail-on", "any", "the `change` that is answered by exit status 1: any, closed, opened")
	flags.IntVar(&d.limit, "limit", 0, "look at no more than `number` cases for each question (default 65536)")
	flags.BoolVar(&d.json, "json", false, "print a JSON object")
	flags.BoolVar(&d.markdown, "markdown", false, "print Markdown, for the comment of a pull request")
	flags.Func("at", usageOfAt+"; repeat it to compare two times", func(text string) error {
		m, err := inforce.Parse(text)
		d.at = append(d.at, m)
		return err
	})
	d.addQuiet(flags)
	d.addFlags(flags)
	d.lang.Add(cmd)
	cli.Complete(cmd, "dialect", dialectNames())
	cli.Complete(cmd, "fail-on", []string{"any", "closed", "opened"})
	readsProject(cmd, func(_ *cobra.Command, args []string) (int, bool) {
		if len(args) != 1 || len(d.at) > 0 {
			return 1, false
		}
		_, ok := origin(args[0]) // what does this project change on the live site?
		return 1, ok
	})
	return cmd
}

// A differ has the flags of diff, and runs the verb.
type differ struct {
	network
	table    tableFlag
	agents   agentsFlag
	dialect  robots.Dialect
	failOn   string
	limit    int
	json     bool
	markdown bool
	at       []inforce.Moment
	lang     cli.LanguageFlag
}

func (d *differ) checkArgs(cmd *cobra.Command, args []string) error {
	if len(d.at) > 0 {
		if err := d.checkAt(cmd); err != nil {
			return err
		}
		if err := d.checkOrigins(args); err != nil {
			return err
		}
	}
	if err := d.checkQuiet(cmd, "json", "markdown"); err != nil {
		return err
	}
	if err := checkFolders(args); err != nil {
		return err
	}
	switch {
	case len(d.at) == 2:
	case len(args) < 2:
		if found := projectFiles("."); len(args) == 1 && len(found) == 1 && args[0] != found[0] {
			return cli.Misusef("two files are needed, the old robots.txt and then the new one: '%s' compares it with "+
				"the one of this project", shown(commandLine([]string{"robots", "diff", args[0], found[0]})))
		}
		return cli.Misusef("two files are needed: the old robots.txt, then the new one")
	case len(args) > 2:
		return cli.Misusef("unexpected argument %q: diff compares two files", args[2])
	case args[0] == stdin && args[1] == stdin:
		return cli.Misusef("standard input cannot be both files: name a file for one of them")
	}
	switch {
	case d.failOn != "any" && d.failOn != "closed" && d.failOn != "opened":
		return cli.Misusef("--fail-on is %q: name any, closed or opened", d.failOn)
	case d.json && d.markdown:
		return cli.Misusef("--json does not go with --markdown: leave one of them out")
	case d.limit < 0 || d.limit == 0 && cmd.Flags().Changed("limit"):
		return cli.Misusef("--limit is %d: name a number above 0", d.limit)
	case len(d.at) > 0:
		return nil
	}
	return d.checkSources(cmd, args...)
}

// checkFolders refuses folders, with the command line for the files robots.txt in them. One folder
// alone is compared with the project here.
func checkFolders(args []string) error {
	line, folder := []string{"robots", "diff"}, ""
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() || arg == stdin {
			line = append(line, arg)
			continue
		}
		found := projectFiles(arg)
		if len(found) == 0 {
			return fmt.Errorf("there is no robots.txt in %s, nor in its usual folders such as public: name a file",
				shown(arg))
		}
		folder = cmp.Or(folder, arg)
		line = append(line, found[0])
	}
	switch {
	case folder == "":
		return nil
	case len(args) == 1:
		file := theFile[0]
		if found := projectFiles("."); len(found) > 0 {
			file = found[0]
		}
		line = slices.Insert(line, 2, file)
	}
	return cli.Misusef("diff compares files, and %s is a folder: '%s' compares its robots.txt", shown(folder),
		shown(commandLine(line)))
}

// checkOrigins refuses arguments whose origins do not fit the number of --at.
func (d *differ) checkOrigins(args []string) error {
	origins := 0
	for _, arg := range args {
		if _, ok := origin(arg); ok {
			origins++
		}
	}
	switch {
	case len(d.at) == 1 && (len(args) != 2 || origins != 1):
		return cli.Misusef("with one --at, name one file and one origin: it asks what was in force for the origin")
	case len(d.at) == 2 && (len(args) != 1 || origins != 1):
		return cli.Misusef("with two --at, name one origin: diff compares what was in force for it")
	case len(d.at) > 2:
		return cli.Misusef("--at is given %d times: diff compares two", len(d.at))
	}
	return nil
}

// policies returns the two policies to compare.
func (d *differ) policies(cmd *cobra.Command, args []string) (both [2]*robots.Policy, err error) {
	if len(d.at) == 2 {
		args = []string{args[0], args[0]}
	}
	times := d.at
	for i, name := range args {
		var at inforce.Moment
		if _, ok := origin(name); ok && len(times) > 0 {
			at, times = times[0], times[1:]
		}
		if both[i], err = d.policyOf(cmd, name, d.dialect, at, d.lang.Language()); err != nil {
			return both, err
		}
	}
	return both, nil
}

func (d *differ) run(cmd *cobra.Command, args []string) error {
	both, err := d.policies(cmd, args)
	if err != nil {
		return err
	}
	known, err := d.table.read(cmd)
	if err != nil {
		return err
	}
	options := proof.Options{Robots: known, Limit: d.limit}
	if d.agents.given() {
		asked, err := d.agents.resolve(known, d.lang.Language(), both[0], both[1])
		if err != nil {
			return err
		}
		if options.Agents, err = tokensOf(asked); err != nil {
			return err
		}
	}
	diff, undecided := proof.Diff(both[0], both[1], options)
	if !d.quiet {
		err = cli.Output(cmd, "the changes", d.json, diff, func(w io.Writer) {
			printer := printerFor(cmd, &d.lang, w, cmd.OutOrStdout())
			if d.markdown {
				printer.Markdown(diff)
			} else {
				printer.Difference(diff)
			}
		})
	}
	if err != nil {
		return err
	}
	for _, c := range diff.Changes {
		if d.failOn == "any" || d.failOn == c.Direction() {
			return cli.ErrNo
		}
	}
	switch {
	case undecided != nil && d.quiet:
		return errUndecided
	case undecided != nil:
		return cli.ErrFailed
	}
	return nil
}
