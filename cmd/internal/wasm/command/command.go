// Package command has three verbs of the command, lint, match and report, for a machine without Go:
// npm runs them as WebAssembly. Their answers and exit statuses are those of the command, whose
// packages make them; they have fewer flags.
package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/card/answered"
	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/lint"
)

// The exit statuses of the command.
const (
	statusYes    = 0
	statusNo     = 1
	statusFailed = 2
)

// A Machine is what the verbs need of the machine where they run.
type Machine struct {
	Read      func(name string, limit int64) ([]byte, error) // of "-", standard input; limit + 1 bytes at most
	Exists    func(name string) bool                         // a file
	Transport http.RoundTripper                              // makes requests
	Private   *bool                                          // set by Run: requests may go to private addresses
	Language  string                                         // the locale of messages
	Color     bool                                           // on standard output
	UserAgent string
	Version   string
	Out, Err  io.Writer
}

// errNo ends a verb whose answer is no, and errFailed one that has printed its errors.
var (
	errNo     = errors.New("the answer is no")
	errFailed = errors.New("it could not be asked")
)

// A misuse is a mistake on the command line.
type misuse struct{ error }

func misusef(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// A verb is a verb with the values of its flags.
type verb struct {
	Machine
	name  string
	lang  string
	json  bool
	quiet bool

	profile, failOn, format string
	enable, disable         []string

	agents  []string
	unknown bool
	why     bool
}

const help = `robots reads robots.txt, as RFC 9309 says.

  npx @robotsexclusion/robots report FILE|ORIGIN             what the file says, and its mistakes
  npx @robotsexclusion/robots lint FILE|ORIGIN|-…            find mistakes
  npx @robotsexclusion/robots match FILE|-|ORIGIN|URL URL…   which URLs a robot may fetch, and why

Flags:
  --json              a JSON object
  --lang CODE         the language of answers: en, es, ko, ru
  --color WHEN        auto, always or never
  -q, --quiet         lint, match: print no answer, as the exit status is one
  -a, --agent ROBOT   match: ask about these robots: tokens, headers, names such as claude, purposes such as ai-train
  --unknown           match: accept names of robots that this program does not know
  --why               match: show all rules that match, and why they win or lose
  --allow-private     connect to private and other special addresses too
  --profile NAME      lint: recommended, strict, seo or historic
  --enable CHECKS, --disable CHECKS, --fail-on error|warning|info, --format NAME    lint

Exit status: 0 = allowed, or no findings; 1 = disallowed, findings, or a server that does not answer; 2 = error.
The command robots has more verbs and flags: https://github.com/robotsexclusion/robots
`

// Run runs a verb, and returns the exit status.
func Run(ctx context.Context, m Machine, args []string) (status int) {
	v := &verb{Machine: m}
	err := v.run(ctx, args)
	switch {
	case err == nil:
		return statusYes
	case errors.Is(err, errNo):
		return statusNo
	case errors.Is(err, errFailed):
		return statusFailed
	}
	v.complain(err)
	if errors.As(err, new(misuse)) {
		fmt.Fprintln(v.Err, "robots: see 'npx @robotsexclusion/robots help'")
	}
	return statusFailed
}

func (v *verb) complain(err error) {
	fmt.Fprintf(v.Err, "robots: %s\n", printable.Shown(language.Explain(v.language(), err)))
}

func (v *verb) language() language.Language { return language.Parse(cmp.Or(v.lang, v.Language)) }

func (v *verb) run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(v.Err, help)
		return errFailed
	}
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") || args[0] == "help" {
		fmt.Fprint(v.Out, help)
		return nil
	}
	if args[0] == "--version" || args[0] == "-v" || args[0] == "version" {
		fmt.Fprintln(v.Out, "robots "+v.Version)
		return nil
	}
	var run func(context.Context, []string) error
	v.name = args[0]
	color := "auto"
	f := flags{texts: map[string]*string{"lang": &v.lang, "color": &color},
		bools: map[string]*bool{"json": &v.json, "allow-private": v.Private}}
	switch v.name {
	case "lint":
		run = v.lint
		v.profile, v.failOn = string(lint.Recommended), lint.Warning.String()
		f.texts["profile"], f.texts["fail-on"], f.texts["format"] = &v.profile, &v.failOn, &v.format
		f.lists = map[string]*[]string{"enable": &v.enable, "disable": &v.disable}
		f.bools["quiet"], f.bools["q"] = &v.quiet, &v.quiet
	case "match":
		run = v.match
		f.lists = map[string]*[]string{"agent": &v.agents, "a": &v.agents}
		f.bools["unknown"], f.bools["why"] = &v.unknown, &v.why
		f.bools["quiet"], f.bools["q"] = &v.quiet, &v.quiet
	case "report":
		run = v.report
	default:
		return misusef("there is no verb %s here: there are lint, match and report", printable.Quoted(v.name, 100))
	}
	args, err := f.parse(args[1:])
	if err != nil {
		return err
	}
	if v.lang != "" && !slices.Contains(language.Codes(), v.lang) {
		return misusef("--lang is %s: name one of %s", printable.Quoted(v.lang, 100),
			strings.Join(language.Codes(), ", "))
	}
	switch color {
	case "always", "never":
		v.Color = color == "always"
	case "auto":
	default:
		return misusef("--color is %s: name auto, always or never", printable.Quoted(color, 100))
	}
	return run(ctx, args)
}

// read returns the text of a file.
func (v *verb) read(name string, limit int64, why string) ([]byte, error) {
	data, err := v.Read(name, limit)
	switch {
	case err != nil:
		return nil, userfile.Unread(name, err)
	case int64(len(data)) > limit:
		return nil, userfile.TooLarge(name, limit, why)
	}
	return data, nil
}

// client returns a client for robots.txt.
func (v *verb) client(maxSize int) *fetch.Client {
	return &fetch.Client{UserAgent: v.UserAgent, Transport: v.Transport, MaxSize: maxSize}
}

// explain puts an error of package fetch in words for people.
func explain(err error) error {
	var refused *fetch.RefusedError
	if errors.As(err, &refused) {
		return fault.Special(refused.Host, refused.Addr, refused.Name)
	}
	return fault.Of(err)
}

// report prints the report card of a file or a site.
func (v *verb) report(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return misusef("a report is about one file or site: name a robots.txt, - for standard input, " +
			"or an origin such as example.com")
	}
	site, ok := asked.Origin(args[0], v.Exists)
	if !ok {
		data, err := v.read(args[0], asked.LargestLinted, asked.TooLargeToLint)
		if err != nil {
			return err
		}
		return v.card(robots.Parse(data), card.Options{Subject: args[0]})
	}
	site, err := asked.AsOrigin(site)
	if err != nil {
		return misuse{err}
	}
	asks := ask.New(ask.Config{Client: v.client(asked.LargestLinted), Explain: explain})
	found := asks.Ask(ctx, ask.Question{URL: site + "/robots.txt"})[0]
	if found.Err != nil {
		return found.Err
	}
	r := found.Source.Fetched
	if err := v.card(r.Policy, card.Options{Subject: r.Origin, Site: true, Answer: answered.By(r)}); err != nil {
		return err
	}
	if r.State == fetch.Unreachable {
		return errNo
	}
	return nil
}

// repeated returns the flags of the command line that a command on a card needs as well, to give
// the same answer: those that the command robots repeats.
func (v *verb) repeated(command string) (words []string) {
	name, _, _ := strings.Cut(command, " ")
	if *v.Private && !strings.Contains(command, "--explain") {
		words = append(words, "--allow-private")
	}
	if v.lang != "" && name != "fetch" {
		words = append(words, "--lang", v.lang)
	}
	return words
}

func (v *verb) card(p *robots.Policy, o card.Options) error {
	o.Language, o.Flags = v.language(), v.repeated
	c := card.Make(p, o)
	if v.json {
		fmt.Fprintf(v.Out, "%s\n", printable.JSON(printable.AppendJSON(nil, c)))
		return nil
	}
	say.Card(&say.Printer{W: v.Out, Color: v.Color, Language: o.Language}, c)
	return nil
}

// lint finds the mistakes of files and sites.
func (v *verb) lint(ctx context.Context, args []string) error {
	if v.json {
		if v.format != "" && v.format != "json" {
			return misusef("--json does not go with --format %s: leave one of them out", v.format)
		}
		v.format = "json"
	}
	v.enable, v.disable = split(v.enable), split(v.disable)
	v.format = cmp.Or(strings.ToLower(v.format), "text")
	o := lint.Options{Enable: v.enable, Disable: v.disable, Language: v.language().String()}
	for _, name := range slices.Concat(v.enable, v.disable) {
		if lint.Find(name) == nil {
			return misusef("unknown check %s: doc/checks.md of the project lists them", printable.Quoted(name, 100))
		}
	}
	var ok bool
	if o.Profile, ok = lint.ParseProfile(v.profile); !ok {
		return misusef("unknown profile %s: there are recommended, strict, seo, historic",
			printable.Quoted(v.profile, 100))
	}
	if !slices.Contains(lint.Formats(), v.format) {
		return misusef("unknown format %s: there are %s", printable.Quoted(v.format, 100),
			strings.Join(lint.Formats(), ", "))
	}
	failOn, ok := lint.ParseSeverity(v.failOn)
	switch {
	case !ok:
		return misusef("--fail-on is %q: name error, warning or info", v.failOn)
	case v.quiet && v.format != "text":
		return misusef("--format and --json do not go with --quiet, which prints no answer: leave one of them out")
	case len(args) == 0:
		return misusef("no file is given: name a robots.txt, or - for standard input")
	}
	found, failed := false, false
	var files []lint.File
	for _, name := range args {
		f, err := v.lintOne(ctx, name, o)
		if err != nil {
			v.complain(err)
			failed = true
			continue
		}
		found = found || f.Report.Count(failOn) > 0
		files = append(files, f)
	}
	if len(files) > 0 && !v.quiet {
		if err := (lint.Writer{Format: v.format, Color: v.Color}).Write(v.Out, files...); err != nil {
			return err
		}
	}
	if v.format == "text" && !v.quiet {
		say.Found(v.Err, v.language(), files)
	}
	switch {
	case failed:
		return errFailed
	case found:
		return errNo
	}
	return nil
}

func (v *verb) lintOne(ctx context.Context, name string, o lint.Options) (f lint.File, err error) {
	site, ok := asked.Origin(name, v.Exists)
	if !ok {
		data, err := v.read(name, asked.LargestLinted, asked.TooLargeToLint)
		if err != nil {
			return f, err
		}
		if name == userfile.Stdin {
			name = "stdin"
		}
		return lint.File{Name: name, Report: lint.Run(robots.Parse(data), o)}, nil
	}
	if o.Origin, err = asked.AsOrigin(site); err != nil {
		return f, err
	}
	client := v.client(asked.LargestLinted)
	last := &lastHeader{RoundTripper: v.Transport}
	client.Transport = last
	r, err := client.Policy(ctx, o.Origin+"/")
	if err != nil {
		return f, explain(err)
	}
	if r.Status == 0 {
		return f, fmt.Errorf("cannot fetch %s/robots.txt: %w", o.Origin, explain(r.Err))
	}
	policy := robots.Parse(nil)
	o.Response = &lint.Response{URL: r.URL, Status: r.Status, Cause: r.Cause}
	o.Response.MaxAge.Age, o.Response.MaxAge.Known = httpfield.Stated(last.header, r.CheckedAt)
	for _, hop := range r.Redirects {
		o.Response.Redirects = append(o.Response.Redirects, hop.URL)
	}
	if r.State == fetch.OK && r.File != nil {
		o.Response.ContentType, policy = r.File.ContentType, r.File.Policy
	}
	return lint.File{Name: o.Origin + "/robots.txt", Report: lint.Run(policy, o)}, nil
}

// A lastHeader makes requests one after another, and keeps the header of the last answer.
type lastHeader struct {
	http.RoundTripper
	header http.Header
}

func (l *lastHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		l.header = answer.Header
	}
	return answer, err
}

// largestFile is the maximum size, in bytes, of a file that match reads.
const largestFile = 16 << 20

// match answers which URLs robots may fetch.
func (v *verb) match(ctx context.Context, args []string) error {
	switch {
	case v.quiet && (v.json || v.why):
		return misusef("--json and --why do not go with --quiet, which prints no answer: leave one of them out")
	case v.unknown && len(v.agents) == 0:
		return misusef("--unknown goes with --agent: it takes the names there as they are")
	case len(args) == 0:
		return misusef("nothing is given: name a robots.txt, - for standard input, or the URL of a site")
	}
	config := ask.Config{Client: v.client(0), Explain: explain}
	known := &robotname.Names{Language: v.language()}
	file, urls := args[0], args[1:]
	if _, isSite := asked.Origin(args[0], v.Exists); isSite {
		var err error
		if urls, _, err = asked.URLs(args, false); err != nil {
			return misuse{err}
		}
		file = ""
	} else {
		if len(urls) == 0 {
			return misusef("no URL is given: name one after %s", printable.Shown(file))
		}
		data, err := v.read(file, largestFile, "that is not a robots.txt")
		if err != nil {
			return err
		}
		config.Fixed = robots.Parse(data)
		say.NotRobots(v.Err, v.language(), userfile.Called(file), config.Fixed)
		for _, g := range config.Fixed.Groups() {
			known.Add(g.Agents()...)
		}
	}
	q := ask.Question{Dialects: []robots.Dialect{robots.RFC9309}, Why: v.why}
	q.Robots = []agent.Subject{{Name: "*", Tokens: []string{"*"}}}
	nobody := (*robotname.UnknownError)(nil)
	if len(v.agents) > 0 {
		var err error
		q.Robots, err = known.Resolve(v.agents)
		switch {
		case errors.As(err, &nobody) && v.unknown:
			nobody = nil
		case errors.As(err, &nobody) && (config.Fixed != nil || nobody.Mistyped()):
			return err
		case err != nil && nobody == nil:
			return misusef("--agent %q names no robot: give a product token such as ExampleBot",
				strings.Join(v.agents, ","))
		}
	}
	return v.answer(ctx, ask.New(config), file, urls, q, nobody)
}

// answer prints the answers for URLs.
func (v *verb) answer(ctx context.Context, asks *ask.Inquirer, file string, urls []string, q ask.Question,
	nobody *robotname.UnknownError) error {
	out := bufio.NewWriter(v.Out)
	text := &say.Results{Printer: say.Printer{W: out, Color: v.Color, Language: v.language()},
		Dialects: q.Dialects, Named: len(v.agents) > 0, Why: v.why, People: v.Err}
	object := &ask.Writer{W: out, File: file, Dialects: q.Dialects}
	no, failed := false, false
	for found, err := range asks.AskAll(ctx, userfile.List(urls), q) {
		if err != nil {
			return err
		}
		for _, r := range found {
			asked.CheckName(r, nobody)
			no, failed = no || r.Refused(), failed || r.Err != nil
			switch {
			case v.quiet && r.Err != nil:
				fmt.Fprintf(v.Err, "robots: %s: %s\n", printable.Shown(r.URL),
					printable.Shown(language.Explain(v.language(), r.Err)))
			case v.quiet:
			case v.json:
				object.Add(r)
			default:
				text.Add(r)
			}
		}
		if !v.quiet && !v.json {
			text.Sum(found)
		}
	}
	switch {
	case v.quiet:
	case v.json:
		object.End(nil, nil)
	default:
		text.End()
	}
	out.Flush()
	switch {
	case failed:
		return errFailed
	case no:
		return errNo
	}
	return nil
}
