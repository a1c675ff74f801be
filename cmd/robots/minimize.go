package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
	"github.com/spf13/cobra"
)

// newMinimize returns the verb that makes a file smaller.
func newMinimize() *cobra.Command {
	var m minimizer
	cmd := &cobra.Command{
		Use:   "minimize [flags] (FILE|ORIGIN|-)",
		Short: "remove redundant lines from robots.txt without changing its meaning",
		Long: `Minimize prints a robots.txt without the lines that change nothing: rules that
never decide, rules that others imply, groups that repeat the one that their
robots would obey anyway; and it joins the groups of robots with equal rules.
Minimize proves that every robot gets the same answer for every path, in RFC
9309 and in Google's dialect, and that no other line can go.

The order of lines and all other records stay, and so do all comments: the
comment of a removed line becomes a line, and the comments of a group that is
joined with another one go before that group.

Other readers may then give other answers: programs that take the first rule
that matches, such as Python's urllib.robotparser, programs without wildcards,
and Yandex, which weighs rules in its own way. A note on standard error names
each such reader, with a path. --keep also keeps the answers of a reader.

Minimize fetches the robots.txt of an origin, such as example.com. With --why it
prints the lines that can go instead, and why.

The exit status is 0; 1 with --why if a line can go; and 2 after an error.`,
		Example: `  robots minimize robots.txt > smaller.txt
  robots minimize --keep koster1996 robots.txt
  robots minimize --why robots.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cli.Misusef("no file is given: name a robots.txt, or - for standard input")
			case len(args) > 1:
				return cli.Misusef("unexpected argument %q: minimize reads one file", args[1])
			case m.limit < 0 || m.limit == 0 && cmd.Flags().Changed("limit"):
				return cli.Misusef("--limit is %d: name a number above 0", m.limit)
			}
			if err := m.checkSources(cmd, args[0]); err != nil {
				return err
			}
			return m.readKeep()
		},
		RunE: func(cmd *cobra.Command, args []string) error { return m.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&m.why, "why", false, "print the lines that can be left out, and why")
	flags.StringSliceVar(&m.keep, "keep", nil, "keep the answers of this `reader` too: "+
		strings.Join(readerNames(), ", ")+"; repeat it for others")
	flags.BoolVar(&m.json, "json", false, "with --why, print a JSON object")
	flags.IntVar(&m.limit, "limit", 0, "look at no more than `number` cases for each question (default 65536)")
	m.addFlags(flags)
	m.lang.Add(cmd)
	cli.Complete(cmd, "keep", readerNames())
	readsProject(cmd, first)
	return cmd
}

// A minimizer has the flags of minimize, and runs the verb.
type minimizer struct {
	network
	why, json bool
	limit     int
	keep      []string
	lang      cli.LanguageFlag

	kept, others []proof.Reader
}

// unpromised returns the readers whose answers minimize may change.
func unpromised() []proof.Reader {
	return slices.DeleteFunc(proof.Readers(), func(r proof.Reader) bool {
		return r.Name == "rfc9309" ||
			r.Name == "google"
	})
}

// readerNames returns the names of the unpromised readers.
func readerNames() (names []string) {
	for _, r := range unpromised() {
		names = append(names, r.Name)
	}
	return names
}

// readKeep finds the readers named by --keep.
func (m *minimizer) readKeep() error {
	for _, name := range m.keep {
		if !slices.Contains(readerNames(), strings.ToLower(strings.TrimSpace(name))) {
			return cli.Unknown("reader", name, readerNames())
		}
	}
	for _, r := range unpromised() {
		if slices.ContainsFunc(m.keep, func(name string) bool {
			return strings.EqualFold(strings.TrimSpace(name),
				r.Name)
		}) {
			m.kept = append(m.kept, r)
		} else {
			m.others = append(m.others, r)
		}
	}
	return nil
}

func (m *minimizer) run(cmd *cobra.Command, name string) error {
	if m.json && !m.why {
		return cli.Misusef("--json goes with --why only")
	}
	data, err := m.readText(cmd.Context(), cmd, name, m.lang.Language())
	if err != nil {
		return err
	}
	policy := robots.Parse(data)
	options := proof.Options{Limit: m.limit, Readers: m.kept, Noted: m.others}
	if !m.json {
		options.Language = m.lang.Language().String()
	}
	small, _ := proof.Minimize(policy, options) // it says itself what is undecided
	out := bufio.NewWriter(cmd.OutOrStdout())
	switch {
	case m.json:
		out.Write(printable.JSON(append(printable.AppendJSON(nil, small), '\n')))
	case m.why:
		say.LeftOut(out, m.lang.Language(), small, len(data))
	default:
		out.WriteString(small.Text)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write the file: %w", cause(err))
	}
	if !m.json {
		say.Shifts(cmd.ErrOrStderr(), m.lang.Language(), small)
	}
	if small.Undecided {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textLinesStay.In(m.lang.Language()))
	}
	if m.why && len(small.LeftOut) > 0 {
		return cli.ErrNo
	}
	return nil
}
