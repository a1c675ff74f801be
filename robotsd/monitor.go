package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/http/renewed"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/robotsd/internal/guardserver"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
	"github.com/spf13/cobra"
)

// newMonitor returns the verb that watches live sites.
func newMonitor() *cobra.Command {
	var w watcher
	cmd := &cobra.Command{
		Use:   "monitor [flags] (--config FILE|ORIGIN…)",
		Short: cli.Short("monitor"),
		Long: `Monitor looks at the robots.txt of live sites, and says what a change means: closed
to search engines, opened as a whole, an HTML page in place of the file, a server that fails and
since when. It also looks at the sitemaps that the file names. A file that is only written
differently is not a change. Each finding is reported when it begins, when it changes and when it
ends. The same news about several sites within the time of --wait makes one message.

The file of --config has a site or a receiver a line:

  site https://example.com claims=example.claims expect=robots.txt page=/shop/ as=GPTBot/1.2
  https://www.example.com every=5m
  webhook https://ops.example.com/hook secret=whsec_…
  slack https://hooks.slack.com/services/… least=critical quiet=22:00-07:00 zone=Europe/Berlin
  mail ops@example.com server=mail.example.com:587 from=robots@example.com user=robots password=…
  feed /var/www/robots.atom

A site has the settings every, claims, expect (a file, or git:PATH for the last commit), page, as
and certificate-days. A receiver is a webhook, mail, the file of an Atom feed, or a chat: discord,
google-chat, mattermost, slack or teams. Its settings are name, least, lang, quiet and zone, of a
webhook secret, and of mail server, from, user, password and plain.

The folder of --dir keeps the history, and what a kill must not lose. With --once, monitor looks
once, reports and ends; without --dir it then reports what is wrong, but no changes. A site that is
closed to search engines, or whose home page is, is wrong even if it was so before.

SIGHUP reads the file of --config and the files of claims again. If they are wrong, monitor says so,
and goes on with what it had read.

With --listen, a browser shows the watch: the sites with their open incidents, and the last events.
The page only reads, and has no password: on another address than 127.0.0.1, put a proxy with one
before it.

With --nats, several instances with the same file of --config share its sites: each site is watched
by one of them, and by another when that one dies.

The exit status is 0 if there is nothing to report, or monitor was stopped, 1 if --once found
something, and 2 if a site could not be looked at, a receiver did not get a message, or monitor
could not start.`,
		Example: `  robots monitor --once --claims robots.claims --expect public/robots.txt https://example.com
  robots monitor --config monitor.conf --dir /var/lib/robots-monitor --listen 127.0.0.1:8020
  robots monitor --config monitor.conf --dir /var/lib/robots-monitor --nats nats://nats-1:4222,nats://nats-2:4222`,
		Args: func(_ *cobra.Command, args []string) error { return w.check(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&w.config, "config", "", "read sites and receivers from `file`")
	flags.StringVar(&w.dir, "dir", "", "keep the history and the state in `folder`")
	flags.BoolVar(&w.once, "once", false, "look once, and end")
	flags.StringVar(&w.claims, "claims", "", "the claims in `file` must hold of the origins")
	flags.StringVar(&w.expect, "expect", "",
		"the origins should serve the rules of `file`, or of git:PATH in the last commit")
	flags.DurationVar(&w.every, "every", 10*time.Minute, "look at the origins in this `interval`")
	flags.DurationVar(&w.wait, "wait", usualWait,
		"send the same news of several sites within this `time` as one message; with 0, no message waits")
	flags.StringVar(&w.userAgent, "user-agent", "", "send `text` as the User-Agent header, with a way to reach you")
	flags.BoolVar(&w.allowPrivate, "allow-private", false, "connect to private and other special addresses too")
	flags.BoolVar(&w.json, "json", false, "print a line of JSON for each look with a finding")
	w.sharing.addFlags(flags)
	w.lang.Add(cmd)
	w.page.AddFlags(flags, "", "serve a page for browsers at `address`, such as 127.0.0.1:8020, that shows the watch")
	w.metrics.AddFlags(flags, "serve figures at `address`, such as 127.0.0.1:9090: /metrics for Prometheus")
	return cmd
}

const (
	usualWait = 30 * time.Second
	maxWait   = 10 * time.Minute
)

// A watcher has the flags of monitor, and runs the verb.
type watcher struct {
	config, dir    string
	once           bool
	claims, expect string
	every          time.Duration
	wait           time.Duration
	userAgent      string
	allowPrivate   bool
	json           bool
	lang           cli.LanguageFlag
	metrics        cli.MetricsServer
	page           cli.PageAddress
	sharing        siteSharing

	found, failed bool
}

// check refuses wrong flags.
func (w *watcher) check(args []string) error {
	switch {
	case w.config == "" && len(args) == 0:
		return cli.Misusef("no site is given: name origins, or a file of sites with --config")
	case w.dir == "" && !w.once:
		return cli.Misusef("name a folder for the history and the state with --dir, or look once with --once")
	case w.every < time.Minute:
		return cli.Misusef("--every is %v: name a time of a minute at least", w.every)
	case w.wait < 0 || w.wait > maxWait:
		return cli.Misusef("--wait is %v: name a time from 0 to ten minutes", w.wait)
	case w.once && w.wait != usualWait:
		return cli.Misusef("--wait is about a watch that goes on: --once sends its messages when all looks are over")
	case w.once && w.page.IsSet():
		return cli.Misusef("--listen is about a watch that goes on: --once ends after one look")
	case len(args) == 0 && (w.claims != "" || w.expect != ""):
		return cli.Misusef("--claims and --expect are about origins on the command line: write them to the lines of --config")
	case strings.ContainsFunc(w.userAgent, func(c rune) bool { return c < ' ' || c > '~' }):
		return cli.Misusef("--user-agent %q is not a header: it is one line of printable ASCII", w.userAgent)
	}
	return cmp.Or(w.sharing.check(w.once), w.metrics.Check(), w.page.Check())
}

// run watches, and begins again with what was read at SIGHUP.
func (w *watcher) run(cmd *cobra.Command, args []string) error {
	ctx, stop := cli.UntilInterrupted(cmd.Context())
	defer stop()
	var hup <-chan os.Signal
	if !w.once {
		hup, _ = guardserver.Signals(ctx) // before the first look: the signal would end the program
	}
	c, err := w.read(cmd, args)
	for again := true; again && err == nil; {
		current, end := context.WithCancel(ctx)
		next := make(chan monitor.Config, 1)
		go w.readAgain(current, hup, cmd, args, func(c monitor.Config) { next <- c; end() })
		err = w.watch(current, cmd, c)
		end()
		select {
		case c = <-next:
			again = ctx.Err() == nil
		default:
			again = false
		}
	}
	return err
}

// readAgain reads the sites and receivers again at a signal, and gives them to use. If they are
// wrong, it says so, and waits for the next signal.
func (w *watcher) readAgain(ctx context.Context, hup <-chan os.Signal, cmd *cobra.Command, args []string,
	use func(monitor.Config)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hup:
		}
		c, err := w.read(cmd, args)
		if err == nil {
			use(c)
			return
		}
		if !errors.Is(err, cli.ErrFailed) { // which has said it
			fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(err.Error()))
		}
		fmt.Fprintln(cmd.ErrOrStderr(),
			"robots: the sites and receivers stay as they were: correct what is wrong, and send SIGHUP again")
	}
}

// watch looks once, or until ctx ends.
func (w *watcher) watch(ctx context.Context, cmd *cobra.Command, c monitor.Config) (err error) {
	if c.Dir = w.dir; c.Dir == "" {
		if c.Dir, err = os.MkdirTemp("", "robots-monitor-"); err != nil {
			return fmt.Errorf("cannot make a temporary folder: %w", err)
		}
		defer os.RemoveAll(c.Dir)
	}
	if c.Wait = w.wait; c.Wait == 0 {
		c.Wait = -1
	}
	userAgent := w.userAgent
	if userAgent == "" {
		userAgent = cli.UserAgent()
	}
	c.Looker = &monitor.Looker{
		UserAgent: userAgent, History: fetch.Dir(filepath.Join(c.Dir, "history")),
		Transport: renewed.New(fetch.DialFilter{AllowPrivate: w.allowPrivate}.Transport, renewed.After),
	}
	var unwritten error
	figures := newWatchFigures(len(c.Sites))
	notices := &noticeWriter{to: cmd.ErrOrStderr()}
	hinted := false
	c.Looked = func(l monitor.Look) {
		figures.looked(&l)
		if !w.allowPrivate && !hinted && slices.ContainsFunc(l.Findings, isRefused) {
			hinted = true
			notices.notice(errors.New("to watch a site at a special address, " +
				"such as one of your own network, use --allow-private"))
		}
		if err := w.print(cmd.OutOrStdout(), &l); err != nil {
			unwritten = err
		}
	}
	c.Failed = func(err error) {
		w.failed = true
		figures.failed(err)
		notices.notice(err)
	}
	stopSharing, err := w.sharing.start(&c, notices.notice)
	if err != nil {
		return err
	}
	defer stopSharing()
	m, err := monitor.New(c)
	if err != nil {
		return plain(err)
	}
	defer m.Close()
	stopFigures, err := w.metrics.Serve(cmd, func(bool) http.Handler { return figures.handler() })
	if err != nil {
		return err
	}
	defer stopFigures()
	stopPage, err := w.servePage(cmd, m)
	if err != nil {
		return err
	}
	defer stopPage()
	if !w.once {
		m.Run(ctx)
		return cli.Unwritten("the findings", unwritten)
	}
	m.Once(ctx)
	switch {
	case context.Cause(ctx) != nil:
		return cli.ErrInterrupted
	case unwritten != nil:
		return cli.Unwritten("the findings", unwritten)
	case w.failed:
		return cli.ErrFailed
	case w.found:
		return cli.ErrNo
	}
	return nil
}

// isOver reports whether an incident ended, which the findings of a look do not say.
func isOver(u monitor.Update) bool { return u.Step == monitor.Ended || u.Step == monitor.Accepted }

// isRefused reports whether a site is at an address that is not public.
func isRefused(f monitor.Finding) bool {
	return f.Kind == monitor.Unreachable && strings.Contains(f.Before, " is a special address (")
}

// A noticeWriter writes messages for the operator.
type noticeWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *noticeWriter) notice(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(w.to, "robots: %s\n", shown(err.Error()))
}

// read returns the sites and receivers of the file and of the command line.
func (w *watcher) read(cmd *cobra.Command, args []string) (c monitor.Config, err error) {
	if w.config != "" {
		var errs []error
		if c, errs = readMonitorFile(w.config); len(errs) > 0 {
			return c, cli.ReportFailures(cmd, errs)
		}
		// Programs that read the JSON of one look may read both streams.
		if notice := userfile.Exposed(w.config, "addresses and passwords of receivers"); notice != "" &&
			!(w.once && w.json) && slices.ContainsFunc(c.Subscriptions, isSecret) {
			fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(notice))
		}
	}
	site := monitor.Site{Every: w.every}
	if w.claims != "" {
		if site.Claims, err = claimsOf(w.claims); err != nil {
			return c, err
		}
	}
	if w.expect != "" {
		if site.Expect, err = expected(w.expect, "."); err != nil {
			return c, err
		}
	}
	for _, arg := range args {
		if site.URL, err = siteURL(arg); err != nil {
			return c, err
		}
		if err := addSite(&c, site); err != nil {
			return c, err
		}
	}
	if len(c.Sites) == 0 {
		return c, errors.New("there is no site to look at")
	}
	return c, nil
}

// A lookLine is the JSON of a look.
type lookLine struct {
	Origin   string            `json:"origin"`
	Time     time.Time         `json:"time,omitzero"`
	Findings []monitor.Finding `json:"findings"`
	Updates  []monitor.Update  `json:"updates,omitempty"`
	Held     bool              `json:"held,omitempty"` // the network of the watch seems to be down
	// The site asks for no request before a time, so these pages and headers had no turn.
	NotBefore time.Time `json:"not_before,omitzero"`
	Skipped   []string  `json:"skipped,omitempty"`
	// The sitemaps that were requested.
	Sitemaps []monitor.Sitemap `json:"sitemaps,omitempty"`
	Error    string            `json:"error,omitempty"`
}

// print prints the findings of a look, and the ends of incidents, if it looks once, and else the
// updates.
func (w *watcher) print(out io.Writer, l *monitor.Look) error {
	if l.Left {
		return nil
	}
	line := lookLine{Origin: l.Site.URL, Findings: l.Findings, Updates: l.Updates, Held: l.Held}
	if l.Err != nil {
		w.failed = true
		line.Error = plain(l.Err).Error()
	}
	if l.Observation != nil {
		line.Origin, line.Time = l.Observation.Origin, l.Observation.Time
		line.NotBefore, line.Skipped = l.Observation.NotBefore, l.Observation.Skipped
		line.Sitemaps = l.Observation.Sitemaps
	}
	w.found = w.found || len(l.Findings) > 0 || l.Held || len(line.Skipped) > 0
	if line.Findings == nil {
		line.Findings = []monitor.Finding{}
	}
	if !w.once && len(l.Updates) == 0 && l.Err == nil {
		return nil
	}
	if w.json {
		data, err := json.Marshal(line)
		if err == nil {
			_, err = printable.Lines{To: out}.Write(append(data, '\n'))
		}
		return err
	}
	_, err := io.WriteString(out, strings.Join(w.lines(&line), ""))
	return err
}

// lines returns a look as lines of text.
func (w *watcher) lines(line *lookLine) (lines []string) {
	l := w.lang.Language()
	add := func(text string) {
		at := ""
		if !w.once && !line.Time.IsZero() {
			at = line.Time.Format(time.RFC3339) + " "
		}
		lines = append(lines, at+printable.Text(line.Origin)+": "+text+"\n")
	}
	switch {
	case line.Error != "":
		add(textNotLooked.In(l, printable.Text(line.Error)))
	case line.Held:
		add(textHeld.In(l))
	case !w.once:
		for _, u := range line.Updates {
			add(u.Sentence(l.String()))
		}
	case len(line.Findings) == 0 && len(line.Skipped) == 0 && !slices.ContainsFunc(line.Updates, isOver):
		add(textNothing.In(l))
	}
	if w.once {
		for _, u := range line.Updates {
			if isOver(u) {
				add(u.Sentence(l.String()))
			}
		}
		for _, f := range line.Findings {
			add(f.Severity.In(l.String()) + ": " + f.Sentence(l.String()))
		}
		if len(line.Skipped) > 0 && !line.Held {
			shown := make([]string, len(line.Skipped))
			for i, text := range line.Skipped {
				shown[i] = printable.Shown(text)
			}
			add(textSkipped.In(l, line.NotBefore.Format(time.RFC3339), strings.Join(shown, ", ")))
		}
	}
	return lines
}

var (
	textNothing = language.New("nothing to report")
	textHeld    = language.New("no answer, nor from most other sites: the network of this machine may be down")
	textSkipped = language.New(
		"the site asks for no request before %[1]s (Retry-After), so these were not requested: %[2]s")
	textNotLooked = language.New("it could not be looked at: %[1]s")
)
