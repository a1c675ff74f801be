package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A crawlIndex has the flag for the index of a crawl, and the companion that keeps the index up
// to date, or nil.
type crawlIndex struct {
	off       bool
	companion *feed.Companion
}

func (x *crawlIndex) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&x.off, "no-index", false, "keep no index of the pages, in which robots search finds them")
}

// start starts indexing the results of a crawl while it runs. An index needs an archive, which
// has the pages, and a file of results.
func (x *crawlIndex) start(ctx context.Context, cmd *cobra.Command, c *crawl.Config) (err error) {
	if x.off || c.Archive == nil {
		return nil
	}
	info, err := os.Stat(c.Results)
	if c.ResultsTo != nil || c.Results != "" && err == nil && !info.Mode().IsRegular() {
		fmt.Fprintln(cmd.ErrOrStderr(),
			"robots: no index is kept: the results go to no file that it could be made from")
		return nil
	}
	x.companion, err = feed.Accompany(ctx, c.Dir, feed.Options{Results: c.Results, Robot: tokensOf(c), Log: c.Log})
	if err != nil {
		return fmt.Errorf("%w; or crawl with --no-index", err)
	}
	return nil
}

// tokensOf returns the product tokens that the robot of a crawl obeys on pages.
func tokensOf(c *crawl.Config) []string {
	if token := robots.ProductToken(c.UserAgent); c.Tokens == nil && token != "" {
		return []string{token}
	}
	return c.Tokens
}

// worthTelling is the number of lines from which on indexing takes long enough to report it.
const worthTelling = 500

// finish indexes the remaining results after the crawl has ended, unless the user interrupts
// it, and writes the outcome.
func (x *crawlIndex) finish(ctx context.Context, cmd *cobra.Command, out io.Writer) error {
	if x.companion == nil {
		return nil
	}
	errOut := cmd.ErrOrStderr()
	if left := x.companion.Behind(); left >= worthTelling && ctx.Err() == nil {
		fmt.Fprintf(errOut, "robots: the crawl has ended, but %s of its results are not indexed yet: wait, "+
			"or interrupt and let the same command index them\n", language.Count(left, "line"))
	}
	done, err := x.companion.End()
	if done.Lines > 0 {
		fmt.Fprintln(out, done)
	}
	if left := x.companion.Behind(); left > 0 && err == nil {
		fmt.Fprintf(errOut, "robots: %s of the results are not indexed yet: the same command indexes them\n",
			language.Count(left, "line"))
	}
	return err
}
