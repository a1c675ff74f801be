package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/cmd/internal/lintsite"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/lint"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newLint returns the verb that finds mistakes.
func newLint() *cobra.Command {
	var l linter
	cmd := &cobra.Command{
		Use:   "lint [flags] (FILE|ORIGIN|-)…",
		Short: "find mistakes in robots.txt, and repair them",
		Long: `Lint looks for mistakes: bytes that no robot reads, unknown fields, patterns
that match nothing, groups that do not mean what they seem to mean.
'robots lint --explain CHECK' explains what a check looks for and why; without a
name it lists all.

For an origin, such as example.com or https://example.com, lint fetches the
file, and also looks at the answer: status, redirects, content type and caching.
With --sitemaps it fetches the sitemaps that the file names, and checks their
URLs against the rules; --sitemap does so with a file. With --at, lint uses the
version that was in force for an origin at a time, or on a day, from the history
in the folder of --cache, without any request.

A comment silences a check, with a reason:

  # robots-lint: ignore CHECK reason
  # robots-lint: ignore-file CHECK reason

Lint prints the number of findings on standard error if there is one.

The exit status is 0 without a finding as severe as --fail-on says, 1 with one,
and 2 if lint could not read a file, or it has more than 8 MiB; lint still
checks the others. --fix writes safe fixes to the files, or for standard input
to standard output. It names each changed file on standard error, and reports
what is left with its number and the reason.`,
		Example: `  robots lint robots.txt
  robots lint --profile strict --disable long-line robots.txt
  robots lint --fix robots.txt
  robots lint --sitemaps example.com
  robots lint --format sarif robots.txt > robots.sarif
  robots lint --explain stray-rule`,
		Args: func(cmd *cobra.Command, args []string) error { return l.checkArgs(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if l.explain {
				return l.explainChecks(cmd, args)
			}
			return cli.RunInterruptible(cmd, args, l.run)
		},
	}
	flags := cmd.Flags()
	l.table.add(cmd)
	flags.StringVar(&l.profile, "profile", string(lint.Recommended), "the `name` of a choice of checks: "+
		strings.Join(profileNames(), ", "))
	flags.StringSliceVar(&l.enable, "enable", nil, "run these `checks` too; several are joined by commas")
	flags.StringSliceVar(&l.disable, "disable", nil, "do not run these `checks`")
	flags.StringVar(&l.failOn, "fail-on", lint.Warning.String(),
		"the least `severity` that is answered by exit status 1: error, warning, info")
	flags.StringVar(&l.format, "format", "text", "write as `name` says: "+strings.Join(lint.Formats(), ", "))
	flags.BoolVar(&l.json, "json", false, "the same as --format json")
	l.lang.Add(cmd)
	flags.BoolVar(&l.fix, "fix", false, "make safe fixes")
	flags.BoolVar(&l.explain, "explain", false, "explain the checks named, or list all")
	flags.BoolVar(&l.sitemaps, "sitemaps", false,
		"fetch the sitemaps that the file names, and hold their URLs against its rules")
	flags.StringArrayVar(&l.sitemapFiles, "sitemap", nil,
		"hold the URLs of this sitemap `file` against the rules; repeat it for others")
	l.addQuiet(flags)
	l.addFlags(flags)
	addMoment(flags, &l.at, "at", usageOfAt)
	cli.Complete(cmd, "profile", profileNames())
	cli.Complete(cmd, "format", lint.Formats())
	cli.Complete(cmd, "fail-on", []string{"error", "warning", "info"})
	cli.Complete(cmd, "enable", checkNames())
	cli.Complete(cmd, "disable", checkNames())
	cli.Explains(cmd, checkNames())
	readsProject(cmd, func(_ *cobra.Command, args []string) (int, bool) { return 0, len(args) == 0 && !l.explain })
	return cmd
}

// A linter has the flags of lint, and runs the verb.
type linter struct {
	network
	profile         string
	enable, disable []string
	failOn          string
	format          string
	json            bool
	lang            cli.LanguageFlag
	fix             bool
	explain         bool
	table           tableFlag
	sitemaps        bool
	sitemapFiles    []string
	at              inforce.Moment
}

func (l *linter) checkArgs(cmd *cobra.Command, args []string) error {
	if l.json {
		if cmd.Flags().Changed("format") && l.format != "json" {
			return cli.Misusef("--json does not go with --format %s: leave one of them out", l.format)
		}
		l.format = "json"
	}
	for _, name := range append(append([]string{}, l.enable...), l.disable...) {
		if lint.Find(name) == nil {
			return unknownCheck(name)
		}
	}
	if l.explain {
		var err error
		cmd.Flags().Visit(func(flag *pflag.Flag) {
			if !slices.Contains([]string{"explain", "lang", "color"}, flag.Name) {
				err = cli.Misusef("--%s does not go with --explain, which looks at no file: only --lang does",
					flag.Name)
			}
		})
		return err
	}
	if err := l.checkQuiet(cmd, "json", "format", "fix"); err != nil {
		return err
	}
	if len(args) == 0 {
		return cli.Misusef("no file is given: name a robots.txt, or - for standard input")
	}
	if _, ok := lint.ParseProfile(l.profile); !ok {
		return cli.Unknown("profile", l.profile, profileNames())
	}
	l.format = strings.ToLower(l.format)
	if !slices.Contains(lint.Formats(), l.format) {
		return cli.Unknown("format", l.format, lint.Formats())
	}
	if _, ok := lint.ParseSeverity(l.failOn); !ok {
		return cli.Misusef("--fail-on is %q: name error, warning or info", l.failOn)
	}
	stdins := 0
	for _, arg := range args {
		if arg == stdin {
			stdins++
		}
	}
	if stdins > 1 {
		return cli.Misusef("standard input is named twice")
	}
	asks := l.sitemaps
	for _, arg := range args {
		site, ok := origin(arg)
		asks = asks || ok
		if ok && l.fix {
			return cli.Misusef("--fix cannot write to %s: save its file with 'robots fetch --save', and name that",
				site)
		} else if !ok && l.at.Given() {
			return cli.Misusef("--at asks what was in force for an origin, and %s is a file", called(arg))
		}
	}
	if !asks {
		if err := l.checkFile(cmd, args[0]); err != nil {
			return err
		}
	}
	if l.at.Given() {
		if err := l.checkAt(cmd, "sitemaps"); err != nil {
			return err
		}
	}
	return l.network.check()
}

func unknownCheck(name string) error {
	if near := lint.Nearest(name); near != "" {
		return cli.Misusef("unknown check %q: did you mean %s?", name, near)
	}
	return cli.Misusef("unknown check %q: 'robots lint --explain' lists them", name)
}

func (l *linter) run(ctx context.Context, cmd *cobra.Command, names []string) error {
	known, err := l.table.read(cmd)
	if err != nil {
		return err
	}
	if !l.at.Given() {
		if err := l.makeCache(); err != nil {
			return err
		}
	}
	o := lint.Options{Robots: known, Enable: l.enable, Disable: l.disable, Language: l.language()}
	o.Profile, _ = lint.ParseProfile(l.profile)
	failOn, _ := lint.ParseSeverity(l.failOn)
	writer := lint.Writer{Format: l.format, Color: cli.Colored(cmd, cmd.OutOrStdout())}

	found := false
	var files []lint.File
	var failures []error // errors of reading or writing a file do not stop the others
	var repaired []string
	for _, name := range names {
		policy, shownName, o, err := l.subject(ctx, cmd, name, o)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failures = append(failures, err)
			continue
		}
		report := lint.Run(policy, o)
		if l.fix {
			after, wrote, err := l.repair(cmd, name, report, o)
			if err != nil {
				failures = append(failures, err)
			} else {
				report = after
			}
			if wrote {
				repaired = append(repaired, name)
			}
		}
		found = found || report.Count(failOn) > 0
		files = append(files, lint.File{Name: shownName, Report: report})
	}
	to := cmd.OutOrStdout()
	if l.fix && slices.Contains(names, stdin) {
		to = cmd.ErrOrStderr() // standard output has the text
	}
	out := bufio.NewWriter(to)
	if len(files) > 0 && !l.quiet {
		err := writer.Write(out, files...)
		if flushErr := out.Flush(); err == nil {
			err = flushErr
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("cannot write what was found: %w", cause(err)))
		}
	}
	if l.format == "text" && !l.fix && !l.quiet {
		say.Found(cmd.ErrOrStderr(), l.lang.Language(), files)
	}
	for _, name := range repaired {
		fmt.Fprintln(cmd.ErrOrStderr(), textFixed.In(l.lang.Language(), shown(name)))
	}
	if l.fix {
		for _, f := range files {
			l.unfixed(cmd.ErrOrStderr(), f)
		}
	}
	switch {
	case len(failures) > 0:
		return cli.ReportFailures(cmd, failures)
	case found:
		return cli.ErrNo
	}
	return nil
}

// subject returns the policy that an argument names, the name for messages, and the options
// completed with the facts about the site.
func (l *linter) subject(ctx context.Context, cmd *cobra.Command, name string, o lint.Options) (*robots.Policy, string,
	lint.Options, error) {
	sites := &lintsite.Site{
		Client: l.client, UserAgent: l.asks(), Timeout: l.timeout, MaxSize: largestLinted, Explain: explainFetch,
		At: l.at, Cache: l.cache,
		Found: func(v *inforce.Version) {
			if !l.quiet {
				fmt.Fprintln(cmd.ErrOrStderr(), say.InForce(l.lang.Language(), v))
			}
		},
	}
	var policy *robots.Policy
	if site, ok := origin(name); ok {
		site, err := asOrigin(site)
		if err != nil {
			return nil, "", o, err
		}
		o.Origin, name = site, site+"/robots.txt"
		if policy, o.Response, err = sites.Ask(ctx, site); err != nil {
			return nil, "", o, err
		}
	} else {
		data, err := readAtMost(cmd, name, largestLinted, textTooLargeToLint)
		if err != nil {
			return nil, "", o, err
		}
		policy = robots.Parse(data)
		if err := checkKind(name, data, policy); err != nil {
			return nil, "", o, err
		}
		if name == stdin {
			name = "stdin"
		}
	}
	var err error
	o.Sitemaps, err = sites.Sitemaps(ctx, policy, l.sitemapFiles, l.sitemaps)
	return policy, name, o, err
}

// The maximum size, in bytes, of a file that lint checks.
const (
	largestLinted      = asked.LargestLinted
	textTooLargeToLint = asked.TooLargeToLint
)

// repair applies the safe fixes of a report. It returns the report after the fixes, and
// whether it wrote the file.
func (l *linter) repair(cmd *cobra.Command, name string, report *lint.Report, o lint.Options) (after *lint.Report,
	wrote bool, err error) {
	text := report.Fix()
	if name == stdin {
		if _, err := fmt.Fprint(cmd.OutOrStdout(), text); err != nil {
			return nil, false, fmt.Errorf("cannot write the file: %w", cause(err))
		}
	} else if text != report.Policy.String() {
		if err := userfile.Replace(name, text); err != nil {
			return nil, false, fmt.Errorf("cannot write %s: %w", name, cause(err))
		}
		wrote = true
	}
	return lint.Run(robots.Parse([]byte(text)), o), wrote, nil
}

// unfixed says how many findings of a repaired file remain, and why.
func (l *linter) unfixed(w io.Writer, f lint.File) {
	remain, possible := f.Report.Count(lint.Info), 0
	for _, d := range f.Report.Diagnostics {
		switch {
		case d.Fix == nil:
		case d.Fix.Safe: // uncovered by the last round of fixes: the next run makes it
			remain--
		default:
			possible++
		}
	}
	if remain == 0 {
		return
	}
	text := textUnfixed.In(l.lang.Language(), shown(f.Name), remain)
	if possible > 0 {
		text += textPossible.In(l.lang.Language(), possible)
	}
	fmt.Fprintln(w, text)
}

// language returns the code of the language of messages.
func (l *linter) language() string { return l.lang.Language().String() }

// explainChecks writes the documentation of checks, or the list of all checks.
func (l *linter) explainChecks(cmd *cobra.Command, names []string) error {
	var checks []*lint.Check
	for _, name := range names {
		c := lint.Find(name)
		if c == nil {
			return unknownCheck(name)
		}
		checks = append(checks, c)
	}
	out := cmd.OutOrStdout()
	return cli.Unwritten("the checks", lint.Writer{Color: cli.Colored(cmd, out)}.Explain(out, l.language(), checks...))
}

func profileNames() []string {
	return []string{string(lint.Recommended), string(lint.Strict), string(lint.SEO), string(lint.Historic)}
}

func checkNames() (names []string) {
	for _, c := range lint.Checks() {
		names = append(names, c.Name)
	}
	return names
}
