package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/jsonl"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// newMatch returns the verb that shows which URLs a robot may fetch.
func newMatch() *cobra.Command {
	var m matcher
	cmd := &cobra.Command{
		Use:   "match [flags] (FILE|-|ORIGIN|URL) [URL…]",
		Short: "show which URLs a robot may fetch, and why",
		Long: `Match shows for each URL whether a robot may fetch it under a robots.txt, and
which line decides. The exit status is 0 if every answer is "allowed", 1 if one
is "disallowed", and 2 after an error. A text that is neither a path with its
slash nor an http or https URL is an error; match still answers the others.

With a robots.txt file, the hosts of the URLs do not matter, and paths stand for
URLs. Without one, match fetches the robots.txt of each origin; a path belongs
to the origin before it: "robots match example.com /a /b". Match reports the
result of the fetch on standard error.

With --at, match answers for a time or a day in the past, from the history of
each origin in the folder of --cache, without any request. A time before the
first fetch is an error, and so is a day on which the rules changed. If
robots.txt was last fetched more than 24 hours before that time, the answer says
so, because the file may have changed in between.

With --page, match also reads the page of each URL, and shows whether the robot
may index it and follow its links. It does not read a page that is closed to all
the robots, unless you give --read-closed.

` + helpOnAgents + `

Robots in the table of 'robots agents' obey the groups that their operators document:
Googlebot-Image obeys the group of Googlebot if it has no group of its own, and
AdsBot-Google never obeys the group for everyone. Names of one robot joined by ">" are
tried in their order: --agent 'NewBot>OldBot'. Where the group of another name decides,
or that for everyone, the answer shows it: (group *).

With --jsonl, match answers questions of the ask protocol: one JSON object a
line on standard input,

  {"robots": text, "agent": "ExampleBot", "url": "/x", "dialect": "rfc9309", "id": 1}

each answered by one line on standard output, in order:

  {"id": 1, "allowed": false, "reason": "rule", "line": 2, "rule": "Disallow: /x"}

Without "robots", the text of the line before counts; "robots_base64" is for
texts that are not UTF-8. The default of "dialect" is the flag, that of "agent"
is "*". The answer to a line that is not a question is {"error": text}; match
goes on, and its exit status is 2.`,
		Example: `  robots match robots.txt /private/x https://example.com/
  robots match -a ExampleBot -a OtherBot --why robots.txt /private/x
  robots match -q -a ExampleBot robots.txt /private/x || echo closed
  robots match https://example.com/search?q=x
  robots match --agent Googlebot --page example.com / /about
  robots match --cache ~/robots --at 2026-03-03 --agent GPTBot example.com /a
  robots match --all-dialects examples/university-1996.robots.txt /tmp/x
  robots match --records examples/shop.robots.txt
  curl -s https://example.com/robots.txt | robots match - /private/x`,
		Args: func(cmd *cobra.Command, args []string) error { return m.checkArgs(cmd, args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := m.checkFlags(cmd); err != nil {
				return err
			}
			if m.jsonl {
				return m.serve(cmd)
			}
			ctx, stop := cli.Interruptible(cmd)
			defer stop()
			return m.run(ctx, cmd, args)
		},
	}
	flags := cmd.Flags()
	m.table.add(cmd)
	m.agents.add(cmd, "ask about these `robots`, with commas between them; repeat it for more (default *)")
	flags.Var(dialectFlag{&m.dialect}, "dialect", "read as `name` says: "+strings.Join(dialectNames(), ", "))
	flags.BoolVar(&m.allDialects, "all-dialects", false, "show the answers of all dialects side by side")
	flags.BoolVar(&m.why, "why", false, "show all rules that match, and why they win or lose")
	flags.BoolVar(&m.json, "json", false, "print a JSON object")
	flags.StringVar(&m.urls, "urls", "",
		"ask for the URLs of `file` too, one a line; blank lines and those that start with # are skipped")
	flags.BoolVar(&m.records, "records", false,
		"show the records beside the rules too, such as Crawl-delay and Sitemap")
	flags.BoolVar(&m.jsonl, "jsonl", false, "answer questions of the ask protocol")
	flags.BoolVar(&m.page, "page", false,
		"read the pages too, and show whether the robot may index them and follow their links")
	flags.BoolVar(&m.readClosed, "read-closed", false, "with --page, read pages that are closed to the robot too")
	m.addQuiet(flags)
	m.addFlags(flags)
	addMoment(flags, &m.at, "at", usageOfAt)
	m.lang.Add(cmd)
	cli.Complete(cmd, "dialect", dialectNames())
	readsProject(cmd, func(_ *cobra.Command, args []string) (int, bool) {
		switch {
		case m.jsonl:
			return 0, false
		case len(args) == 0:
			return 0, m.urls != "" || m.records
		case !strings.HasPrefix(args[0], "/"):
			return 0, false
		}
		_, err := os.Stat(args[0])
		return 0, err != nil || len(args) == 1 && args[0] == "/" // a path of a URL
	})
	return cmd
}

// A matcher has the flags of match, and runs the verb.
type matcher struct {
	network
	agents      agentsFlag
	table       tableFlag
	dialect     robots.Dialect
	allDialects bool
	why         bool
	json        bool
	urls        string
	records     bool
	jsonl       bool
	page        bool
	readClosed  bool
	at          inforce.Moment
	lang        cli.LanguageFlag
}

func (m *matcher) checkArgs(cmd *cobra.Command, args []string) error {
	switch {
	case m.jsonl && len(args) > 0:
		return cli.Misusef("unexpected argument %q: with --jsonl all questions come on standard input", args[0])
	case m.jsonl:
		return nil
	case len(args) == 0:
		return cli.Misusef("nothing is given: name a robots.txt, - for standard input, or the URL of a site")
	}
	if i := slices.IndexFunc(args, isRobot); i == 0 {
		return cli.Misusef("%s is a robot, and no file of that name is here: write '%s'", shown(args[0]),
			matchLine(args, givenFlags(cmd)...))
	} else if i > 0 {
		return cli.Misusef("%s is a robot, not a URL: write '%s'", shown(args[i]),
			matchLine(args, givenFlags(cmd)...))
	}
	if line := m.urlsLine(args); line != nil {
		return cli.Misusef("%s is a file, not a URL: '%s' asks for the URLs in it", called(line[3]), commandLine(line))
	}
	if _, ok := origin(args[0]); ok {
		_, _, err := siteURLs(args, m.urls != "")
		return err
	}
	switch {
	case m.at.Given():
		return cli.Misusef("--at asks what was in force for an origin, and %s is a file", called(args[0]))
	case len(args) == 1 && m.urls == "" && !m.records:
		return cli.Misusef("no URL is given: name one after %s, or a file of them with --urls", args[0])
	case args[0] == stdin && m.urls == stdin:
		return cli.Misusef("standard input cannot be both the robots.txt and the URLs: name a file for one of them")
	}
	if m.page {
		return nil // pages are fetched
	}
	return m.checkFile(cmd, args[0])
}

// urlsLine returns the command line that is meant by arguments with a list of URLs in place of a
// URL, or nil if there is no such argument. The list and the robots.txt may be in the other order.
func (m *matcher) urlsLine(args []string) []string {
	if m.urls != "" || len(args) != 2 {
		return nil
	}
	file, list := args[0], args[1]
	if filepath.Base(list) == "robots.txt" && filepath.Base(file) != "robots.txt" {
		file, list = list, file
	}
	if named, ok := strings.CutPrefix(list, "@"); ok { // as curl names files
		if _, err := os.Stat(named); err == nil {
			list = named
		}
	}
	info, err := os.Stat(list)
	isList := list == stdin || err == nil && info.Mode().IsRegular() && !asked.IsPath(list)
	if !isList || file == list {
		return nil
	}
	return []string{"robots", "match", "--urls", list, file}
}

func (m *matcher) checkFlags(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if m.jsonl {
		others := []string{"agent", "unknown", "all-dialects", "why", "json", "urls", "records", "page", "read-closed",
			"robots-table", "at", "lang", "quiet"}
		for _, name := range append(others, networkFlags...) {
			if given(name) {
				return cli.Misusef("--%s does not go with --jsonl: only --dialect does", name)
			}
		}
	}
	switch {
	case m.allDialects && given("dialect"):
		return cli.Misusef("--dialect does not go with --all-dialects: leave one of them out")
	case m.allDialects && m.records:
		return cli.Misusef("--records does not go with --all-dialects: records are shown as one dialect reads them")
	case m.allDialects && m.page:
		return cli.Misusef("--page does not go with --all-dialects: name one with --dialect")
	case m.readClosed && !m.page:
		return cli.Misusef("--read-closed goes with --page only")
	}
	if m.at.Given() {
		if err := m.checkAt(cmd, "page", "read-closed"); err != nil {
			return err
		}
	}
	if err := m.checkQuiet(cmd, "json", "all-dialects", "why", "records"); err != nil {
		return err
	}
	return m.network.check()
}

// A resultWriter writes the results of match, as text or as JSON.
type resultWriter interface {
	Add(*ask.Result) error
	// Sum is called after the results for a URL. It sums up what names of several robots stand for.
	Sum([]*ask.Result) error
	// End is called last, with the records other than rules, or nil, and with the error that ended
	// the work, or nil.
	End(*say.Records, error) error
}

// textResults writes rows for people.
type textResults struct{ say.Results }

func (w *textResults) End(list *say.Records, failed error) error {
	err := w.Flush()
	if err == nil && list != nil {
		err = list.Write(w.Table(), w.Language)
	}
	if err != nil || failed != nil {
		return err
	}
	return w.Results.End()
}

// jsonResults writes a JSON object.
type jsonResults struct{ ask.Writer }

func (w *jsonResults) Sum([]*ask.Result) error { return nil } // the reader counts

func (w *jsonResults) End(list *say.Records, failed error) error {
	if list == nil {
		return w.Writer.End(nil, failed)
	}
	return w.Writer.End(list, failed)
}

// quietResults writes only the errors, for people.
type quietResults struct {
	w io.Writer
	l language.Language
}

func (w *quietResults) Add(r *ask.Result) error {
	if r.Err != nil {
		fmt.Fprintf(w.w, "robots: %s: %s\n", shown(r.URL), shown(language.Explain(w.l, r.Err)))
	}
	return nil
}

func (w *quietResults) Sum([]*ask.Result) error       { return nil }
func (w *quietResults) End(*say.Records, error) error { return nil }

func (m *matcher) run(ctx context.Context, cmd *cobra.Command, args []string) error {
	known, err := m.table.read(cmd)
	if err != nil {
		return err
	}
	q := ask.Question{Dialects: []robots.Dialect{m.dialect}, Why: m.why, Page: m.page, ReadClosed: m.readClosed}
	if m.allDialects {
		q.Dialects = robots.Dialects()
	}
	about, err := m.subject(cmd, args, q.Dialects[0])
	if err != nil {
		return err
	}
	var inFile []*robots.Policy
	if about.policy != nil {
		inFile = append(inFile, about.policy)
	}
	q.Robots, err = m.agents.resolve(known, m.lang.Language(), inFile...)
	nobody := (*robotname.UnknownError)(nil)
	if err != nil && (!errors.As(err, &nobody) || about.policy != nil || nobody.Mistyped()) {
		return err
	}
	all, closeAll, err := m.allURLs(cmd, about.urls, about.base)
	if err != nil {
		return err
	}
	defer closeAll()
	if !m.at.Given() {
		if err := m.makeCache(); err != nil {
			return err
		}
	}
	if m.userAgent != "" && !m.agents.given() {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textAsksEveryone.In(m.lang.Language(), shown(m.userAgent)))
	}
	inquirer, disconnect := m.inquirer(about.policy, q.Dialects[0])
	defer disconnect()

	out := bufio.NewWriter(cmd.OutOrStdout())
	w := m.writer(cmd, out, about.file, q.Dialects)
	asks := tally{last: about.policy, unknown: nobody}
	err = asks.write(w, inquirer.AskAll(ctx, all, q))
	if err == nil && asks.urls == 0 && m.urls != "" && !m.records {
		err = fmt.Errorf("nothing was asked: there is no URL in %s: write one a line", called(m.urls))
	}
	if ctx.Err() != nil {
		err = cli.ErrInterrupted
	}
	var list *say.Records
	if err == nil && m.records && asks.last != nil {
		list = say.RecordsOf(asks.last, q.Robots, m.lang.Language())
	}
	if endErr := w.End(list, err); err == nil {
		err = endErr
	}
	if flushErr := out.Flush(); err == nil && flushErr != nil {
		err = fmt.Errorf("cannot write the answers: %w", cause(flushErr))
	}
	if err != nil {
		return err
	}
	return asks.status()
}

var textAsksEveryone = language.New(
	"--user-agent is the header for fetching, and the answer is that for *: to ask about a robot, write --agent %[1]s")

// A matchSubject is the subject of the arguments: a file and URLs, or URLs of origins.
type matchSubject struct {
	file   string
	policy *robots.Policy // of the file
	urls   []string
	base   string // the last origin, or "" if there is a file
}

// subject returns the subject of the arguments.
func (m *matcher) subject(cmd *cobra.Command, args []string, d robots.Dialect) (s matchSubject, err error) {
	if _, ok := origin(args[0]); ok {
		s.urls, s.base, err = siteURLs(args, m.urls != "")
		return s, err
	}
	s.file, s.urls = args[0], args[1:]
	data, err := readRobots(cmd, s.file)
	if err == nil {
		s.policy = d.Parse(data)
	}
	return s, err
}

// writer returns the writer of the results, as the flags say.
func (m *matcher) writer(cmd *cobra.Command, out *bufio.Writer, file string, dialects []robots.Dialect) resultWriter {
	if m.quiet {
		return &quietResults{cmd.ErrOrStderr(), m.lang.Language()}
	}
	if m.json {
		return &jsonResults{ask.Writer{W: out, File: file, Dialects: dialects}}
	}
	return &textResults{say.Results{
		Printer:  *printerFor(cmd, &m.lang, out, cmd.OutOrStdout()),
		Dialects: dialects, Named: m.agents.given(), Why: m.why, People: cmd.ErrOrStderr(),
	}}
}

// A tally counts answers.
type tally struct {
	urls   int
	no     bool           // an answer is no
	failed bool           // a question has no answer
	last   *robots.Policy // the policy of the last URL that has one, or of the file

	unknown *robotname.UnknownError // robots that only the robots.txt of an origin may know, or nil
}

// status returns the error for the exit status, or nil if all answers are yes.
func (t *tally) status() error {
	switch {
	case t.failed:
		return cli.ErrFailed
	case t.no:
		return cli.ErrNo
	}
	return nil
}

// write writes results, and counts them.
func (t *tally) write(w resultWriter, results iter.Seq2[[]*ask.Result, error]) error {
	for found, err := range results {
		if err != nil {
			return err
		}
		t.urls++
		for _, r := range found {
			asked.CheckName(r, t.unknown)
			t.no = t.no || r.Refused()
			t.failed = t.failed || r.Err != nil
			if r.Source != nil {
				t.last = r.Source.Policy
			}
			if err := w.Add(r); err != nil {
				return fmt.Errorf("cannot write the answers: %w", cause(err))
			}
		}
		if err := w.Sum(found); err != nil {
			return fmt.Errorf("cannot write the answers: %w", cause(err))
		}
	}
	return nil
}

// serve answers the questions on standard input.
func (m *matcher) serve(cmd *cobra.Command) error {
	table, err := m.table.read(cmd)
	if err != nil {
		return err
	}
	server := &ask.Server{Dialect: m.dialect, Robots: table}
	failed, err := server.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	return servedError("standard input", failed > 0, err)
}

// servedError returns the error of answering lines of an input: cli.ErrFailed if a line was
// answered with an error.
func servedError(input string, failed bool, err error) error {
	ours, theirs := (*ask.WriteError)(nil), (*jsonl.WriteError)(nil)
	switch {
	case errors.As(err, &ours):
		return fmt.Errorf("cannot write the answers: %w", cause(ours.Err))
	case errors.As(err, &theirs):
		return fmt.Errorf("cannot write the answers: %w", cause(theirs.Err))
	case err != nil:
		return fmt.Errorf("cannot read %s: %w", input, cause(err))
	case failed:
		return cli.ErrFailed
	}
	return nil
}

// allURLs returns the URLs of the command line, then those of the file. It resolves paths in the
// file against an origin, unless the origin is "".
func (m *matcher) allURLs(cmd *cobra.Command, args []string, base string) (all iter.Seq2[string, error],
	closeAll func() error, err error) {
	if m.urls == "" {
		return userfile.List(args), func() error { return nil }, nil
	}
	in, err := open(cmd, m.urls)
	if err != nil {
		return nil, nil, err
	}
	return userfile.Join(userfile.List(args), urlsAt(base, userfile.URLs(in, m.urls))), in.Close, nil
}

// A dialectFlag is a flag whose value is the name of a dialect.
type dialectFlag struct{ *robots.Dialect }

func (f dialectFlag) Set(name string) error {
	dialect, err := robots.ParseDialect(name)
	if err == nil {
		*f.Dialect = dialect
	}
	return err
}

func (f dialectFlag) Type() string { return "dialect" }

func dialectNames() (names []string) {
	for _, d := range robots.Dialects() {
		names = append(names, d.String())
	}
	return names
}
