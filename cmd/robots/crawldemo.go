package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/demoweb"
	"github.com/spf13/cobra"
)

// runDemo crawls a small web of its own, in a temporary folder.
func (w *walker) runDemo(ctx context.Context, cmd *cobra.Command, c *crawl.Config) error {
	web, err := demoweb.Start(ctx)
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
	c.Lookup = web.Lookup
	c.DialFilter = fetch.DialFilter{Allow: web.Allowed()}
	c.Own = web.Allowed()
	c.Scope.Reach = crawl.Web
	err = w.crawl(ctx, cmd, c, web.Seeds())
	w.writeScore(w.out(cmd), web, c)
	return err
}

// writeScore writes what the servers of the demo recorded.
func (w *walker) writeScore(out io.Writer, web *demoweb.Web, c *crawl.Config) {
	type host struct {
		requests int
		ended    time.Duration
		shortest time.Duration
	}
	hosts := make(map[string]*host)
	for r := range web.Requests() {
		h := hosts[r.Host]
		if h == nil {
			h = &host{shortest: -1}
			hosts[r.Host] = h
		} else if pause := r.Start - h.ended; h.shortest < 0 || pause < h.shortest {
			h.shortest = pause
		}
		h.requests++
		h.ended = r.End
	}
	fmt.Fprintln(out, "\nwhat the servers saw:")
	t := &columns.Table{W: out}
	for _, origin := range web.Origins() {
		if h := hosts[origin]; h != nil {
			t.Add([]columns.Cell{columns.Text("  " + origin), columns.Text(count(h.requests, "request")),
				columns.Text("never sooner than " + h.shortest.Round(10*time.Millisecond).String() + " after the one before")})
		}
	}
	t.Flush()
	violations := web.Violations(c.Manners.MinDelay)
	fmt.Fprintf(out, "of all these, %s what robots.txt and manners ask for\n", verb(len(violations), "violates", "violate"))
	for _, v := range violations {
		fmt.Fprintln(out, v)
	}
}

// verb returns "none" or a number, with the verb in singular or plural.
func verb(n int, one, many string) string {
	switch n {
	case 0:
		return "none " + one
	case 1:
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
