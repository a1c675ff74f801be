package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/control"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/crawltext"
	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/objects"
	"github.com/robotsexclusion/robots/crawler/internal/seeds"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/internal/nats/natsflag"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newCrawl returns the verb that visits pages and the pages that they link to.
func newCrawl() *cobra.Command {
	var w walker
	cmd := &cobra.Command{
		Use:   "crawl [flags] --user-agent TEXT URL…",
		Short: cli.Short("crawl"),
		Long: `Crawl visits pages, then the pages that they link to, and so on. It obeys
robots.txt and what pages say to robots; it makes one request to a host at a time,
with pauses, which are longer where robots.txt or the server asks for that; it makes
ten requests a second at most to one IP address, and 3,000 in ten minutes, whatever the
number of hosts there; it keeps away from traps, and from links that do something.

Crawl keeps its state in one folder, --dir. After an interrupt or a kill, the same
command with the same folder resumes the crawl: URLs are needed the first time only.
The folder has an archive of the responses (WARC), with an index; a line for each URL
in results.jsonl; and an index of the words on pages, for robots search, which is kept
up to date during the crawl.

--user-agent names your robot, with a web or mail address: the operators of the sites
need a way to reach you.

Press Ctrl-C once to finish the open requests and stop, and twice to stop at once.
SIGTERM from systemd, Docker or Kubernetes does the same.
--demo visits a small web that it serves itself, on this machine only.

"robots crawl status" shows the progress during the crawl and afterwards, and the
reason why each host waits; "robots crawl serve" shows both in a browser, with a search.
"robots crawl add" adds URLs to a running crawl. --metrics serves metrics for
Prometheus. --log records events for the operator: hosts that ask to be left alone, are
closed or given up, and traps.

A host on this machine, such as http://localhost:8000/, needs no --allow-private if it is
one of the URLs given; a link of another host never leads there.

The exit status is 0 if nothing is left to do, 1 if it was interrupted, and 2 if it
could not continue, or could not visit any URL.`,
		Example: `  robots crawl --demo
  robots crawl --user-agent 'ExampleBot/1.0 (+https://example.com/bot)' https://example.org/
  robots crawl --user-agent 'ExampleBot/1.0 (+https://example.com/bot)' --scope domain --pages 1000 https://example.org/
  robots crawl --user-agent 'ExampleBot/1.0 (+https://example.com/bot)' --exclude '/*?sort=' https://example.org/shop/`,
		Args: func(cmd *cobra.Command, args []string) error {
			return cmp.Or(unknownCrawlVerb(cmd, args), w.checkRevisits(cmd.Flags()), w.checkArgs(args))
		},
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&w.dir, "dir", "crawl", "keep everything in `folder`, and resume the crawl in it")
	flags.StringArrayVar(&w.from, "from", nil,
		"start from the URLs in `file`: a list, a text, a page or a mailbox; - is standard input; repeat it for more")
	flags.Int64Var(&w.budget.Pages, "pages", 0,
		"fetch no more than `number` pages in this run, or with --worker in the whole crawl (0 means no limit)")
	flags.Int64Var(&w.budget.Bytes, "bytes", 0,
		"fetch no more than `number` bytes of bodies in this run, or with --worker in the whole crawl")
	flags.Int64Var(&w.budget.HostPages, "host-pages", crawl.DefaultHostPages,
		"fetch no more than `number` pages of one host (0 means no limit)")
	flags.Int64Var(&w.pageBytes, "page-bytes", 8<<20,
		"keep no more than `number` bytes of a page; the results say what is cut")
	flags.IntVar(&w.pageLinks, "page-links", 5000,
		"follow no more than `number` links of a page; the results say what is cut")
	flags.DurationVar(&w.revisits.First, "revisit-first", 24*time.Hour,
		"with --continuous: visit a page again `time` after the first visit, within --revisit-min and --revisit-max")
	flags.DurationVar(&w.revisits.Min, "revisit-min", time.Hour,
		"with --continuous: wait at least `time` between visits to a page")
	flags.DurationVar(&w.revisits.Max, "revisit-max", 30*24*time.Hour,
		"with --continuous: wait at most `time` between visits to a page")
	flags.DurationVar(&w.delay, "delay", time.Second, "wait at least `time` between requests to a host")
	flags.DurationVar(&w.maxPause, "max-pause", time.Hour,
		"skip a host whose robots.txt asks for longer pauses than `time` (0 means no limit)")
	flags.IntVar(&w.workers, "parallel", 128, "make at most `number` requests at a time, each to another host")
	flags.IntVar(&w.perAddress, "per-address", 8, "make at most `number` requests at a time to one IP address")
	flags.StringArrayVar(&w.own, "own-network", nil,
		"set no limit of requests for the addresses of `network`, such as 192.168.0.0/16, which is your own; the pauses of hosts remain; repeat it for more")
	flags.BoolVar(&w.ignoreRobots, "ignore-robots", false,
		"visit what robots.txt disallows too, at hosts that are proven to be yours: in an --own-network, "+
			"or a URL given whose host has the line \"User-agent: NAME\" of the robot in /.well-known/robots-owner.txt")
	flags.BoolVar(&w.continuous, "continuous", false,
		"visit pages again, the more often the more they change, until interrupted")
	w.server.AddFlags(flags, "keep the journal on the NATS server at this `URL`, not in the folder")
	flags.StringVar(&w.name, "name", "",
		"with --nats: call the crawl `NAME` on the server (default a random name, which the folder keeps)")
	flags.IntVar(&w.replicas, "replicas", 0,
		"with --nats: keep a new journal on this `number` of servers, such as 3 of which one may fail (default 1)")
	flags.BoolVar(&w.takeOver, "take-over", false,
		"with --nats: continue the crawl of that name from another folder, which cannot continue it afterwards")
	flags.BoolVar(&w.worker, "worker", false,
		"with --nats: share the crawl of that --name with other workers, each with its own --dir")
	flags.StringVar(&w.store, "store", "",
		"with --worker: upload the archive and the results to the object store at `URL`: nats:BUCKET, s3://BUCKET/PREFIX or file:///FOLDER")
	flags.BoolVar(&w.allowPrivate, "allow-private", false, "connect to private and other special addresses too")
	flags.BoolVar(&w.demo, "demo", false, "serve a small web on this machine, and crawl that")
	w.addMadeFlags(flags)
	w.index.addFlags(flags)
	w.metrics.AddFlags(flags,
		"serve figures at `address`, such as 127.0.0.1:9090: /metrics for Prometheus, and on this machine alone /status and /debug/pprof/")
	w.log.addFlags(flags)
	w.sign.addFlags(flags)
	cli.Complete(cmd, "scope", []string{"host", "domain", "prefix", "list", "web"})
	cli.Complete(cmd, "log-level", logLevels)
	cmd.AddCommand(newCrawlStatus(), newCrawlServe(), newCrawlAdd(), newCrawlRepair())
	return cmd
}

// addMadeFlags adds the flags that define a crawl. They stay the same for all runs of the
// crawl.
func (w *walker) addMadeFlags(flags *pflag.FlagSet) {
	flags.StringVar(&w.userAgent, "user-agent", "", "send `text` as the User-Agent header, with a way to reach you")
	flags.StringVar(&w.scope, "scope", crawl.Host.String(),
		"how far to go: host, domain, prefix, list (only the URLs given) or web")
	flags.StringArrayVar(&w.include, "include", nil,
		"visit what `pattern` matches, as an Allow of robots.txt would; repeat it for more")
	flags.StringArrayVar(&w.exclude, "exclude", nil,
		"do not visit what `pattern` matches, as a Disallow would; repeat it for more")
	flags.IntVar(&w.depth, "depth", 0,
		"go no more than `number` links away from a URL that was given (0 is 20, without counting how often the pages of a list are turned)")
	flags.BoolVar(&w.noSitemaps, "no-sitemaps", false, "do not read the sitemaps that robots.txt files name")
	flags.BoolVar(&w.noArchive, "no-archive", false, "keep no archive of the responses")
	flags.StringVar(&w.results, "results", "",
		"write a line for each URL to `file` (default results.jsonl in the folder); - is standard output, and the summary goes to standard error")
}

// made returns the crawl that these flags describe. The flags must have been checked.
func (w *walker) made() *crawl.Config {
	reach, _ := crawl.ParseReach(w.scope)
	c := &crawl.Config{
		Dir: w.dir, UserAgent: w.userAgent, NATS: w.nats, Name: w.name, Replicas: w.replicas, TakeOver: w.takeOver,
		Shared: w.worker, ObjectStore: w.store,
		NoSitemaps: w.noSitemaps, Results: w.results,
		Scope: crawl.Scope{Reach: reach, Include: w.include, Exclude: w.exclude, MaxDepth: w.depth},
	}
	if !w.noArchive {
		c.Archive = &warc.Options{Info: []warc.Field{{Name: "software", Value: "robots"},
			{Name: "http-header-user-agent", Value: w.userAgent}}}
	}
	return c
}

// A walker has the flags of crawl, and runs the verb.
type walker struct {
	dir              string
	from             []string
	userAgent        string
	scope            string
	include, exclude []string
	depth            int
	budget           crawl.Budget
	delay, maxPause  time.Duration
	workers          int
	perAddress       int
	own              []string
	pageBytes        int64
	pageLinks        int
	revisits         crawl.Revisits
	continuous       bool
	ignoreRobots     bool
	noArchive        bool
	noSitemaps       bool
	server           natsflag.Flags
	nats             string // the address of server
	name             string
	replicas         int
	takeOver         bool
	worker           bool
	store            string
	allowPrivate     bool
	demo             bool
	results          string
	index            crawlIndex
	metrics          cli.MetricsServer
	log              crawlLog
	sign             crawlSigner
}

// unknownCrawlVerb returns an error for a first argument that is not a URL but nearly a verb
// below crawl: "crawl statsu" is a misspelled verb and not a host.
func unknownCrawlVerb(crawl *cobra.Command, args []string) error {
	if len(args) == 0 || strings.ContainsAny(args[0], ".:/") {
		return nil
	}
	const near = 2 // letters that may differ
	crawl.SuggestionsMinimumDistance = near
	if names := crawl.SuggestionsFor(args[0]); len(names) > 0 {
		return cli.Misusef("unknown verb %q: did you mean crawl %s?", args[0], names[0])
	}
	return nil
}

// checkCrawlFolder returns an error if the name of a crawl's folder is the name of a file.
func checkCrawlFolder(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("--dir %s is a file: name the folder of a crawl", printable.Shown(dir))
	}
	return nil
}

func (w *walker) checkArgs(args []string) error {
	if err := errors.Join(w.metrics.Check(), w.log.check()); err != nil {
		return cli.Misuse(err)
	}
	if err := w.sign.check(w.demo); err != nil {
		return err
	}
	if err := w.findServer(); err != nil {
		return err
	}
	switch {
	case w.demo && len(args) > 0:
		return cli.Misusef("--demo crawls what it serves itself: leave the URLs out")
	case w.demo && len(w.from) > 0:
		return cli.Misusef("--demo crawls what it serves itself: leave --from out")
	case w.demo:
		return nil
	}
	if err := w.checkMade(); err != nil {
		return err
	}
	switch {
	case w.delay < 0:
		return cli.Misusef("--delay is %v: name a time such as 2s", w.delay)
	case w.maxPause < 0:
		return cli.Misusef("--max-pause is %v: name a time such as 10m, or 0 for no limit", w.maxPause)
	case w.workers < 1 || w.perAddress < 1:
		return cli.Misusef("--parallel and --per-address are 1 at least")
	case w.replicas < 0 || w.replicas > 5:
		return cli.Misusef("--replicas is %d: a NATS cluster keeps 1 to 5", w.replicas)
	case w.nats == "" && w.replicas > 0:
		return cli.Misusef("--replicas is for a journal on a cluster: name its servers with --nats")
	case w.nats == "" && (w.name != "" || w.takeOver):
		return cli.Misusef("--name and --take-over are for a journal on a server: name the server with --nats")
	case w.nats == "" && w.worker:
		return cli.Misusef("--worker shares a crawl through a server: name the server with --nats")
	case w.store != "" && !w.worker:
		return cli.Misusef("--store is for the workers of a crawl: share it with --worker")
	case w.store != "" && objects.Check(w.store) != nil:
		return cli.Misusef("--store: %w", objects.Check(w.store))
	case w.pageBytes < 1 || w.pageLinks < 1:
		return cli.Misusef("--page-bytes and --page-links are 1 at least")
	}
	err := cmp.Or(checkLimit("pages", w.budget.Pages, "no limit"), checkLimit("bytes", w.budget.Bytes, "no limit"),
		checkLimit("host-pages", w.budget.HostPages, "no limit"))
	if err != nil {
		return err
	}
	for _, network := range w.own {
		if _, err := parseNetwork(network); err != nil {
			return cli.Misusef("--own-network %s is not a network: name one such as 192.168.0.0/16, or an address",
				printable.Shown(network))
		}
	}
	return nil
}

// findServer sets the address of the server with the journal.
func (w *walker) findServer() (err error) {
	w.nats, err = w.server.Address()
	return err
}

// warn says which files with secrets everybody on this machine can read.
func (w *walker) warn(cmd *cobra.Command) {
	for _, notice := range nats.Exposed(w.nats) {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", printable.Shown(notice))
	}
}

// checkLimit returns an error for a limit below zero. The text zero says in the error what 0
// means.
func checkLimit(flag string, limit int64, zero string) error {
	if limit >= 0 {
		return nil
	}
	return cli.Misusef("--%s is %d: name a number above 0, or 0 for %s", flag, limit, zero)
}

// checkRevisits checks the flags for revisits. A first interval that is not given is moved
// into the bounds that are given.
func (w *walker) checkRevisits(flags *pflag.FlagSet) error {
	r := &w.revisits
	for name, value := range map[string]time.Duration{"revisit-first": r.First, "revisit-min": r.Min,
		"revisit-max": r.Max} {
		switch {
		case flags.Changed(name) && !w.continuous:
			return cli.Misusef("--%s is for --continuous only: without it no page is visited again", name)
		case value <= 0:
			return cli.Misusef("--%s is %v: name a time such as 6h", name, value)
		}
	}
	if r.Min > r.Max {
		return cli.Misusef("--revisit-min is %v: it is to be no longer than --revisit-max, %v", r.Min, r.Max)
	}
	if !flags.Changed("revisit-first") {
		r.First = min(max(r.First, r.Min), r.Max)
	}
	if r.First < r.Min || r.First > r.Max {
		return cli.Misusef("--revisit-first is %v: it is to be between --revisit-min, %v, and --revisit-max, %v",
			r.First, r.Min, r.Max)
	}
	return nil
}

// checkMade checks the flags that define a crawl.
func (w *walker) checkMade() error {
	switch {
	case w.userAgent == "":
		return cli.Misusef("--user-agent is missing: write --user-agent 'NAME/1.0 (+https://...)', " +
			"with an address where you can be reached")
	case !strings.Contains(w.userAgent, "://") && !strings.Contains(w.userAgent, "@"):
		return cli.Misusef("--user-agent %q has no address: add a web or mail address where people can reach you",
			w.userAgent)
	case strings.ContainsFunc(w.userAgent, func(c rune) bool { return c < ' ' || c > '~' }):
		return cli.Misusef("--user-agent %q is not a header: it is one line of printable ASCII", w.userAgent)
	}
	if err := checkLimit("depth", int64(w.depth), "20"); err != nil {
		return err
	}
	if _, err := crawl.ParseReach(w.scope); err != nil {
		return cli.Misuse(err)
	}
	for _, p := range slices.Concat(w.include, w.exclude) {
		if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "*") {
			return cli.Misusef("the pattern %q matches nothing: it starts with / or *, as in robots.txt", p)
		}
	}
	return nil
}

// parseNetwork returns the network, or the single address, in a text.
func parseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Prefix(addr.BitLen())
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}

func (w *walker) run(cmd *cobra.Command, urls []string) error {
	cli.CollectEarly(50)
	if err := checkCrawlFolder(w.dir); err != nil {
		return err
	}
	signer, err := w.sign.signer()
	if err != nil {
		return err
	}
	w.warn(cmd)
	c := w.made()
	c.Signer = signer
	c.Workers, c.PerAddress, c.Budget = w.workers, w.perAddress, w.budget
	c.DialFilter = fetch.DialFilter{AllowPrivate: w.allowPrivate}
	if w.results == userfile.Stdin {
		c.Results, c.ResultsTo = "", cmd.OutOrStdout()
	}
	c.IgnoreRobots = w.ignoreRobots
	c.Limits.MaxBody, c.MaxLinks = w.pageBytes, w.pageLinks
	for _, network := range w.own {
		p, _ := parseNetwork(network)
		c.Own = append(c.Own, p)
	}
	if w.budget.HostPages == 0 {
		c.Budget.HostPages = -1
	}
	c.Pauses.MinDelay, c.Pauses.MaxPause = w.delay, w.maxPause
	if w.delay == 0 {
		c.Pauses.MinDelay = -1
	}
	if w.maxPause == 0 {
		c.Pauses.MaxPause = -1
	}
	if w.continuous {
		c.Revisits = &w.revisits
	}
	ctx, stop := cli.Interruptible(cmd)
	defer stop()
	if w.demo {
		return w.runDemo(ctx, cmd, c)
	}
	all, err := readURLs(cmd, urls, w.from)
	switch {
	case ctx.Err() != nil:
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	return w.crawl(ctx, cmd, c, all)
}

// readURLs returns the URLs of the command line and of the files.
func readURLs(cmd *cobra.Command, args, files []string) (urls []string, err error) {
	for _, arg := range args {
		url, err := seeds.Address(arg)
		if err != nil {
			return nil, cli.Misuse(err)
		}
		urls = append(urls, url)
	}
	for _, name := range files {
		in, err := userfile.Open(name, cmd.InOrStdin())
		if err != nil {
			return nil, err
		}
		found, err := seeds.ReadAll(name, in)
		in.Close()
		switch {
		case err != nil:
			return nil, fmt.Errorf("cannot read %s: %w", userfile.Called(name), userfile.Cause(err))
		case len(found) == 0:
			return nil, fmt.Errorf("%s has no URL", userfile.Called(name))
		}
		for _, url := range found {
			if _, err := weburl.Links.Parse(url); err != nil {
				return nil, fmt.Errorf("%s: %w: mend it, or take it out", userfile.Called(name), err)
			}
		}
		urls = append(urls, found...)
	}
	return urls, nil
}

// crawl runs the crawl, shows its progress if asked to, and writes a summary at the end.
func (w *walker) crawl(ctx context.Context, cmd *cobra.Command, c *crawl.Config, urls []string) error {
	closeLog, err := w.log.open(cmd, c)
	if err != nil {
		return err
	}
	defer closeLog()
	c.Attend = func(running *crawl.Crawl) (leave func()) {
		s, err := control.Listen(c.Dir, running)
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(),
				"robots: %s: 'robots crawl status' and 'robots crawl add' cannot reach this crawl\n",
				printable.Shown(err.Error()))
			return func() {}
		}
		return s.Close
	}
	start := &crawlStart{to: cmd.ErrOrStderr()}
	if w.log.name != userfile.Stdin {
		c.OnTrouble = start.tell
	}
	running := crawl.New(*c)
	closeMetrics, err := w.metrics.Serve(cmd, func(alone bool) http.Handler {
		return control.Handler(running, alone, w.metrics.Hosts()...)
	})
	if err != nil {
		return err
	}
	defer closeMetrics()
	if err := w.index.start(ctx, cmd, c); err != nil {
		return err
	}
	var showing sync.WaitGroup
	ended := make(chan struct{})
	if w.log.name != userfile.Stdin {
		showing.Go(func() { showStatus(cmd.ErrOrStderr(), running, ended) })
	}
	summary, err := running.Run(ctx, urls...)
	close(ended)
	showing.Wait()
	if summary != nil {
		crawltext.Summary(w.out(cmd), summary)
	}
	if indexErr := w.index.finish(ctx, cmd, w.out(cmd)); err == nil {
		err = indexErr
	}
	// A crawl that is stopped while it opens, as when it waits for servers, has no summary.
	switch {
	case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
		return w.stopped(cmd, c)
	case err != nil:
		return err
	case summary.Spent && w.worker:
		fmt.Fprintln(cmd.ErrOrStderr(), "robots: the workers have used up the limit of the crawl: "+
			"it goes on when all are started with a larger --pages or --bytes")
	case summary.Spent:
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: a limit is reached: the same command goes on in %s\n",
			printable.Shown(c.Dir))
	case !summary.Finished:
		return w.stopped(cmd, c)
	case w.worker:
		return nil // other workers may have visited everything
	}
	if err := start.nothing(summary); err != nil {
		return err
	}
	w.next(cmd, c)
	return nil
}

// stopped says how a crawl goes on that was stopped before its end.
func (w *walker) stopped(cmd *cobra.Command, c *crawl.Config) error {
	fmt.Fprintf(cmd.ErrOrStderr(), "robots: stopped: the same command goes on in %s\n", printable.Shown(c.Dir))
	return cli.ErrNo
}

// next says where the results of a crawl are, and which commands show them.
func (w *walker) next(cmd *cobra.Command, c *crawl.Config) {
	dir, index := "", ""
	if c.Dir != "crawl" {
		dir, index = " --dir "+inShell(c.Dir), " --index "+inShell(feed.IndexIn(c.Dir))
	}
	var parts []string
	if c.ResultsTo == nil {
		name := cmp.Or(c.Results, filepath.Join(c.Dir, "results.jsonl"))
		parts = append(parts, "the results are in "+printable.Shown(name))
	}
	parts = append(parts, "'robots crawl status"+dir+"' shows each host")
	if w.index.companion != nil {
		parts = append(parts, "'robots search"+index+" WORD' searches the pages")
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", strings.Join(parts, "; "))
}

// inShell returns a word as it is typed in a shell of POSIX.
func inShell(word string) string {
	special := func(c rune) bool { return c > '~' || strings.ContainsRune(" \t\n'\"\\$`!*?[](){}<>|&;#~", c) }
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(printable.Shown(word), "'", `'\''`) + "'"
}

// out returns the writer for the summary, which is not the writer of the results.
func (w *walker) out(cmd *cobra.Command) io.Writer {
	if w.results == userfile.Stdin {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}
