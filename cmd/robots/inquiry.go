package main

import (
	"context"
	"iter"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/ask"
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

// isPath reports whether a text is the path of a URL, and no host follows its slashes.
func isPath(text string) bool {
	return strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")
}

// urlsAt returns the URLs of a sequence, with an origin before those that are paths.
func urlsAt(origin string, urls iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for url, err := range urls {
			if isPath(url) {
				url = origin + url
			}
			if !yield(url, err) {
				return
			}
		}
	}
}

// siteURLs returns the URLs that arguments name; the first argument names an origin. Each argument
// is a URL, or a path at the origin before it. An origin followed by paths, here or in a file, is
// not itself a URL. Base is the last origin.
func siteURLs(args []string, more bool) (urls []string, base string, err error) {
	for i, arg := range args {
		if isPath(arg) {
			urls = append(urls, base+arg)
			continue
		}
		url := arg
		if !strings.Contains(arg, "://") {
			url = "https://" + arg
		}
		if base, err = asOrigin(arg); err != nil {
			return nil, "", cli.Misuse(err)
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
