package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
	"github.com/spf13/cobra"
)

// newLint returns the verb that finds mistakes.
func newLint() *cobra.Command {
	var l linter
	cmd := &cobra.Command{
		Use:   "lint [flags] (FILE|-)…",
		Short: "find mistakes in robots.txt, and repair them",
		Long: `Lint looks for mistakes: bytes that no robot reads, fields that nobody knows,
patterns that match nothing, groups that say something else than they seem to.
'robots lint --explain CHECK' tells what a check looks for and why; without a
name it lists all.

A comment silences a check, with a reason:

  # robots-lint: ignore CHECK reason
  # robots-lint: ignore-file CHECK reason

The exit status is 0 if nothing is found that is as severe as --fail-on says, 1
if something is, and 2 if a file could not be read. With --fix, safe fixes are
written to the files, or for standard input to standard output, and what is left
is told.`,
		Example: `  robots lint robots.txt
  robots lint --profile strict --disable long-line robots.txt
  robots lint --fix robots.txt
  robots lint --format sarif robots.txt > robots.sarif
  robots lint --explain stray-rule`,
		Args: func(cmd *cobra.Command, args []string) error { return l.checkArgs(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if l.explain {
				return explainChecks(cmd, args, l.language())
			}
			return l.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	l.table.add(cmd)
	flags.StringVar(&l.profile, "profile", lint.Recommended.String(), "the `name` of a choice of checks: "+strings.Join(profileNames(), ", "))
	flags.StringSliceVar(&l.enable, "enable", nil, "run these `checks` too; several are joined by commas")
	flags.StringSliceVar(&l.disable, "disable", nil, "do not run these `checks`")
	flags.StringVar(&l.failOn, "fail-on", lint.Warning.String(), "the least `severity` that is answered by exit status 1: error, warning, info")
	flags.StringVar(&l.format, "format", lint.Text.String(), "write as `name` says: "+strings.Join(formatNames(), ", "))
	flags.BoolVar(&l.json, "json", false, "the same as --format json")
	l.lang.add(cmd)
	flags.BoolVar(&l.fix, "fix", false, "make safe fixes")
	flags.BoolVar(&l.explain, "explain", false, "tell what the checks named look for, or list all")
	complete(cmd, "profile", profileNames())
	complete(cmd, "format", formatNames())
	complete(cmd, "fail-on", []string{"error", "warning", "info"})
	complete(cmd, "enable", checkNames())
	complete(cmd, "disable", checkNames())
	return cmd
}

// A linter is the command line of lint, and does what it says.
type linter struct {
	profile         string
	enable, disable []string
	failOn          string
	format          string
	json            bool
	lang            languageFlag
	fix             bool
	explain         bool
	table           tableFlag
}

func (l *linter) checkArgs(cmd *cobra.Command, args []string) error {
	if l.json {
		if cmd.Flags().Changed("format") && l.format != lint.JSON.String() {
			return misusef("--json does not go with --format %s: leave one of them out", l.format)
		}
		l.format = lint.JSON.String()
	}
	for _, name := range append(append([]string{}, l.enable...), l.disable...) {
		if lint.Find(name) == nil {
			return unknownCheck(name)
		}
	}
	if l.explain {
		return nil
	}
	if len(args) == 0 {
		return misusef("no file is given: name a robots.txt, or - for standard input")
	}
	if _, ok := lint.ParseProfile(l.profile); !ok {
		return misusef("unknown profile %q: the profiles are %s", l.profile, strings.Join(profileNames(), ", "))
	}
	if _, ok := lint.ParseFormat(l.format); !ok {
		return misusef("unknown format %q: the formats are %s", l.format, strings.Join(formatNames(), ", "))
	}
	if _, ok := lint.ParseSeverity(l.failOn); !ok {
		return misusef("--fail-on is %q: name error, warning or info", l.failOn)
	}
	stdins := 0
	for _, arg := range args {
		if arg == stdin {
			stdins++
		}
	}
	if stdins > 1 {
		return misusef("standard input is named twice")
	}
	return nil
}

func unknownCheck(name string) error {
	if near := lint.Nearest(name); near != "" {
		return misusef("unknown check %q: did you mean %s?", name, near)
	}
	return misusef("unknown check %q: 'robots lint --explain' lists them", name)
}

func (l *linter) run(cmd *cobra.Command, names []string) error {
	o := lint.Options{Enable: l.enable, Disable: l.disable, Language: l.language()}
	o.Profile, _ = lint.ParseProfile(l.profile)
	failOn, _ := lint.ParseSeverity(l.failOn)
	writer := lint.Writer{Color: colored(cmd.OutOrStdout())}
	writer.Format, _ = lint.ParseFormat(l.format)

	found := false
	var files []lint.File
	for _, name := range names {
		data, err := readFile(cmd, name)
		if err != nil {
			return err
		}
		report := lint.Run(robots.Parse(data), o)
		if l.fix {
			if report, err = l.repair(cmd, name, report, o); err != nil {
				return err
			}
		}
		found = found || report.Count(failOn) > 0
		shownName := name
		if name == stdin {
			shownName = "stdin"
		}
		files = append(files, lint.File{Name: shownName, Report: report})
	}
	to := cmd.OutOrStdout()
	if l.fix && names[0] == stdin {
		to = cmd.ErrOrStderr() // the text went to standard output
	}
	out := bufio.NewWriter(to)
	err := writer.Write(out, files...)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	if err != nil {
		return fmt.Errorf("cannot write what was found: %w", cause(err))
	}
	if found {
		return errNo
	}
	return nil
}

// repair makes the safe fixes of a report, and returns what is found then.
func (l *linter) repair(cmd *cobra.Command, name string, report *lint.Report, o lint.Options) (*lint.Report, error) {
	text := report.Fix()
	if name == stdin {
		if _, err := fmt.Fprint(cmd.OutOrStdout(), text); err != nil {
			return nil, fmt.Errorf("cannot write the file: %w", cause(err))
		}
	} else if text != report.Policy.String() {
		if err := replaceFile(name, text); err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", name, cause(err))
		}
	}
	return lint.Run(robots.Parse([]byte(text)), o), nil
}

// environmentLanguage returns the locale of messages that the environment asks
// for.
func environmentLanguage() string {
	return cmp.Or(os.Getenv("LANGUAGE"), os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
}

// language returns the language of messages.
func (l *linter) language() lint.Language {
	return lint.Language(l.lang.language())
}

// explainChecks writes what checks look for, or the list of all.
func explainChecks(cmd *cobra.Command, names []string, language lint.Language) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	if len(names) == 0 {
		t := &table{w: out, color: colored(cmd.OutOrStdout())}
		for _, c := range lint.Checks() {
			var profiles []string
			for _, p := range c.Profiles {
				profiles = append(profiles, p.String())
			}
			t.add([]cell{{c.Name, bold}, {text: c.Severity.String()}, {text: strings.Join(profiles, ", ")}, {text: c.Summary()}})
		}
		t.flush()
	}
	for i, name := range names {
		c := lint.Find(name)
		if c == nil {
			return unknownCheck(name)
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(out, "%s: %v\n\n%s\n", c.Name, c.Severity, strings.TrimSpace(c.Explain(language)))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write the checks: %w", cause(err))
	}
	return nil
}

func profileNames() []string {
	return []string{lint.Recommended.String(), lint.Strict.String(), lint.SEO.String(), lint.Historic.String()}
}

func formatNames() (names []string) {
	for _, f := range []lint.Format{lint.Text, lint.JSON, lint.SARIF, lint.GitHub, lint.Checkstyle, lint.JUnit} {
		names = append(names, f.String())
	}
	return names
}

func checkNames() (names []string) {
	for _, c := range lint.Checks() {
		names = append(names, c.Name)
	}
	return names
}
