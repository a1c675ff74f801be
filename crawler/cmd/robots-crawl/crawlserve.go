package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/control"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/pageserver"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/server/web"
	"github.com/spf13/cobra"
)

// newCrawlServe returns the verb that serves the page with a crawl.
func newCrawlServe() *cobra.Command {
	s := &crawlServer{reports: make(map[string]*keptReport)}
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "show a crawl in a browser, and search it",
		Long: `Serve shows the crawl in a folder in a browser, whether the crawl runs or not: how it
goes, each host and the reason why it waits, and a search over the pages that it
gathered. It only reads, and a crawl can be started, stopped and continued beside it.

  GET /                    the page
  GET /v1/crawl?limit=20   the JSON of 'robots crawl status --json'
  GET /v1/crawl/host?name=example.com&limit=20
                           that of 'robots crawl status --json example.com'
  GET /v1/search?q=WORDS&site=HOST&lang=es&from=0&limit=10
                           that of 'robots search --json'
  POST /v1/search/part     what 'robots search --index URL' asks

The page has no password: on another address than 127.0.0.1, put a proxy with one before
it.

The exit status is 0 if it was stopped, and 2 if there is no crawl, or it could not
serve.`,
		Example: `  robots crawl serve
  robots crawl serve --dir DIR --listen 127.0.0.1:8031`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.dir, "dir", "crawl", "the `folder` of the crawl")
	s.page.AddFlags(flags, "127.0.0.1:8030", "serve the page at `address`")
	return cmd
}

// A crawlServer has the flags of crawl serve, and runs the verb.
type crawlServer struct {
	dir  string
	page cli.PageAddress

	mu      sync.Mutex // held while the crawl is asked: one question at a time, however many browsers there are
	reports map[string]*keptReport
}

// A keptReport is an answer of the crawl that is given again for a short time.
type keptReport struct {
	report *control.Report
	until  time.Time
}

const (
	crawlPatience = 10 * time.Second // for an answer of the crawl
	leastKept     = time.Second      // for which an answer is given again
	// and for this many times as long as it took: a crawl of millions of hosts that has ended takes
	// seconds to read
	keptFactor = 10
	maxKept    = 32 // answers
)

func (s *crawlServer) run(cmd *cobra.Command) error {
	if err := cmp.Or(checkCrawlFolder(s.dir), s.page.Check()); err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupted(cmd.Context())
	defer stop()
	if _, err := s.ask(ctx, 0, ""); errors.Is(err, crawl.ErrNoCrawl) {
		return fmt.Errorf("there is no crawl in %s: name its folder with --dir", printable.Shown(s.dir))
	}
	server, err := pageserver.Start(s.page.Where().String(), s.config())
	if err != nil {
		return fmt.Errorf("cannot serve the page: %w", err)
	}
	defer server.Close()
	s.page.Notice(cmd.ErrOrStderr(), server.URL())
	<-ctx.Done()
	return nil
}

func (s *crawlServer) config() pageserver.Config {
	return pageserver.Config{
		Page:  web.Handler(web.Services{Crawl: "v1/"}),
		Hosts: s.page.Hosts(),
		Routes: []pageserver.Route{
			{Path: "/v1/crawl", Query: []string{"limit"}, Answer: s.status},
			{Path: "/v1/crawl/host", Query: []string{"name", "limit"}, Answer: s.host},
			{Path: "/v1/search", Query: []string{"q", "site", "lang", "from", "limit"}, Answer: s.search},
			{Path: index.PartPath, Posted: s.part, MaxBody: index.MaxAsked},
		},
	}
}

// status answers /v1/crawl.
func (s *crawlServer) status(ctx context.Context, q url.Values) (any, error) {
	limit, err := pageserver.Number(q, "limit", 20, maxStatusHosts)
	if err != nil {
		return nil, err
	}
	return s.ask(ctx, limit, "")
}

// host answers /v1/crawl/host.
func (s *crawlServer) host(ctx context.Context, q url.Values) (any, error) {
	limit, err := pageserver.Number(q, "limit", 20, maxStatusURLs)
	if err != nil {
		return nil, err
	}
	name := q.Get("name")
	if name == "" || len(name) > 1000 {
		return nil, pageserver.BadParameter("name is the name or the origin of a host, such as example.com")
	}
	return s.ask(ctx, limit, name)
}

// ask asks the crawl, or gives an answer again.
func (s *crawlServer) ask(ctx context.Context, limit int, name string) (*control.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, crawlPatience)
	defer cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	key := fmt.Sprint(limit, " ", name)
	began := time.Now()
	if k := s.reports[key]; k != nil && began.Before(k.until) {
		return k.report, nil
	}
	if err := ctx.Err(); err != nil { // it waited too long
		return nil, err
	}
	var names []string
	if name != "" {
		names = append(names, name)
	}
	report, err := control.Ask(ctx, s.dir, limit, names...)
	switch {
	case errors.Is(err, crawl.ErrInUse), errors.Is(err, context.DeadlineExceeded):
		return nil, pageserver.Unavailable("the crawl does not answer: it is starting or ending, or has much to do")
	case err != nil && name != "" && !errors.Is(err, crawl.ErrNoCrawl) && ctx.Err() == nil:
		return nil, pageserver.BadParameter("name: %v", err)
	case err != nil:
		return nil, err
	}
	if len(s.reports) >= maxKept {
		clear(s.reports)
	}
	ended := time.Now()
	s.reports[key] = &keptReport{report, ended.Add(max(leastKept, keptFactor*ended.Sub(began)))}
	return report, nil
}

// search answers /v1/search. The index is opened for each search, so that no files of an index that
// is replaced stay open.
func (s *crawlServer) search(ctx context.Context, q url.Values) (any, error) {
	limit, err := pageserver.Number(q, "limit", 10, 100)
	if err != nil {
		return nil, err
	}
	from, err := pageserver.Number(q, "from", 0, index.MaxPassed)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(q.Get("q")) == "" && q.Get("site") == "" {
		return nil, pageserver.BadParameter("q has no words to look for")
	}
	x, err := s.open()
	if err != nil {
		return nil, err
	}
	defer x.Close()
	r, err := x.Search(ctx, index.Query{Text: q.Get("q"), Site: q.Get("site"), Language: q.Get("lang"), From: from,
		Size: max(limit, 1)})
	if errors.As(err, new(*index.QueryError)) {
		return nil, pageserver.BadParameter("%v", err)
	}
	return r, err
}

// part answers a search that asks several indexes.
func (s *crawlServer) part(ctx context.Context, body []byte) (any, error) {
	x, err := s.open()
	if err != nil {
		return nil, err
	}
	defer x.Close()
	answer, err := x.Served(ctx, body)
	if errors.As(err, new(*index.QueryError)) {
		return nil, pageserver.BadParameter("%v", err)
	}
	return answer, err
}

// open opens the index.
func (s *crawlServer) open() (*index.Index, error) {
	x, err := index.Open(feed.IndexIn(s.dir), index.Options{ReadOnly: true})
	if errors.Is(err, index.ErrMissing) {
		return nil, pageserver.NotFound("the crawl has no index: make one with robots search --update")
	}
	return x, err
}
