package main

import (
	"context"
	"iter"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/internal/cli"
)

// inquirer returns what answers the questions, and a function that closes its connections. The
// policy, if not nil, is that of all URLs.
func (m *matcher) inquirer(policy *robots.Policy, d robots.Dialect) (inquirer *ask.Inquirer, disconnect func()) {
	client, transport := m.network.client()
	client.Dialect = d
	config := ask.Config{
		Client: client, Fixed: policy, Explain: explainFetch,
		Pages: ask.PageGetter{Transport: transport, UserAgent: m.asks(), Timeout: m.timeout},
	}
	if m.at.Given() {
		config.Policy = func(ctx context.Context, origin string) (ask.Source, error) {
			p, err := inforce.At(ctx, m.cache, origin, m.at)
			if err != nil {
				return ask.Source{}, err
			}
			return ask.Source{Policy: p.Policy, Origin: p.Origin, Version: p}, nil
		}
	}
	return ask.New(config), transport.CloseIdleConnections
}

// urlsAt returns the URLs of a sequence, with an origin before those that are paths.
func urlsAt(origin string, urls iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for url, err := range urls {
			if asked.IsPath(url) {
				url = origin + url
			}
			if !yield(url, err) {
				return
			}
		}
	}
}

// siteURLs is [asked.URLs] with an error about the command line.
func siteURLs(args []string, more bool) (urls []string, base string, err error) {
	if urls, base, err = asked.URLs(args, more); err != nil {
		err = cli.Misuse(err)
	}
	return urls, base, err
}
