package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/cmd/internal/survey"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/nearest"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newFetch returns the verb that fetches robots.txt.
func newFetch() *cobra.Command {
	var f fetcher
	cmd := &cobra.Command{
		Use:   "fetch [flags] ORIGIN…",
		Short: "fetch robots.txt, and show the response and its rules",
		Long: `Fetch gets the robots.txt of each origin as RFC 9309 asks. It shows what the
server answered, how long that is in force, and what it says to a robot. An
origin is "https://example.com", a URL there, or "example.com".

The exit status is 0 if all origins answered, 1 if one is unreachable, which
closes it to robots, and 2 after another error.

With --from, fetch takes the origins from a file, many at once, and prints a
line for each and a summary at the end. --results also writes a line of JSON for
each to a file. Fetch leaves out what that file has already: run an interrupted
survey again, and it continues where it stopped.

With --cache, fetch keeps the answers in a folder, and uses them while they are
fresh. The folder also has the history of each origin: --history shows it
without any request, --at shows what was in force at a time or on a day, and
--save saves that. If the history does not cover the time, the exit status is 2.
--prune removes what concerns only the time before a time, or before a day in
UTC; other programs may use the folder meanwhile.`,
		Example: `  robots fetch example.com
  robots fetch --agent GPTBot --agent Googlebot https://example.com
  robots fetch --save . example.com
  robots fetch --from hosts.txt --results survey.jsonl --parallel 64
  robots fetch --cache ~/robots --history example.com
  robots fetch --cache ~/robots --history --at 2026-03-03 --save . example.com
  robots fetch --cache ~/robots --prune 2024-01-01`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			ctx, stop := cli.Interruptible(cmd)
			defer stop()
			if f.pruneTo.Given() {
				return f.prune(ctx, cmd)
			}
			if f.at.Given() {
				return f.showAt(ctx, cmd, args)
			}
			if f.history {
				return f.showHistory(ctx, cmd, args)
			}
			return f.run(ctx, cmd, args)
		},
	}
	flags := cmd.Flags()
	f.table.add(cmd)
	f.agents.add(cmd, "read the file as these `robots`, with commas between them; repeat it for more (default *)")
	flags.Var(dialectFlag{&f.dialect}, "dialect", "read as `name` says")
	flags.StringVar(&f.from, "from", "",
		"fetch the origins of `file` too, one a line; blank lines and those that start with # are skipped")
	flags.IntVar(&f.parallel, "parallel", 16, "`number` of origins to fetch at once")
	flags.StringVar(&f.results, "results", "", "keep each result as a line of JSON in `file`, and skip what it has")
	flags.StringVar(&f.save, "save", "", "save each robots.txt in `folder`, as example.com.robots.txt")
	flags.BoolVar(&f.history, "history", false, "show the history of each origin that --cache has")
	addMoment(flags, &f.at, "at",
		"with --history, show what was in force at `time`, such as 2026-03-03T14:00:00Z, or on a day in UTC, such as 2026-03-03")
	addMoment(flags, &f.pruneTo, "prune",
		"remove the history in the folder of --cache that is only about what was before `time`, such as 2024-01-01")
	flags.BoolVar(&f.json, "json", false, "print a JSON object")
	f.addFlags(flags)
	cli.Complete(cmd, "dialect", dialectNames())
	return cmd
}

// A fetcher has the flags of fetch, and runs the verb.
type fetcher struct {
	network
	agents   agentsFlag
	table    tableFlag
	dialect  robots.Dialect
	from     string
	parallel int
	results  string
	save     string
	history  bool
	at       inforce.Moment
	pruneTo  inforce.Moment
	json     bool
}

func (f *fetcher) check(cmd *cobra.Command, args []string) error {
	if f.pruneTo.Given() {
		return f.checkPrune(cmd, args)
	}
	switch {
	case len(args) == 0 && f.from == "":
		return cli.Misusef("no origin is given: name one, such as example.com, or a file of them with --from")
	case f.parallel < 1 || f.parallel > 4096:
		return cli.Misusef("--parallel is %d: name a number from 1 to 4096", f.parallel)
	case f.history && f.cache == "":
		return cli.Misusef("--history shows what a folder has: name it with --cache")
	case f.at.Given() && !f.history:
		return cli.Misusef("--at goes with --history only: a server only knows what is in force now")
	}
	if f.history {
		for _, name := range []string{"agent", "unknown", "dialect", "from", "parallel", "results", "save"} {
			if cmd.Flags().Changed(name) && !(name == "save" && f.at.Given()) {
				return cli.Misusef("--%s does not go with --history", name)
			}
		}
	}
	if f.history {
		for _, name := range networkFlags {
			if name != "cache" && cmd.Flags().Changed(name) {
				return cli.Misusef("--%s does not go with --history, which asks no server", name)
			}
		}
	}
	for _, arg := range args {
		if err := checkHost(cmd, arg); err != nil {
			return err
		}
		if _, err := asOrigin(arg); err != nil {
			return cli.Misuse(err)
		}
	}
	return f.network.check()
}

// checkHost returns an error for an argument that is a file, or one word: "prnue" is a misspelt
// --prune or --history, and no server. A host without a dot is asked if the argument has a scheme,
// a port or a path.
func checkHost(cmd *cobra.Command, arg string) error {
	info, err := os.Stat(arg)
	isFile := err == nil && info.Mode().IsRegular() || userfile.IsFile(arg)
	if isFile && !strings.Contains(strings.TrimPrefix(arg, "file://"), "://") {
		arg = strings.TrimPrefix(arg, "file://")
		return cli.Misusef("%s is a file: fetch takes a site; '%s' or 'robots match' reads a file", shown(arg),
			commandLine([]string{"robots", arg}))
	}
	if arg == "" || strings.ContainsAny(arg, ".:/[") || strings.EqualFold(arg, "localhost") {
		return nil
	}
	var flags []string
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	if near, ok := nearest.Of(arg, flags); ok {
		return cli.Misusef("%s is not a host: did you mean --%s?", shown(arg), near)
	}
	return cli.Misusef("%s is not a host: it has no dot; write https://%[1]s/ if a server of your network has that name", shown(arg))
}

// run fetches all origins, and writes the results.
func (f *fetcher) run(ctx context.Context, cmd *cobra.Command, args []string) (err error) {
	known, err := f.table.read(cmd)
	if err != nil {
		return err
	}
	robots, err := f.agents.resolve(known, cli.LanguageOf(cmd))
	nobody := (*robotname.UnknownError)(nil)
	if err != nil && (!errors.As(err, &nobody) || nobody.Mistyped()) {
		return err // another name may be one of the files, and the answer says which group is for it
	}
	origins, closeOrigins, err := f.origins(cmd, args)
	if err != nil {
		return err
	}
	defer closeOrigins()
	s := survey.New()
	if f.results != "" {
		if err := s.Open(f.results); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
	}
	if f.save != "" {
		if err := survey.Folder(f.save).Make(); err != nil {
			return err
		}
	}
	if err := f.makeCache(); err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	w := f.writer(cmd, out, args)
	err = f.report(ctx, cmd, args, origins, s, func(a survey.Answer) error {
		report := survey.NewReport(a, robots)
		if f.save != "" && a.Err == nil {
			if err := survey.Folder(f.save).SaveResult(&a.Result); err != nil {
				return err // the result is not kept, so that the next run fetches it again
			}
		}
		if err := s.Add(report); err != nil {
			return err
		}
		// a reader of the output sees each line at once
		return cli.Unwritten("the results", cmp.Or(w.Report(report), out.Flush()))
	})
	if err == nil && ctx.Err() != nil {
		err = cli.ErrInterrupted
		if f.results != "" {
			err = fmt.Errorf("interrupted: run it again with --results %s to go on", f.results)
		}
	}
	err = cmp.Or(err, cli.Unwritten("the results", cmp.Or(w.End(s, err), out.Flush())))
	switch {
	case err != nil:
		return err
	case s.Failed():
		return cli.ErrFailed
	case s.Unreachable():
		return cli.ErrNo
	}
	return nil
}

// writer returns the writer of the results.
func (f *fetcher) writer(cmd *cobra.Command, out *bufio.Writer, args []string) survey.Writer {
	if f.json {
		return &survey.JSON{W: out}
	}
	return &survey.Text{
		W: out, Color: cli.Colored(cmd, cmd.OutOrStdout()),
		Many: f.from != "" || len(args) > 1, Named: f.agents.given(), Lines: f.from != "",
	}
}

// report fetches the origins that s does not have, and calls tell for each. It shows the
// progress. If ctx is done, it skips the origins that were not asked.
func (f *fetcher) report(ctx context.Context, cmd *cobra.Command, args []string, origins iter.Seq2[string, error],
	s *survey.Survey, tell func(survey.Answer) error) error {
	bar := newProgress(cmd.ErrOrStderr(), func() int { return f.total(args) })
	defer bar.clear()
	client, transport := f.client()
	client.Dialect = f.dialect
	defer transport.CloseIdleConnections()
	// Results of origins on the command line are in order.
	asker := &survey.Asker{Client: client, Parallel: f.parallel, InOrder: f.from == "", Origin: asOrigin,
		Explain: explainFetch}
	for a, err := range asker.Answers(ctx, origins, s) {
		switch {
		case err != nil && ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil && a.Err != nil:
			continue // no request was made
		}
		bar.clear()
		if err := tell(a); err != nil {
			return err
		}
		bar.add(1)
	}
	return nil
}

// origins returns the origins to fetch, those of the command line first. A text that is not an
// origin yields an error in its place.
func (f *fetcher) origins(cmd *cobra.Command, args []string) (all iter.Seq2[string, error], closeAll func() error,
	err error) {
	if f.from == "" {
		return userfile.List(args), func() error { return nil }, nil
	}
	in, err := open(cmd, f.from)
	if err != nil {
		return nil, nil, err
	}
	return userfile.Join(userfile.List(args), userfile.NotEmpty(userfile.URLs(in, f.from), f.from, "origin")), in.Close,
		nil
}

// total returns the number of origins if it is known beforehand, and else -1.
func (f *fetcher) total(args []string) int {
	if f.from == "" {
		return len(args)
	}
	n := userfile.CountURLs(f.from)
	if n < 0 {
		return -1
	}
	return len(args) + n
}
