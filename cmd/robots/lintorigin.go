package main

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/inforce"
	"github.com/robotsexclusion/robots/internal/lintsite"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
	"github.com/spf13/cobra"
)

// site returns what asks sites as the flags say.
func (l *linter) site() *lintsite.Site {
	return &lintsite.Site{Client: l.client, UserAgent: l.asks(), Timeout: l.timeout, MaxSize: largestLinted, Explain: explainFetch}
}

// askPast is [lintsite.Site.Ask] for the version in force at the moment of --at. The history has no response
// headers, so the response is nil if the origin had a text.
func (l *linter) askPast(ctx context.Context, cmd *cobra.Command, origin string) (text string, response *lint.Response, err error) {
	p, err := inforce.At(ctx, l.cache, origin, l.at)
	if err != nil {
		return "", nil, err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), sayVersion(l.lang.language(), p))
	switch {
	case p.State == fetch.OK:
		return p.Policy.String(), nil, nil
	case p.Status == 0:
		return "", nil, fmt.Errorf("there is no %s/robots.txt of %s: %s", origin, l.at.Text, printable.Text(p.Cause))
	}
	return "", &lint.Response{URL: p.URL, Status: p.Status, Cause: p.Cause}, nil
}
