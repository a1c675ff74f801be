package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/demoweb"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/userfile"
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
	c.Lookup = web.Lookup
	c.DialFilter = fetch.DialFilter{Allow: web.Allowed()}
	c.Own = web.Allowed()
	c.Scope.Reach = crawl.Web
	err = w.crawl(ctx, cmd, c, web.Seeds())
	web.Score(w.out(cmd), c.Pauses.MinDelay)
	return err
}
