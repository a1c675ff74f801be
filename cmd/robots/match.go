package main

import (
	"bufio"
	"fmt"
	"iter"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/spf13/cobra"
)

// newMatch returns the verb that tells which URLs a robot may fetch.
func newMatch() *cobra.Command {
	var m matcher
	cmd := &cobra.Command{
		Use:   "match [flags] (FILE|-) [URL…]",
		Short: "tell which URLs a robot may fetch, and why",
		Long: `Match tells for each URL whether a robot may fetch it under a robots.txt, and
which line decides. A URL is absolute, or a path with its query; its host does
not matter. The exit status is 0 if all answers are "allowed", 1 if one is
"disallowed", and 2 if it could not be asked.

A robot goes by its product token, such as ExampleBot. One that obeys the
group of another name where its own has none is given with both names:
--agent Googlebot-Image,Googlebot. Several robots are several flags.

With --jsonl, match answers questions of the ask protocol: one JSON object a
line on standard input,

  {"robots": text, "agent": "ExampleBot", "url": "/x", "dialect": "rfc9309", "id": 1}

each answered by one line on standard output, in order:

  {"id": 1, "allowed": false, "reason": "rule", "line": 2, "rule": "Disallow: /x"}

Where "robots" is left out, the text is that of the line before; "robots_base64"
takes its place where the text is not UTF-8. "dialect" is that of the flag if
left out, "agent" is "*". A line that is no question is answered by {"error":
text}, and the work goes on.`,
		Example: `  robots match robots.txt /private/x https://example.com/
  robots match --agent ExampleBot --agent OtherBot --why robots.txt /private/x
  robots match --all-dialects examples/university-1996.robots.txt /tmp/x
  robots match --records examples/shop.robots.txt
  curl -s https://example.com/robots.txt | robots match - /private/x`,
		Args: func(_ *cobra.Command, args []string) error { return m.checkArgs(args) },
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
				return serve(cmd.InOrStdin(), cmd.OutOrStdout(), m.dialect)
			}
			return m.run(cmd, args[0], args[1:])
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&m.agents, "agent", nil, "product `token` of a robot, or several joined by commas, the closest first; repeat it for other robots (default *)")
	flags.Var(dialectFlag{&m.dialect}, "dialect", "read as `name` says: "+strings.Join(dialectNames(), ", "))
	flags.BoolVar(&m.allDialects, "all-dialects", false, "show the answers of all dialects side by side")
	flags.BoolVar(&m.why, "why", false, "show all rules that match, and why they win or lose")
	flags.BoolVar(&m.json, "json", false, "print a JSON object")
	flags.StringVar(&m.urls, "urls", "", "ask for the URLs of `file` too, one a line; blank lines and those that start with # are skipped")
	flags.BoolVar(&m.records, "records", false, "show the records beside the rules too, such as Crawl-delay and Sitemap")
	flags.BoolVar(&m.jsonl, "jsonl", false, "answer questions of the ask protocol")
	complete(cmd, "dialect", dialectNames())
	return cmd
}

// A matcher is the command line of match, and does what it says.
type matcher struct {
	agents      []string
	dialect     robots.Dialect
	allDialects bool
	why         bool
	json        bool
	urls        string
	records     bool
	jsonl       bool
}

func (m *matcher) checkArgs(args []string) error {
	switch {
	case m.jsonl && len(args) > 0:
		return misusef("unexpected argument %q: with --jsonl all questions come on standard input", args[0])
	case m.jsonl:
		return nil
	case len(args) == 0:
		return misusef("no file is given: name a robots.txt, or - for standard input")
	}
	if err := checkFile(args[0]); err != nil {
		return err
	}
	switch {
	case len(args) == 1 && m.urls == "" && !m.records:
		return misusef("no URL is given: name one after %s, or a file of them with --urls", args[0])
	case args[0] == stdin && m.urls == stdin:
		return misusef("standard input cannot be both the robots.txt and the URLs: name a file for one of them")
	}
	return nil
}

func (m *matcher) checkFlags(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if m.jsonl {
		for _, name := range []string{"agent", "all-dialects", "why", "json", "urls", "records"} {
			if given(name) {
				return misusef("--%s does not go with --jsonl: only --dialect does", name)
			}
		}
	}
	switch {
	case m.allDialects && given("dialect"):
		return misusef("--dialect does not go with --all-dialects: leave one of them out")
	case m.allDialects && m.records:
		return misusef("--records does not go with --all-dialects: records are shown as one dialect reads them")
	}
	return nil
}

// A robot is who is asked for.
type robot struct {
	name   string   // as on the command line
	tokens []string // the closest first
}

// robots returns the robots that the flags name, or the one of no name.
func (m *matcher) robots() ([]robot, error) {
	if len(m.agents) == 0 {
		return []robot{{name: "*", tokens: []string{"*"}}}, nil
	}
	var all []robot
	for _, name := range m.agents {
		r := robot{name: name}
		for token := range strings.SplitSeq(name, ",") {
			if token = strings.TrimSpace(token); token != "" {
				r.tokens = append(r.tokens, token)
			}
		}
		if len(r.tokens) == 0 {
			return nil, misusef("--agent %q names no robot: give a product token such as ExampleBot", name)
		}
		all = append(all, r)
	}
	return all, nil
}

// A result is what was found for a robot and a URL: an answer for each dialect
// that was asked for.
type result struct {
	robot   robot
	url     string
	answers []robots.Explanation // only the match, unless asked why
}

// differ reports whether the dialects do not all give the same verdict.
func (r *result) differ() bool {
	for _, a := range r.answers {
		if a.Match.Allowed != r.answers[0].Match.Allowed {
			return true
		}
	}
	return false
}

// A resultWriter writes what match found: as text, side by side, or as JSON.
type resultWriter interface {
	result(*result) error
	records(*recordList) error
	// end is called last, with the error that ended the work, or nil.
	end(error) error
}

func (m *matcher) run(cmd *cobra.Command, file string, urls []string) error {
	asked, err := m.robots()
	if err != nil {
		return err
	}
	data, err := readFile(cmd, file)
	if err != nil {
		return err
	}
	all, closeAll, err := m.allURLs(cmd, urls)
	if err != nil {
		return err
	}
	defer closeAll()

	dialects := []robots.Dialect{m.dialect}
	if m.allDialects {
		dialects = robots.Dialects()
	}
	policy := dialects[0].Parse(data)
	groups := make([][]*robots.Group, len(asked)) // of each robot in each dialect
	for _, d := range dialects {
		p := policy.In(d)
		for i, r := range asked {
			groups[i] = append(groups[i], p.For(r.tokens...))
		}
	}

	out := bufio.NewWriter(cmd.OutOrStdout())
	t := &table{w: out, color: colored(cmd.OutOrStdout())}
	var w resultWriter
	switch {
	case m.json:
		w = &jsonResults{w: out, file: file, dialects: dialects, all: m.allDialects, why: m.why}
	case m.allDialects:
		w = &sideBySide{table: t, dialects: dialects, named: len(m.agents) > 0, why: m.why}
	default:
		w = &textResults{table: t, named: len(m.agents) > 0, why: m.why}
	}
	disallowed, err := m.write(w, all, asked, groups)
	if err == nil && m.records {
		err = w.records(recordsOf(policy, asked))
	}
	if endErr := w.end(err); err == nil {
		err = endErr
	}
	if flushErr := out.Flush(); err == nil && flushErr != nil {
		err = fmt.Errorf("cannot write the answers: %w", cause(flushErr))
	}
	if err == nil && disallowed {
		err = errNo
	}
	return err
}

// write writes a result for each URL and robot, and reports whether any is
// disallowed.
func (m *matcher) write(w resultWriter, urls iter.Seq2[string, error], asked []robot, groups [][]*robots.Group) (disallowed bool, err error) {
	for url, err := range urls {
		if err != nil {
			return disallowed, err
		}
		for i, r := range asked {
			found := &result{robot: r, url: url}
			for _, g := range groups[i] {
				var e robots.Explanation
				if m.why {
					e = g.Explain(url)
				} else {
					e.Match = g.Match(url)
				}
				disallowed = disallowed || !e.Match.Allowed
				found.answers = append(found.answers, e)
			}
			if err := w.result(found); err != nil {
				return disallowed, fmt.Errorf("cannot write the answers: %w", cause(err))
			}
		}
	}
	return disallowed, nil
}

// allURLs returns the URLs of the command line, then those of the file.
func (m *matcher) allURLs(cmd *cobra.Command, args []string) (all iter.Seq2[string, error], closeAll func() error, err error) {
	rest := func(func(string, error) bool) {}
	closeAll = func() error { return nil }
	if m.urls != "" {
		in, err := open(cmd, m.urls)
		if err != nil {
			return nil, nil, err
		}
		rest, closeAll = urlsOf(in, m.urls), in.Close
	}
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			if !yield(arg, nil) {
				return
			}
		}
		rest(yield)
	}, closeAll, nil
}

// A dialectFlag is a flag whose value is the name of a dialect.
type dialectFlag struct{ *robots.Dialect }

func (f dialectFlag) Set(name string) error { return f.UnmarshalText([]byte(name)) }
func (f dialectFlag) Type() string          { return "dialect" }

func dialectNames() (names []string) {
	for _, d := range robots.Dialects() {
		names = append(names, d.String())
	}
	return names
}

// complete makes the shell complete the value of a flag with words.
func complete(cmd *cobra.Command, flag string, words []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist, or has a function: a mistake in this program
	}
}
