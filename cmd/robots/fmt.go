package main

import (
	"fmt"

	"github.com/robotsexclusion/robots/cmd/internal/say/changetext"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/lint/format"
	"github.com/spf13/cobra"
)

// newFmt returns the verb that formats files.
func newFmt() *cobra.Command {
	var f formatter
	cmd := &cobra.Command{
		Use:   "fmt [flags] (FILE|-)…",
		Short: "format robots.txt without changing its meaning",
		Long: `Fmt prints a robots.txt in one layout. Field names have the spelling of the
standards, one blank follows the colon, one blank line separates groups, and
lines end with LF. Comments and the order of lines stay. The result means the same in all dialects.

--write changes the files. --check only prints the names of files with another
layout; --diff shows their lines.

The exit status is 0; 1 with --check or --diff if a file has another layout; and
2 if fmt could not read or write a file.`,
		Example: `  robots fmt robots.txt
  robots fmt --write robots.txt
  robots fmt --check --diff robots.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cli.Misusef("no file is given: name a robots.txt, or - for standard input")
			case f.write && (f.check || f.diff):
				return cli.Misusef("--write does not go with --check and --diff, which change nothing")
			case len(args) > 1 && !f.write && !f.check && !f.diff:
				return cli.Misusef("several files cannot be printed as one: add --write, --check or --diff")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.write, "write", "w", false, "write the result to the file")
	flags.BoolVar(&f.check, "check", false, "only list the files that are formatted otherwise")
	flags.BoolVar(&f.diff, "diff", false, "show the lines that would change")
	readsProject(cmd, first)
	return cmd
}

// A formatter has the flags of fmt, and runs the verb.
type formatter struct{ write, check, diff bool }

func (f *formatter) run(cmd *cobra.Command, names []string) error {
	other := false
	var failures []error // errors of reading or writing a file do not stop the others
	for _, name := range names {
		data, err := readRobots(cmd, name)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		text := string(data)
		laid := format.Source(text)
		other = other || laid != text
		out := ""
		switch {
		case f.write && name == stdin:
			return cli.Misusef("standard input cannot be written: leave --write out")
		case f.write && laid != text:
			if err := userfile.Replace(name, laid); err != nil {
				failures = append(failures, fmt.Errorf("cannot write %s: %w", name, cause(err)))
			}
		case f.write:
		case f.diff && laid != text:
			out = changetext.Lines(called(name), text, laid, true)
		case f.check && laid != text:
			out = called(name) + "\n"
		case !f.check && !f.diff:
			out = laid
		}
		if _, err := fmt.Fprint(cmd.OutOrStdout(), out); err != nil {
			return fmt.Errorf("cannot write the text: %w", cause(err))
		}
	}
	switch {
	case len(failures) > 0:
		return cli.ReportFailures(cmd, failures)
	case other && (f.check || f.diff):
		return cli.ErrNo
	}
	return nil
}
