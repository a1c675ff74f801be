package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/crawl/seeds"
	"github.com/robotsexclusion/robots/crawl/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/wild"
	"github.com/spf13/cobra"
	"golang.org/x/term"
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
for each URL in results.jsonl.

--user-agent says who crawls, with a web or mail address where people can reach you:
whoever runs a site that you visit wants to know.

A first interrupt lets what is under way come to its end, a second one does not.
--demo visits a small web that it serves itself, on this machine only.

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
	complete(cmd, "scope", []string{"host", "domain", "prefix", "list", "web"})
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
}

func (w *walker) checkArgs(args []string) error {
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
	reach, _ := crawl.ParseReach(w.scope)
	c := &crawl.Crawler{
		Dir: w.dir, UserAgent: w.userAgent, Workers: w.workers, PerAddress: w.perAddress, Budget: w.budget, NATS: w.nats, NoSitemaps: w.noSitemaps,
		Scope: crawl.Scope{Reach: reach, Include: w.include, Exclude: w.exclude, MaxDepth: w.depth},
		Guard: fetch.Guard{AllowPrivate: w.allowPrivate},
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
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	if w.demo {
		return w.runDemo(ctx, cmd, c)
	}
	all, err := w.seeds(cmd, urls)
	if err != nil {
		return err
	}
	return w.crawl(ctx, cmd, c, all)
}

// seeds returns the URLs to start from: those of the command line, and those in files.
func (w *walker) seeds(cmd *cobra.Command, args []string) (urls []string, err error) {
	for _, arg := range args {
		url, err := seeds.Address(arg)
		if err != nil {
			return nil, misusef("%q is no URL: %v", arg, err)
		}
		urls = append(urls, url)
	}
	for _, name := range w.from {
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

// runDemo crawls a small web of its own, in a folder that is not kept.
func (w *walker) runDemo(ctx context.Context, cmd *cobra.Command, c *crawl.Crawler) error {
	web, err := wild.Demo(ctx)
	if err != nil {
		return fmt.Errorf("cannot serve the demo: %w", err)
	}
	defer web.Close()
	if !cmd.Flags().Changed("dir") {
		if c.Dir, err = os.MkdirTemp("", "robots-demo-"); err != nil {
			return fmt.Errorf("cannot make a folder for the demo: %w", cause(err))
		}
		defer os.RemoveAll(c.Dir)
	}
	if c.UserAgent == "" {
		c.UserAgent = "ExampleBot/1.0 (+https://example.com/bot)"
	}
	if !cmd.Flags().Changed("delay") {
		c.Manners.MinDelay = 200 * time.Millisecond
	}
	resolver := web.Resolver()
	c.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
		return resolver.LookupNetIP(ctx, "ip", name)
	}
	c.Guard = fetch.Guard{Allow: web.Allowed()}
	c.Scope.Reach = crawl.Web
	err = w.crawl(ctx, cmd, c, web.Seeds())
	w.writeScore(cmd.OutOrStdout(), web, c)
	return err
}

// writeScore tells what the servers of the demo saw.
func (w *walker) writeScore(out io.Writer, web *wild.Web, c *crawl.Crawler) {
	type host struct {
		requests int
		ended    time.Duration
		shortest time.Duration
	}
	hosts := make(map[string]*host)
	for r := range web.Requests() {
		origin, err := fetch.Origin(r.URL)
		if err != nil {
			continue
		}
		h := hosts[origin]
		if h == nil {
			h = &host{shortest: -1}
			hosts[origin] = h
		} else if pause := r.Start - h.ended; h.shortest < 0 || pause < h.shortest {
			h.shortest = pause
		}
		h.requests++
		h.ended = r.End
	}
	fmt.Fprintln(out, "\nwhat the servers saw:")
	t := &table{w: out}
	for i := range web.Len() {
		if h := hosts[web.Origin(i)]; h != nil {
			t.add([]cell{{text: "  " + web.Origin(i)}, {text: count(h.requests, "request")},
				{text: "never sooner than " + h.shortest.Round(10*time.Millisecond).String() + " after the one before"}})
		}
	}
	t.flush()
	violations := web.Check(wild.CheckOptions{MinDelay: c.Manners.MinDelay})
	fmt.Fprintf(out, "of all these, %s what robots.txt and manners ask for\n", verb(len(violations), "violates", "violate"))
	for _, v := range violations {
		fmt.Fprintln(out, v)
	}
}

// verb returns "none", or a number, with the form of a verb.
func verb(n int, one, many string) string {
	switch n {
	case 0:
		return "none " + one
	case 1:
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// crawl crawls, shows on a terminal how it goes, and says in the end what came of it.
func (w *walker) crawl(ctx context.Context, cmd *cobra.Command, c *crawl.Crawler, urls []string) error {
	ended := make(chan struct{})
	var showing sync.WaitGroup
	showing.Go(func() { showStatus(cmd.ErrOrStderr(), c, ended) })
	summary, err := c.Run(ctx, urls...)
	close(ended)
	showing.Wait()
	if summary != nil {
		writeSummary(cmd.OutOrStdout(), summary)
	}
	switch {
	case err != nil:
		return err
	case !summary.Finished:
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: stopped: the same command goes on in %s\n", shown(c.Dir))
		return errNo
	}
	return nil
}

// showStatus shows a line on a terminal until the crawl has ended.
func showStatus(to io.Writer, c *crawl.Crawler, ended <-chan struct{}) {
	f, ok := to.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			fmt.Fprint(to, "\r\x1b[K")
			return
		case <-tick.C:
			if s := c.Status(0); s != nil {
				fmt.Fprintf(to, "\r\x1b[K%d done, %d queued, %d refused, %.1f a second, %d hosts waiting, %d open",
					s.Counts.Done, s.Counts.Queued, s.Refused(), float64(s.Pages)/s.Elapsed.Seconds(), s.Waiting, s.Open)
			}
		}
	}
}

// writeSummary tells what came of a crawl.
func writeSummary(w io.Writer, s *crawl.Summary) {
	fmt.Fprintf(w, "%s fetched in %v, %d octets; %d known on %s, %d visited, %d queued\n", count(int(s.Pages), "page"),
		s.Elapsed.Round(10*time.Millisecond), s.Octets, s.Counts.Seen, count(int(s.Counts.Hosts), "host"), s.Counts.Done, s.Counts.Queued)
	reasons := s.Named()
	for _, name := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return int(reasons[b] - reasons[a]) }) {
		fmt.Fprintf(w, "%8d  %s\n", reasons[name], name)
	}
}
