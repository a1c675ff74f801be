package main

import (
	"context"
	"iter"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/inquire"
	"github.com/robotsexclusion/robots/internal/inforce"
	"github.com/robotsexclusion/robots/internal/parallel"
)

// An inquiry has the questions of match: URLs, robots and dialects.
type inquiry struct {
	*matcher
	robots   []agent.Subject
	dialects []robots.Dialect
	file     *robots.Policy // the policy, if it comes from a file
	base     string         // otherwise the origin of URLs that are paths

	inquirer *inquire.Inquirer
	asked    *robots.Policy // the policy of the last result, if there is no file
}

// atOnce is the maximum number of URLs asked about concurrently, if servers must be asked.
const atOnce = 8

// connect makes the inquirer, and returns a function that closes its connections.
func (q *inquiry) connect() (disconnect func()) {
	client, transport := q.network.client()
	client.Dialect = q.dialects[0]
	config := inquire.Config{
		Client: client, Fixed: q.file, Explain: explainFetch,
		Pages: inquire.PageGetter{Transport: transport, UserAgent: q.asks(), Timeout: q.timeout},
	}
	if q.at.Given() {
		config.Policy = func(ctx context.Context, origin string) (inquire.Source, error) {
			p, err := inforce.At(ctx, q.cache, origin, q.at)
			if err != nil {
				return inquire.Source{}, err
			}
			return inquire.Source{Policy: p.Policy, Origin: p.Origin, Version: p}, nil
		}
	}
	q.inquirer = inquire.New(config)
	return transport.CloseIdleConnections
}

// last returns the policy of the file, or else that of the last result, or nil.
func (q *inquiry) last() *robots.Policy {
	if q.file != nil {
		return q.file
	}
	return q.asked
}

// ask returns the results for each URL.
func (q *inquiry) ask(ctx context.Context, urls iter.Seq2[string, error]) iter.Seq2[[]*inquire.Result, error] {
	return func(yield func([]*inquire.Result, error) bool) {
		if q.file == nil || q.page {
			for found, err := range parallel.InOrder(ctx, atOnce, urls, q.answer) {
				if err == nil && found[0].Source != nil {
					q.asked = found[0].Source.Policy
				}
				if !yield(found, err) {
					return
				}
			}
			return
		}
		for url, err := range urls {
			if err != nil {
				yield(nil, err)
				return
			}
			if ctx.Err() != nil || !yield(q.answer(ctx, url), nil) {
				return
			}
		}
	}
}

// answer returns a result for each robot.
func (q *inquiry) answer(ctx context.Context, url string) []*inquire.Result {
	if q.file == nil && strings.HasPrefix(url, "/") && !strings.HasPrefix(url, "//") {
		url = q.base + url
	}
	return q.inquirer.Ask(ctx, inquire.Question{
		URL: url, Robots: q.robots, Dialects: q.dialects, Why: q.why, Page: q.page, ReadClosed: q.readClosed,
	})
}

// siteURLs returns the URLs that arguments stand for; the first argument names an origin. Each
// argument is a URL, or a path at the origin before it. An origin followed by paths, here or
// in a file, is not itself a URL. Base is the last origin.
func siteURLs(args []string, more bool) (urls []string, base string, err error) {
	isPath := func(arg string) bool { return strings.HasPrefix(arg, "/") && !strings.HasPrefix(arg, "//") }
	for i, arg := range args {
		if isPath(arg) {
			urls = append(urls, base+arg)
			continue
		}
		url := arg
		if !strings.Contains(arg, "://") {
			url = "https://" + arg
		}
		if base, err = fetch.Origin(url); err != nil {
			return nil, "", misuse{err}
		}
		_, rest, _ := strings.Cut(url, "://")
		if strings.ContainsAny(strings.TrimSuffix(rest, "/"), "/?#") {
			urls = append(urls, url)
		} else if last := i+1 == len(args); last && !more || !last && !isPath(args[i+1]) {
			urls = append(urls, base+"/")
		}
	}
	return urls, base, nil
}
