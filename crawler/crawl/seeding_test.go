package crawl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSeedingInterrupted interrupts a crawl while it queues its seeds: before it has kept any, and
// when it has queued some. The next run queues the rest, without their being named again.
func TestSeedingInterrupted(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "x"})
	n := ofWhole(t, 1_000_000, 30_000)
	seeds := make([]string, n)
	for i := range seeds {
		seeds[i] = fmt.Sprintf("%s/%d", s.URL, i)
	}
	c := newCrawler(t)
	c.Scope.Reach, c.Budget.Pages, c.Archive = crawl.List, 1, nil
	run := func(c crawl.Config, seen int64, seeds ...string) (*crawl.Summary, time.Duration) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var since time.Time
		left := make(chan struct{})
		c.Attend = func(running *crawl.Crawl) func() {
			stop := func() {
				since = time.Now()
				cancel()
			}
			if seen < 0 {
				close(left)
				return func() {}
			}
			if seen == 0 {
				stop()
				close(left)
				return func() {}
			}
			go func() {
				defer close(left)
				for {
					if s := running.Status(0); s != nil && s.Counts.Seen >= seen {
						stop()
						return
					}
					if ctx.Err() != nil {
						return
					}
				}
			}()
			return func() {}
		}
		summary, err := crawl.New(c).Run(ctx, seeds...)
		fatal.If(t, err)
		took := time.Since(since)
		cancel()
		<-left
		return summary, took
	}
	if summary, _ := run(*c, 0, seeds...); summary.Finished || summary.Counts.Seen != 0 {
		t.Errorf("interrupted at once: %+v", summary)
	}
	summary, took := run(*c, 1000, seeds...)
	if summary.Finished || summary.Pages > 0 {
		t.Errorf("interrupted among the seeds: %+v", summary)
	}
	t.Logf("%d of %d seeds are queued, and the crawl stops %v after the interrupt", summary.Counts.Seen, n, took)

	// The crawl counts as killed until a run has resumed it.
	name := filepath.Join(c.Dir, "robot.json")
	text, err := os.ReadFile(name)
	fatal.If(t, err)
	var who map[string]any
	fatal.If(t, json.Unmarshal(text, &who))
	delete(who, "sum")
	who["open"] = true
	text, err = json.Marshal(who)
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(name, text, 0o666))
	run(*c, 0)
	i, err := crawl.Inspect(c.Dir)
	fatal.If(t, err)
	status, err := i.Status(t.Context(), 0)
	fatal.If(t, err)
	fatal.If(t, i.Close())
	if status.State != crawl.Killed {
		t.Errorf("a killed crawl that was interrupted is %s", status.State)
	}

	summary, _ = run(*c, -1)
	if summary.Counts.Seen != int64(n) || summary.Pages != 1 {
		t.Errorf("resumed: %+v, want %d URLs", summary, n)
	}
	lines, err := os.ReadFile(filepath.Join(c.Dir, "seeds.txt"))
	if err != nil || strings.Count(string(lines), "\n") != n {
		t.Errorf("%d seeds in the file, %v", strings.Count(string(lines), "\n"), err)
	}
}
