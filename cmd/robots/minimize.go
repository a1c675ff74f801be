package main

import (
	"bufio"
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
	"github.com/spf13/cobra"
)

// newMinimize returns the verb that makes a file smaller.
func newMinimize() *cobra.Command {
	var m minimizer
	cmd := &cobra.Command{
		Use:   "minimize [flags] (FILE|-)",
		Short: "make robots.txt smaller without another meaning",
		Long: `Minimize prints a robots.txt without the lines that change nothing: rules that
never decide, rules that others imply, groups that repeat the one that their
robots would obey anyway; and it tells robots with equal groups together.
Comments, order and records stay. It is proven that every robot gets the same
answer for every path, in RFC 9309 and in Google's dialect.

With --why it prints the lines that can be left out instead, and why; the exit
status is 1 if there are any.`,
		Example: `  robots minimize robots.txt > smaller.txt
  robots minimize --why robots.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return misusef("no file is given: name a robots.txt, or - for standard input")
			case len(args) > 1:
				return misusef("unexpected argument %q: minimize reads one file", args[1])
			case m.limit < 0:
				return misusef("--limit is %d: name a number above 0", m.limit)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return m.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&m.why, "why", false, "print the lines that can be left out, and why")
	flags.BoolVar(&m.json, "json", false, "with --why, print a JSON object")
	flags.IntVar(&m.limit, "limit", 0, "look at no more than `number` cases for each question (default 65536)")
	return cmd
}

// A minimizer is the command line of minimize, and does what it says.
type minimizer struct {
	why, json bool
	limit     int
}

func (m *minimizer) run(cmd *cobra.Command, name string) error {
	if m.json && !m.why {
		return misusef("--json goes with --why only")
	}
	data, err := readRobots(cmd, name)
	if err != nil {
		return err
	}
	policy := robots.Parse(data)
	small := proof.Minimize(policy, proof.Options{Limit: m.limit})
	out := bufio.NewWriter(cmd.OutOrStdout())
	switch {
	case m.json:
		type line struct {
			Line int    `json:"line"`
			Text string `json:"text"`
			Why  string `json:"why"`
		}
		lines := []line{}
		for _, l := range small.LeftOut {
			lines = append(lines, line{l.Rule.Line, l.Text, l.Why})
		}
		out.Write(printable.JSON(append(appendJSON(nil, map[string]any{
			"octets": len(data), "minimized": len(small.Text), "undecided": small.Undecided, "left_out": lines,
		}), '\n')))
	case m.why:
		for _, l := range small.LeftOut {
			fmt.Fprintln(out, l)
		}
		fmt.Fprintf(out, "%d of %d octets are enough\n", len(small.Text), len(data))
	default:
		out.WriteString(small.Text)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write the file: %w", cause(err))
	}
	if small.Undecided {
		fmt.Fprintln(cmd.ErrOrStderr(), "robots: some lines stay because there are too many cases to prove that they change nothing: --limit lets it look at more")
	}
	if m.why && len(small.LeftOut) > 0 {
		return errNo
	}
	return nil
}
