package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/internal/index"
	"github.com/robotsexclusion/robots/internal/index/feed"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A crawlIndex has the flag for the index of a crawl, and keeps the index up to date.
type crawlIndex struct {
	off    bool
	feeder atomic.Pointer[feed.Feeder] // nil if there is no index, or not yet
	ended  chan struct{}
	fed    chan error // nil if there is no index
}

func (x *crawlIndex) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&x.off, "no-index", false, "keep no index of the pages, in which robots search finds them")
}

// start starts indexing the results of a crawl while it runs. An index needs an archive, which
// has the pages, and a file of results.
func (x *crawlIndex) start(ctx context.Context, cmd *cobra.Command, c *crawl.Config) error {
	if x.off || c.Archive == nil {
		return nil
	}
	info, err := os.Stat(c.Results)
	if c.ResultsTo != nil || c.Results != "" && err == nil && !info.Mode().IsRegular() {
		fmt.Fprintln(cmd.ErrOrStderr(), "robots: no index is kept: the results go to no file that it could be made from")
		return nil
	}
	f, err := openFeed(c)
	if err != nil && !errors.Is(err, index.ErrLocked) {
		return fmt.Errorf("%w; or crawl with --no-index", err)
	}
	x.feeder.Store(f)
	x.ended, x.fed = make(chan struct{}), make(chan error, 1)
	go func() {
		err := x.follow(ctx, c)
		if err != nil && ctx.Err() == nil && c.Log != nil {
			c.Log.Error("the index is not kept any more", "error", err)
		}
		x.fed <- err
	}()
	return nil
}

// openFeed opens the index of a crawl. The Feeder is nil if there is an error.
func openFeed(c *crawl.Config) (*feed.Feeder, error) {
	return feed.Open(c.Dir, feed.Options{Results: c.Results, Robot: tokensOf(c), Log: c.Log})
}

// tokensOf returns the product tokens that the robot of a crawl obeys on pages.
func tokensOf(c *crawl.Config) []string {
	if c.Tokens != nil {
		return c.Tokens
	}
	if token := robots.ProductToken(c.UserAgent); token != "" {
		return []string{token}
	}
	return nil
}

// follow indexes the results of the crawl as they are written. It waits while another process
// writes to the index: either an update of the index, or a crawl in the same folder, whose
// lock keeps this one from starting.
func (x *crawlIndex) follow(ctx context.Context, c *crawl.Config) error {
	for x.feeder.Load() == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-x.ended:
		case <-time.After(time.Second):
		}
		f, err := openFeed(c)
		x.feeder.Store(f)
		if err != nil && (!errors.Is(err, index.ErrLocked) || isClosed(x.ended)) {
			return err
		}
	}
	return x.feeder.Load().Follow(ctx, x.ended)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// worthTelling is the number of lines from which on indexing takes long enough to report it.
const worthTelling = 500

// finish indexes the remaining results after the crawl has ended, unless the user interrupts
// it, and writes the outcome.
func (x *crawlIndex) finish(ctx context.Context, cmd *cobra.Command, out io.Writer) error {
	if x.fed == nil {
		return nil
	}
	errOut := cmd.ErrOrStderr()
	if left := x.left(); left >= worthTelling && ctx.Err() == nil {
		fmt.Fprintf(errOut, "robots: the crawl has ended; not indexed yet: %s of what it told; wait, or interrupt, and the same command goes on with that\n", count(left, "line"))
	}
	close(x.ended)
	err := <-x.fed
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	f := x.feeder.Load()
	if f == nil {
		return err
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if s := f.Status(); s.Lines > 0 {
		fmt.Fprintln(out, fedText(s))
	}
	if left := x.left(); left > 0 && err == nil {
		fmt.Fprintf(errOut, "robots: not indexed yet: %s of what was told; the same command goes on with that\n", count(left, "line"))
	}
	return err
}

// left returns how many lines of the results are not indexed yet.
func (x *crawlIndex) left() int {
	f := x.feeder.Load()
	if f == nil {
		return 0
	}
	n, err := f.Behind()
	if err != nil {
		return 0 // the reader of the results reports the error
	}
	return int(n)
}

// fedText describes the changes to an index.
func fedText(s feed.Status) string {
	text := count(int(s.Indexed), "page") + " indexed"
	if s.Removed > 0 {
		text += fmt.Sprintf(", %d removed", s.Removed)
	}
	if s.Left > 0 {
		text += fmt.Sprintf(", %d left out for the same page at another URL", s.Left)
	}
	if s.Passed > 0 {
		text += fmt.Sprintf(", %d that could not be read", s.Passed)
	}
	return text
}
