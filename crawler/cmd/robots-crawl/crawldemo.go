package main

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// runDemo crawls a small web of its own, in a temporary folder.
func (w *walker) runDemo(ctx context.Context, cmd *cobra.Command, c *crawl.Config) error {
	web, err := testweb.Start(ctx, testweb.Demo())
	if err != nil {
		return fmt.Errorf("cannot serve the demo: %w", err)
	}
	defer web.Close()
	if !cmd.Flags().Changed("dir") {
		if c.Dir, err = os.MkdirTemp("", "robots-demo-"); err != nil {
			return fmt.Errorf("cannot make a folder for the demo: %w", userfile.Cause(err))
		}
		defer os.RemoveAll(c.Dir)
	}
	if c.UserAgent == "" {
		c.UserAgent = "ExampleBot/1.0 (+https://example.com/bot)"
	}
	if !cmd.Flags().Changed("delay") {
		c.Pauses.MinDelay = 200 * time.Millisecond
	}
	resolver := web.Resolver()
	c.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
		return resolver.LookupNetIP(ctx, "ip", name)
	}
	c.DialFilter = fetch.DialFilter{Allow: web.Allowed()}
	c.Own = web.Allowed()
	c.Scope.Reach = crawl.Web
	err = w.crawl(ctx, cmd, c, web.Seeds())
	writeScore(w.out(cmd), web, c.Pauses.MinDelay)
	return err
}
