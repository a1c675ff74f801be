package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/crawl/control"
	"github.com/robotsexclusion/robots/crawl/seeds"
	"github.com/robotsexclusion/robots/crawl/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/spf13/cobra"
)

// newCrawl returns the verb that visits pages and what they link to.
func newCrawl() *cobra.Command {
	var w walker
	cmd := &cobra.Command{
		Use:   "crawl [flags] --user-agent TEXT URL…",
		Short: "visit pages and what they link to, politely",
		Long: `Crawl visits pages, then the pages that they link to, and so on. It obeys
robots.txt and what pages say to robots; it makes one request to a host at a time,
with pauses, which are longer where robots.txt or the server asks for that; it keeps
away from traps, and from links that do something.

All that it knows is kept in one folder, --dir. Interrupted or killed, it goes on
where it was when it is started again with the same folder: URLs are needed the first
time only. The folder has an archive of what came (WARC), with an index, and a line
for each URL in results.jsonl; and an index of the words on pages, for robots search,
which is kept up to date beside the crawl.

--user-agent says who crawls, with a web or mail address where people can reach you:
whoever runs a site that you visit wants to know.

A first interrupt (Ctrl-C, or SIGTERM from systemd, Docker or Kubernetes) lets what is
under way come to its end, a second one does not.
--demo visits a small web that it serves itself, on this machine only.

"robots crawl status" says how it goes, while it runs and afterwards, and for each
host why it waits; "robots crawl add" adds URLs to a crawl that runs. --metrics has
figures for Prometheus, and --log what an operator wants to know: hosts that ask to be
left alone, are closed or given up, and traps.

The exit status is 0 if nothing is left to do, 1 if it was interrupted, and 2 if it
could not go on.`,
		Example: `  robots crawl --demo
  robots crawl --user-agent 'ExampleBot/1.0 (+https://example.com/bot)' https://example.org/
  robots crawl --user-agent 'ExampleBot/1.0 (+https://example.com/bot)' --scope domain --pages 1000 https://example.org/
  robots crawl --user-agent 'ExampleBot/1.0 (+https://example.com/bot)' --exclude '/*?sort=' https://example.org/shop/`,
		Args: func(_ *cobra.Command, args []string) error { return w.checkArgs(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&w.dir, "dir", "crawl", "keep everything in `folder`, and go on with what is there")
	flags.StringArrayVar(&w.from, "from", nil, "start from the URLs in `file`: a list, a text, a page or a mailbox; - is standard input; repeat it for more")
	flags.StringVar(&w.userAgent, "user-agent", "", "who crawls: the `text` of the User-Agent header, with a way to reach you")
	flags.StringVar(&w.scope, "scope", crawl.Host.String(), "how far to go: host, domain, prefix, list (only the URLs given) or web")
	flags.StringArrayVar(&w.include, "include", nil, "visit what `pattern` matches, as an Allow of robots.txt would; repeat it for more")
	flags.StringArrayVar(&w.exclude, "exclude", nil, "do not visit what `pattern` matches, as a Disallow would; repeat it for more")
	flags.IntVar(&w.depth, "depth", 0, "go no more than `number` links away from a URL that was given (0 is no limit)")
	flags.Int64Var(&w.budget.Pages, "pages", 0, "fetch no more than `number` pages in this run (0 is no limit)")
	flags.Int64Var(&w.budget.Octets, "octets", 0, "fetch no more than `number` octets of bodies in this run")
	flags.Int64Var(&w.budget.HostPages, "host-pages", 0, "fetch no more than `number` pages of one host")
	flags.DurationVar(&w.delay, "delay", time.Second, "wait `time` between requests to a host at least")
	flags.IntVar(&w.workers, "parallel", 128, "make so many requests at a time, each to another host")
	flags.IntVar(&w.perAddress, "per-address", 8, "and so many of them to one IP address")
	flags.BoolVar(&w.continuous, "continuous", false, "visit pages again, the more often the more they change, until interrupted")
	flags.BoolVar(&w.noSitemaps, "no-sitemaps", false, "do not read the sitemaps that robots.txt files name")
	flags.BoolVar(&w.noArchive, "no-archive", false, "keep no archive of what comes")
	flags.StringVar(&w.nats, "nats", "", "keep the journal on the NATS server at this `URL`, not in the folder")
	flags.BoolVar(&w.allowPrivate, "allow-private", false, "connect to private and other special addresses too")
	flags.BoolVar(&w.demo, "demo", false, "serve a small web on this machine, and crawl that")
	flags.StringVar(&w.results, "results", "", "write a line for each URL to `file` (default results.jsonl in the folder); - is standard output, the summary goes to standard error then")
	w.index.addFlags(flags)
	w.metrics.addFlags(flags)
	w.log.addFlags(flags)
	complete(cmd, "scope", []string{"host", "domain", "prefix", "list", "web"})
	complete(cmd, "log-level", logLevels)
	cmd.AddCommand(newCrawlStatus(), newCrawlAdd())
	return cmd
}

// A walker is the command line of crawl, and does what it says.
type walker struct {
	dir              string
	from             []string
	userAgent        string
	scope            string
	include, exclude []string
	depth            int
	budget           crawl.Budget
	delay            time.Duration
	workers          int
	perAddress       int
	continuous       bool
	noArchive        bool
	noSitemaps       bool
	nats             string
	allowPrivate     bool
	demo             bool
	results          string
	index            crawlIndex
	metrics          metricsServer
	log              crawlLog
}

func (w *walker) checkArgs(args []string) error {
	if err := errors.Join(w.metrics.check(), w.log.check()); err != nil {
		return misuse{err}
	}
	switch {
	case w.demo && len(args) > 0:
		return misusef("--demo crawls what it serves itself: leave the URLs out")
	case w.demo && len(w.from) > 0:
		return misusef("--demo crawls what it serves itself: leave --from out")
	case w.demo:
		return nil
	case w.userAgent == "":
		return misusef("nobody is named who crawls: say --user-agent 'NAME/1.0 (+https://...)', with an address where you can be reached")
	case !strings.Contains(w.userAgent, "://") && !strings.Contains(w.userAgent, "@"):
		return misusef("--user-agent %q has no address: add a web or mail address where people can reach you", w.userAgent)
	case strings.ContainsFunc(w.userAgent, func(c rune) bool { return c < ' ' || c > '~' }):
		return misusef("--user-agent %q is no header: it is one line of printable ASCII", w.userAgent)
	case w.delay < 0:
		return misusef("--delay is %v: name a time such as 2s", w.delay)
	case w.workers < 1 || w.perAddress < 1:
		return misusef("--parallel and --per-address are 1 at least")
	case w.depth < 0 || w.budget.Pages < 0 || w.budget.Octets < 0 || w.budget.HostPages < 0:
		return misusef("a limit is a number above 0, or 0 for none")
	}
	if _, err := crawl.ParseReach(w.scope); err != nil {
		return misuse{err}
	}
	for _, p := range slices.Concat(w.include, w.exclude) {
		if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "*") {
			return misusef("the pattern %q matches nothing: it starts with / or *, as in robots.txt", p)
		}
	}
	return nil
}

func (w *walker) run(cmd *cobra.Command, urls []string) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(crawl.CollectAt)
	}
	reach, _ := crawl.ParseReach(w.scope)
	c := &crawl.Crawler{
		Dir: w.dir, UserAgent: w.userAgent, Workers: w.workers, PerAddress: w.perAddress, Budget: w.budget, NATS: w.nats, NoSitemaps: w.noSitemaps,
		Scope: crawl.Scope{Reach: reach, Include: w.include, Exclude: w.exclude, MaxDepth: w.depth},
		DialFilter: fetch.DialFilter{AllowPrivate: w.allowPrivate}, Results: w.results,
	}
	if w.results == stdin {
		c.Results, c.ResultsTo = "", cmd.OutOrStdout()
	}
	c.Manners.MinDelay = w.delay
	if w.delay == 0 {
		c.Manners.MinDelay = -1
	}
	if !w.noArchive {
		c.Archive = &warc.Options{Info: []warc.Field{{Name: "software", Value: "robots"}, {Name: "http-header-user-agent", Value: w.userAgent}}}
	}
	if w.continuous {
		c.Revisits = new(crawl.Revisits)
	}
	ctx, stop := untilInterrupted(cmd.Context())
	defer stop()
	if w.demo {
		return w.runDemo(ctx, cmd, c)
	}
	all, err := readURLs(cmd, urls, w.from)
	if err != nil {
		return err
	}
	return w.crawl(ctx, cmd, c, all)
}

// readURLs returns the URLs of a command line, and those in files.
func readURLs(cmd *cobra.Command, args, files []string) (urls []string, err error) {
	for _, arg := range args {
		url, err := seeds.Address(arg)
		if err != nil {
			return nil, misusef("%q is no URL: %v", arg, err)
		}
		urls = append(urls, url)
	}
	for _, name := range files {
		in, err := open(cmd, name)
		if err != nil {
			return nil, err
		}
		n := len(urls)
		for found, readErr := range seeds.Read(name, in) {
			if err = readErr; err != nil {
				break
			}
			urls = append(urls, found.URL)
		}
		in.Close()
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", called(name), cause(err))
		}
		if len(urls) == n {
			return nil, fmt.Errorf("%s has no URL", called(name))
		}
	}
	return urls, nil
}

// crawl crawls, shows how it goes to who wants to know, and says in the end what came
// of it.
func (w *walker) crawl(ctx context.Context, cmd *cobra.Command, c *crawl.Crawler, urls []string) error {
	closeLog, err := w.log.open(cmd, c)
	if err != nil {
		return err
	}
	defer closeLog()
	closeMetrics, err := w.metrics.serve(cmd, c)
	if err != nil {
		return err
	}
	defer closeMetrics()
	if err := w.index.start(ctx, cmd, c); err != nil {
		return err
	}
	c.Attend = func() (leave func()) {
		s, err := control.Listen(c)
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s: nobody can ask this crawl how it is, nor add to it\n", shown(err.Error()))
			return func() {}
		}
		return s.Close
	}
	var showing sync.WaitGroup
	ended := make(chan struct{})
	if w.log.name != stdin {
		showing.Go(func() { showStatus(cmd.ErrOrStderr(), c, ended) })
	}
	summary, err := c.Run(ctx, urls...)
	close(ended)
	showing.Wait()
	if summary != nil {
		writeSummary(w.out(cmd), summary)
	}
	if indexErr := w.index.finish(ctx, cmd, w.out(cmd)); err == nil {
		err = indexErr
	}
	switch {
	case err != nil:
		return err
	case summary.Spent:
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: a limit is reached: the same command goes on in %s\n", shown(c.Dir))
	case !summary.Finished:
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: stopped: the same command goes on in %s\n", shown(c.Dir))
		return errNo
	}
	return nil
}

// out returns where the summary goes: not where the results are.
func (w *walker) out(cmd *cobra.Command) io.Writer {
	if w.results == stdin {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}
