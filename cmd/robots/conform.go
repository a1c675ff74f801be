package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// newConform returns the verb that runs the conformance vectors against a program.
func newConform() *cobra.Command {
	var c conformer
	cmd := &cobra.Command{
		Use:   "conform [flags]",
		Short: "run the conformance vectors against this program or another",
		Long: `Conform asks this program, or another, what the conformance vectors ask, and
prints how many verdicts agree, for each profile: a way of reading robots.txt
that goes by the name of a dialect. Each ask that does not agree is printed.

The other program speaks the ask protocol on its standard input and output; see
"robots help match" and --jsonl there. It is one string, split into words at
blanks; quotes of either kind keep words together, and nothing else is special.
If the program names the deciding line, a wrong one is shown, but the verdict
counts.

The exit status is 0 if all agree, 1 if not, and 2 after an error.`,
		Example: `  robots conform
  robots conform --profile rfc9309 --with "python3 oracle/python/ask.py"
  robots conform --list`,
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&c.with, "with", "", "ask `program` instead: its name and arguments in one string")
	flags.StringArrayVar(&c.profiles, "profile", nil, "ask for the profile `name` only; repeat it for several")
	flags.DurationVar(&c.timeout, "timeout", 10*time.Second, "stop the program where it takes longer for an answer")
	flags.BoolVar(&c.json, "json", false, "print a JSON object")
	flags.BoolVar(&c.list, "list", false, "list the vectors, and ask nothing")
	cli.Complete(cmd, "profile", dialectNames())
	return cmd
}

// A conformer has the flags of conform, and runs the verb.
type conformer struct {
	with     string
	profiles []string
	timeout  time.Duration
	json     bool
	list     bool
}

func (c *conformer) run(cmd *cobra.Command) error {
	sections, err := c.sections()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if c.list {
		if c.json {
			out.Write(append(conformance.AppendList(nil, sections), '\n'))
		} else {
			say.Sections(out, sections)
		}
		return out.Flush()
	}
	var asker conformance.Asker = new(ask.Server)
	own := c.with == ""
	if !own || cmd.Flags().Changed("with") {
		args, err := splitWords(c.with)
		if err != nil {
			return cli.Misusef("--with: %w", err)
		}
		if len(args) == 0 {
			return cli.Misusef("--with names no program: give one, such as --with \"python3 ask.py\"")
		}
		asker = &conformance.Program{Args: args, Timeout: c.timeout}
	}
	ctx, stop := cli.UntilInterrupted(cmd.Context())
	defer stop()
	report, err := conformance.Run(ctx, asker, sections)
	if err != nil {
		if errors.Is(err, conformance.ErrNotAsked) {
			return fmt.Errorf("%s %w: name a program that can be started", c.with, err)
		}
		return err
	}
	if c.json {
		out.Write(printable.JSON(append(printable.AppendJSON(nil, &report), '\n')))
	} else {
		(&say.Printer{W: out, Color: cli.Colored(cmd, cmd.OutOrStdout())}).Conformance(&report, own)
	}
	if err = out.Flush(); err == nil && report.Missed(own) {
		err = cli.ErrNo
	}
	return err
}

// sections returns the vectors of the selected profiles.
func (c *conformer) sections() ([]conformance.Section, error) {
	all, err := conformance.Sections()
	if err != nil || len(c.profiles) == 0 {
		return all, err
	}
	wanted := make(map[string]bool)
	for _, name := range c.profiles {
		d, err := robots.ParseDialect(name)
		if err != nil {
			return nil, cli.Unknown("profile", name, dialectNames())
		}
		wanted[d.String()] = true
		if !slices.ContainsFunc(all, func(s conformance.Section) bool { return s.Profile == d.String() }) {
			return nil, fmt.Errorf("there are no vectors for profile %s", d)
		}
	}
	return slices.DeleteFunc(all, func(s conformance.Section) bool { return !wanted[s.Profile] }), nil
}
