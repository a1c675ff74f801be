package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/http/http1"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/page"
	"github.com/spf13/cobra"
)

// newPage returns the verb that shows the directives of a page for robots.
func newPage() *cobra.Command {
	var p pager
	cmd := &cobra.Command{
		Use:   "page [flags] (FILE|URL|-)",
		Short: "show the directives of a page for robots",
		Long: `Page reads the directives of a page: META tags such as robots, X-Robots-Tag
headers, rel on links, and what the page says to indexers. It shows whether a
robot may index the page and follow its links, and which directive decides.
Robots.txt does not matter here: see 'robots match --page'.

` + helpOnAgents + `

The exit status is 0 if all the robots may index the page, 1 if one may not or
there is no page (404), and 2 if page could not read it: the server failed (5xx,
429), the answer broke off, or its coding is unknown. A page that could not be
read permits nothing.

With --lint, page looks for mistakes instead, and prints each on a line
FILE:LINE:COLUMN: SEVERITY: MESSAGE [CHECK]. The exit status is 1 if it finds
one. The checks:

  unknown-directive       a word that no search engine documents, or a misspelling
  bad-value               a directive whose value is not of its form
  contradiction           a directive that another one overrules
  misspelt-name           a META tag for a robot called "robot" and the like
  misspelt-attribute      a META tag to robots with property= for name=, or value=
                          for content=
  unseen-tag              a META tag to robots in a template, script or comment
  several-canonicals      canonical addresses that differ, so that none counts
  description-markup      markup in META DESCRIPTION
  relative-url            a META URL that is not absolute
  unknown-document-state  a META DOCUMENT-STATE other than STATIC and DYNAMIC
  cut                     a page too large for robots to read it all

With --jsonl, page answers questions: one JSON object a line on standard input,

  {"html": text, "headers": [value], "meta": [[name, content]], "agent": "ExampleBot",
   "now": "2026-01-31T12:00:00Z", "reading": "restrictive", "id": 1}

all members may be left out. It answers each by one line on standard output:

  {"id": 1, "index": false, "follow": true, "directives": {"noindex": true}}

The answer to a line that is not a question is {"error": text}; page goes on,
and its exit status is 2.`,
		Example: `  robots page https://example.com/about
  robots page --agent Googlebot-News --links about.html
  robots page --header 'X-Robots-Tag: noindex' about.html
  robots page --lint about.html
  curl -s https://example.com/ | robots page -`,
		Args: func(_ *cobra.Command, args []string) error { return p.checkArgs(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.checkFlags(cmd, args); err != nil {
				return err
			}
			if p.jsonl {
				return p.serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
			}
			ctx, stop := cli.Interruptible(cmd)
			defer stop()
			return p.run(ctx, cmd, args[0])
		},
	}
	flags := cmd.Flags()
	p.table.add(cmd)
	p.agents.add(cmd, "ask about these `robots`, with commas between them; repeat it for more (default any)")
	flags.TextVar(&p.reading, "reading", p.reading,
		"settle contradictions as `name` says: restrictive (the most restrictive wins), 1996 (ALL wins, then FOLLOW)")
	flags.StringArrayVar(&p.headers, "header", nil,
		"a `line` of the response's headers, such as 'X-Robots-Tag: noindex'; repeat it for more")
	flags.BoolVar(&p.links, "links", false, "show the links too, and whether the robot may follow them")
	flags.BoolVar(&p.lint, "lint", false, "look for mistakes in what the page says to robots")
	flags.BoolVar(&p.json, "json", false, "print a JSON object")
	flags.BoolVar(&p.jsonl, "jsonl", false, "answer questions, a JSON object a line")
	p.network.addFlags(flags)
	flags.MarkHidden("cache")
	cli.Complete(cmd, "reading", []string{page.Restrictive.String(), page.Reading1996.String()})
	p.lang.Add(cmd)
	return cmd
}

// A pager has the flags of page, and runs the verb.
type pager struct {
	network
	agents  agentsFlag
	table   tableFlag
	reading page.Reading
	headers []string
	links   bool
	lint    bool
	json    bool
	jsonl   bool
	lang    cli.LanguageFlag
}

func (p *pager) checkArgs(args []string) error {
	switch {
	case p.jsonl && len(args) > 0:
		return cli.Misusef("unexpected argument %q: with --jsonl all questions come on standard input", args[0])
	case p.jsonl:
		return nil
	case len(args) == 0:
		return cli.Misusef("no page is given: name a file, a URL, or - for standard input")
	case len(args) > 1:
		return cli.Misusef("unexpected argument %q: page reads one page", args[1])
	}
	return nil
}

func (p *pager) checkFlags(cmd *cobra.Command, args []string) error {
	if p.jsonl {
		others := []string{"agent", "unknown", "header", "links", "lint", "json", "robots-table", "lang"}
		for _, name := range append(others, networkFlags...) {
			if cmd.Flags().Changed(name) {
				return cli.Misusef("--%s does not go with --jsonl: only --reading does", name)
			}
		}
	}
	if p.lint && (p.links || p.agents.given()) {
		return cli.Misusef("--lint does not go with --links and --agent: it looks at what the page says to all robots")
	}
	if p.cache != "" {
		return cli.Misusef("--cache does not go with page: it keeps what robots.txt says")
	}
	if len(args) > 0 {
		if _, ok := origin(args[0]); !ok {
			return p.checkFile(cmd, args[0])
		}
	}
	return p.network.check()
}

// mostLinks is the maximum number of links shown for a page.
const mostLinks = 100_000

func (p *pager) run(ctx context.Context, cmd *cobra.Command, name string) error {
	known, err := p.table.read(cmd)
	if err != nil {
		return err
	}
	asked, unknown := p.agents.resolve(known, p.lang.Language())
	nobody := (*robotname.UnknownError)(nil)
	if unknown != nil && (!errors.As(unknown, &nobody) || nobody.Mistyped()) {
		return unknown
	}
	got, file, err := p.get(ctx, cmd, name)
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return cli.ErrInterrupted
	case unknown != nil && !nobody.Among(namesOn(got.Doc)):
		return unknown
	}
	unread := func() error { return fmt.Errorf("cannot read %s: %w", shown(file), got.Err) }
	if got.Err != nil && (p.lint || !p.json) {
		return unread()
	}
	if p.lint {
		return p.writeDiagnostics(cmd, got.Doc.Diagnostics, file)
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if p.json {
		out.Write(append(got.AppendJSON(nil, asked, p.links), '\n'))
	} else {
		printerFor(cmd, &p.lang, out, cmd.OutOrStdout()).Page(got, asked, p.links)
	}
	switch err := out.Flush(); {
	case err != nil:
		return cli.Unwritten("the directives", err)
	case got.Err != nil:
		return unread()
	}
	for _, r := range asked {
		if !got.Doc.For(r.PageNames()...).Index {
			return cli.ErrNo
		}
	}
	return nil
}

// namesOn returns the names of robots that a page has directives for.
func namesOn(doc *page.Doc) (names []string) {
	for _, d := range doc.Directives {
		names = append(names, d.Robot)
	}
	return names
}

// get reads the page in a file or of a URL. file is its name for messages.
func (p *pager) get(ctx context.Context, cmd *cobra.Command, name string) (got *ask.Page, file string, err error) {
	options := page.Options{Reading: p.reading, Lint: p.lint, Language: p.lang.Language().String()}
	if p.links {
		options.MaxLinks = mostLinks
	}
	header, err := parseHeaders(p.headers)
	if err != nil {
		return nil, "", err
	}
	if site, ok := origin(name); ok {
		url := name
		if !strings.Contains(name, "://") {
			url = site + "/"
		}
		transport := http1.New(p.dialFilter().Transport())
		defer transport.CloseIdleConnections()
		getter := &ask.PageGetter{
			Transport: transport, UserAgent: p.asks(), Timeout: p.timeout, Options: options, Header: header,
			Explain: explainFetch,
		}
		got = getter.Get(ctx, url)
		file = got.URL
	} else {
		in, err := open(cmd, name)
		if err != nil {
			return nil, "", err
		}
		defer in.Close()
		options.Header = header
		got, file = &ask.Page{URL: name}, called(name)
		text := bufio.NewReaderSize(in, mostHead)
		if err := p.checkHTML(cmd, name, text); err != nil {
			return nil, "", err
		}
		if got.Doc, err = page.Read(text, options); err != nil {
			got.Err = cause(err)
		}
	}
	if got.Doc == nil {
		got.Doc = &page.Doc{Err: got.Err}
	}
	return got, file, nil
}

// mostHead is the number of bytes of a file that show whether it is HTML.
const mostHead = 16 << 10

// checkHTML returns an error for a robots.txt in the place of a page, and warns of a text without a
// tag, which says nothing to robots.
func (p *pager) checkHTML(cmd *cobra.Command, name string, text *bufio.Reader) error {
	head, _ := text.Peek(mostHead) // page.Read reports the error
	switch {
	case isBinary(head):
		return textIsBinary.Err(called(name))
	case len(head) == 0 || bytes.IndexByte(head, '<') >= 0 || bytes.IndexByte(head, 0) >= 0: // UTF-16 has NUL
		return nil
	case len(robots.Parse(head).Groups()) > 0:
		return cli.Misusef("%s is a robots.txt, and page reads HTML: '%s' finds mistakes, '%s' asks about a URL",
			called(name), commandLine([]string{"robots", "lint", name}), matchLine([]string{name, "/x"}))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textNoTag.In(p.lang.Language(), called(name)))
	return nil
}

// writeDiagnostics writes the mistakes of a page.
func (p *pager) writeDiagnostics(cmd *cobra.Command, found []page.Diagnostic, file string) error {
	object := struct {
		File        string            `json:"file"`
		Diagnostics []page.Diagnostic `json:"diagnostics"`
	}{file, append([]page.Diagnostic{}, found...)}
	err := cli.Output(cmd, "the mistakes", p.json, object, func(w io.Writer) {
		for _, d := range found {
			colon := ":"
			if d.Line == 0 {
				colon = ": " // the diagnostic is about a header
			}
			fmt.Fprintf(w, "%s%s%v\n", shown(file), colon, d)
		}
	})
	if err == nil && len(found) > 0 {
		return cli.ErrNo
	}
	return err
}

// parseHeaders reads lines of headers.
func parseHeaders(lines []string) (http.Header, error) {
	header := make(http.Header)
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		if !ok || name == "" || strings.ContainsAny(line, "\r\n") {
			return nil, cli.Misusef("--header %q is not a header: write it as 'X-Robots-Tag: noindex'", line)
		}
		header.Add(name, strings.TrimSpace(value))
	}
	return header, nil
}

// serve answers questions, one a line.
func (p *pager) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	failed, err := page.Serve(ctx, in, out, p.reading)
	return servedError("the questions", failed > 0, err)
}
