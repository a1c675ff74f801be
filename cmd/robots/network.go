package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/http/http1"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A network has the flags of verbs that ask servers, among them the name that the verbs ask
// under.
type network struct {
	userAgent    string
	cache        string
	allowPrivate bool
	timeout      time.Duration

	quiet bool // of verbs with addQuiet
}

func (n *network) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&n.userAgent, "user-agent", "", "send `text` as the User-Agent header, with a way to reach you")
	flags.StringVar(&n.cache, "cache", "",
		"keep what was fetched in `folder` with its history, and use it while it is fresh")
	flags.BoolVar(&n.allowPrivate, "allow-private", false, "connect to private and other special addresses too")
	flags.DurationVar(&n.timeout, "timeout", 0, "`time` for a whole answer, such as 20s (default 1m)")
}

// addQuiet adds the flag --quiet to a verb whose exit status is an answer.
func (n *network) addQuiet(flags *pflag.FlagSet) {
	flags.BoolVarP(&n.quiet, "quiet", "q", false, "print no answer: the exit status is the answer")
}

// errUndecided is the error of verbs with --quiet, whose answer would say it.
var errUndecided = errors.New("not decided, because there are too many cases: --limit lets it look at more")

// checkQuiet refuses --quiet beside flags that shape an answer.
func (n *network) checkQuiet(cmd *cobra.Command, others ...string) error {
	if !n.quiet {
		return nil
	}
	for _, name := range others {
		if cmd.Flags().Changed(name) {
			return cli.Misusef("--%s does not go with --quiet, which prints no answer: leave one of them out", name)
		}
	}
	return nil
}

// networkFlags are the names of the flags that addFlags adds.
var networkFlags = []string{"user-agent", "cache", "allow-private", "timeout"}

// dialFilter returns the filter for the addresses of connections.
func (n *network) dialFilter() fetch.DialFilter {
	return fetch.DialFilter{AllowPrivate: n.allowPrivate}
}

// check refuses invalid values.
func (n *network) check() error {
	switch {
	case n.timeout < 0:
		return cli.Misusef("--timeout is %v: name a time such as 20s", n.timeout)
	case strings.ContainsFunc(n.userAgent, func(c rune) bool { return c < ' ' || c > '~' }):
		return cli.Misusef("--user-agent %q is not a header: it is one line of printable ASCII", n.userAgent)
	}
	return nil
}

// checkAt refuses flags that exclude --at, such as those for asking servers, and refuses --at
// without a folder that has a history.
func (n *network) checkAt(cmd *cobra.Command, others ...string) error {
	if n.cache == "" {
		return cli.Misusef("--at asks for the history that a folder has: name it with --cache")
	}
	for _, name := range others {
		if cmd.Flags().Changed(name) {
			return cli.Misusef("--%s does not go with --at: it has no history", name)
		}
	}
	for _, name := range networkFlags {
		if name != "cache" && cmd.Flags().Changed(name) {
			return cli.Misusef("--%s does not go with --at, which asks no server", name)
		}
	}
	return nil
}

// checkFile refuses the flags for asking servers, which have no effect on a file.
func (n *network) checkFile(cmd *cobra.Command, file string) error {
	if err := n.check(); err != nil {
		return err
	}
	for _, name := range networkFlags {
		switch {
		case !cmd.Flags().Changed(name):
		case name == "user-agent" && cmd.Flags().Lookup("agent") != nil:
			return cli.Misusef("--user-agent is the header for fetching, and %s is a file: "+
				"to ask about a robot, write --agent %s", called(file), shown(n.userAgent))
		default:
			return cli.Misusef("--%s is for asking servers, and %s is a file: leave it out", name, called(file))
		}
	}
	return nil
}

// checkSources refuses invalid flags for asking servers, and all of them if no argument is an
// origin.
func (n *network) checkSources(cmd *cobra.Command, args ...string) error {
	for _, arg := range args {
		if _, ok := origin(arg); ok {
			return n.check()
		}
	}
	return n.checkFile(cmd, args[0])
}

// fetch returns the robots.txt of an origin, as match does, and says on standard error how the
// server answered. A host that does not exist and an address that is not allowed are errors.
func (n *network) fetch(ctx context.Context, cmd *cobra.Command, site string, l language.Language) (*fetch.Result,
	error) {
	site, err := asOrigin(site)
	if err != nil {
		return nil, cli.Misuse(err)
	}
	if err := n.makeCache(); err != nil {
		return nil, err
	}
	ctx, stop := cli.UntilInterrupted(ctx)
	defer stop()
	r, err := n.ask(ctx, site, 0)
	if err == nil && !n.quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), say.Fetched(l, r))
	}
	return r, err
}

// ask returns the robots.txt of an origin. A host that does not exist and an address that is not
// allowed are errors. A text of more than maxSize bytes is cut; 0 is the limit of package fetch.
func (n *network) ask(ctx context.Context, origin string, maxSize int) (*fetch.Result, error) {
	client, transport := n.client()
	defer transport.CloseIdleConnections()
	client.MaxSize = maxSize
	asks := ask.New(ask.Config{Client: client, Explain: explainFetch})
	found := asks.Ask(ctx, ask.Question{URL: origin + "/robots.txt"})[0]
	switch {
	case ctx.Err() != nil:
		return nil, cli.ErrInterrupted
	case found.Err != nil:
		return nil, found.Err
	}
	return found.Source.Fetched, nil
}

// readText returns the text of a robots.txt, which is a file or that of an origin. The text of an
// origin without a robots.txt is empty. If the server is unreachable there is no text: that is an
// error.
func (n *network) readText(ctx context.Context, cmd *cobra.Command, name string, l language.Language) ([]byte, error) {
	site, ok := origin(name)
	if !ok {
		return readRobots(cmd, name)
	}
	r, err := n.fetch(ctx, cmd, site, l)
	switch {
	case err != nil:
		return nil, err
	case r.State == fetch.Unavailable:
		return nil, nil
	case r.State == fetch.OK || r.Source == fetch.Stale:
		return []byte(r.Policy.String()), nil
	}
	return nil, fmt.Errorf("%s/robots.txt has no text to work with: try again later, or name a file", r.Origin)
}

// makeCache creates the folder of --cache, if there is one.
func (n *network) makeCache() error {
	if n.cache == "" {
		return nil
	}
	if err := os.MkdirAll(n.cache, 0o777); err != nil {
		return fmt.Errorf("cannot keep what is fetched in %s: %w", n.cache, cause(err))
	}
	return nil
}

// client returns a client for robots.txt, and the transport that it uses.
func (n *network) client() (client *fetch.Client, transport *http1.Transport) {
	transport = http1.New(n.dialFilter().Transport())
	client = &fetch.Client{UserAgent: n.asks(), Transport: transport, Timeout: n.timeout}
	if n.cache != "" {
		client.Cache = &fetch.Memory{Behind: fetch.Dir(n.cache)}
	}
	return client, transport
}

// asks returns the User-Agent header.
func (n *network) asks() string {
	if n.userAgent != "" {
		return n.userAgent
	}
	return cli.UserAgent()
}

var textTimeout = language.New("%[1]s: --timeout 2m waits longer")

// explainFetch rewrites an error of package fetch in terms of the command line.
func explainFetch(err error) error {
	var refused *fetch.RefusedError
	var timeout interface{ Timeout() bool }
	if errors.As(err, &refused) {
		return fault.Special(refused.Host, refused.Addr, refused.Name)
	}
	if said := fault.Of(err); said != err {
		return said
	}
	if errors.As(err, &timeout) && timeout.Timeout() {
		return textTimeout.Err(err)
	}
	return err
}

// asOrigin is [asked.AsOrigin].
func asOrigin(arg string) (string, error) { return asked.AsOrigin(arg) }
