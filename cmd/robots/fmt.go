package main

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/format"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// newFmt returns the verb that formats files.
func newFmt() *cobra.Command {
	var f formatter
	cmd := &cobra.Command{
		Use:   "fmt [flags] (FILE|-)…",
		Short: "lay robots.txt out in one way, without another meaning",
		Long: `Fmt prints a robots.txt in one layout: fields as their documents write them, one
blank after the colon, one blank line between groups, lines that end with LF.
Comments and the order of lines stay. No dialect reads the result otherwise.

With --write the files are changed. With --check nothing is printed but the names
of files that are laid out otherwise, and the exit status is 1 if there are any;
--diff shows their lines.`,
		Example: `  robots fmt robots.txt
  robots fmt --write robots.txt
  robots fmt --check --diff robots.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return misusef("no file is given: name a robots.txt, or - for standard input")
			case f.write && (f.check || f.diff):
				return misusef("--write does not go with --check and --diff, which change nothing")
			case len(args) > 1 && !f.write && !f.check && !f.diff:
				return misusef("several files cannot be printed as one: add --write, --check or --diff")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.write, "write", "w", false, "write the result to the file")
	flags.BoolVar(&f.check, "check", false, "only tell which files are laid out otherwise")
	flags.BoolVar(&f.diff, "diff", false, "show the lines that would change")
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
			return misusef("standard input cannot be written: leave --write out")
		case f.write && laid != text:
			if err := userfile.Replace(name, laid); err != nil {
				failures = append(failures, fmt.Errorf("cannot write %s: %w", name, cause(err)))
			}
		case f.write:
		case f.diff && laid != text:
			out = lineDiff(name, text, laid)
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
		return reportFailures(cmd, failures)
	case other && (f.check || f.diff):
		return errNo
	}
	return nil
}

// lineDiff returns the changed lines of a file: removed lines with "-", added lines with "+".
// Formatting changes single lines, and adds or removes blank lines, so lineDiff looks for each
// line close to its old place.
func lineDiff(name, before, after string) string {
	const near = 8
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %[1]s, laid out\n", shown(called(name)))
	old, now := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	show := func(sign, line string) {
		if line != "" {
			fmt.Fprintf(&b, "%s%s\n", sign, printable.Text(strings.TrimSuffix(line, "\n")))
		}
	}
	i, j := 0, 0
	for i < len(old) || j < len(now) {
		if i < len(old) && j < len(now) && old[i] == now[j] {
			i, j = i+1, j+1
			continue
		}
		// The next common line ends the change.
		di, dj := nextSame(old[i:], now[j:], near)
		fmt.Fprintf(&b, "@@ line %d @@\n", i+1)
		for _, line := range old[i : i+di] {
			show("-", line)
		}
		for _, line := range now[j : j+dj] {
			show("+", line)
		}
		i, j = i+di, j+dj
	}
	return b.String()
}

// nextSame returns how many lines of each text come before the first common line that is not
// blank, at most near lines away. It returns one of each if there is none.
func nextSame(old, now []string, near int) (i, j int) {
	for sum := 1; sum <= 2*near; sum++ {
		for i := max(0, sum-near); i <= min(sum, near); i++ {
			if j := sum - i; i < len(old) && j < len(now) && old[i] == now[j] && strings.TrimSpace(old[i]) != "" {
				return i, j
			}
		}
	}
	return min(1, len(old)), min(1, len(now))
}
