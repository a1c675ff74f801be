//go:build unix

package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCheckpointSpeed moves a partition to an empty folder, by its checkpoint, and by its log.
func TestCheckpointSpeed(t *testing.T) {
	t.Parallel()
	urls := ofWhole(t, 1_000_000, 3000)
	server := natstest.Start(t)
	config := func(store string) *crawl.Config {
		c := newCrawler(t)
		c.NATS, c.Name, c.ObjectStore, c.Archive = server, "speed", store, nil
		c.Lookup = func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("no network") }
		return c
	}
	url := func(i int) string { return fmt.Sprintf("http://site.test/a-path-of-some-length/page-%d.html", i) }
	p := crawl.PartitionOf(url(0))
	run := func(c *crawl.Config) (w *crawl.Worker, end func()) {
		t.Helper()
		w = crawl.NewWorker(*c)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := w.Run(ctx, "http://seed.test/") // of another partition
			ended <- err
		}()
		select {
		case <-w.Joined:
		case err := <-ended:
			t.Fatal(err)
		}
		return w, func() {
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	store := "file://" + filepath.ToSlash(t.TempDir())
	first, end := run(config(store))
	fatal.If(t, first.Acquire(t.Context(), p))
	fatal.If(t, first.Find(urls, urls/2, url))
	began := time.Now()
	fatal.If(t, first.Save(t.Context(), p))
	t.Logf("a checkpoint of %d URLs was saved in %v", urls, time.Since(began))
	fatal.If(t, first.Drain(t.Context(), p))
	for _, by := range []string{store, ""} {
		c := config(by)
		w, leave := run(c)
		began := time.Now()
		before := processorTime(t)
		fatal.If(t, w.Acquire(t.Context(), p))
		t.Logf("%d URLs, by a checkpoint %v: moved in %v, with %v of processors", urls, by != "", time.Since(began),
			processorTime(t)-before)
		got := w.Status(1).Counts
		if got.Seen != int64(urls) || got.Done != int64(urls/2) || got.Queued != int64(urls-urls/2) {
			t.Errorf("the partition has %+v", got)
		}
		fatal.If(t, w.Drain(t.Context(), p))
		leave()
	}
	end()
}

// processorTime returns the time of processors that this process has taken, with its NATS server.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	fatal.If(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
