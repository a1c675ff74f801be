package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const partitions = 256

// A team is a crawl of several workers in this process. The test assigns the partitions.
type team struct {
	t       *testing.T
	workers []*teamWorker
	owner   [partitions]int // -1: nobody
}

type teamWorker struct {
	*crawl.Worker
	dir     string
	stop    context.CancelFunc
	ended   chan struct{}
	summary *crawl.Summary
	err     error
}

func newTeam(t *testing.T) *team {
	tm := &team{t: t}
	for p := range tm.owner {
		tm.owner[p] = -1
	}
	return tm
}

// join starts a worker. It owns nothing.
func (tm *team) join(c crawl.Config, seeds ...string) *teamWorker {
	tm.t.Helper()
	w := &teamWorker{Worker: crawl.NewWorker(c), dir: c.Dir, ended: make(chan struct{})}
	ctx, stop := context.WithCancel(context.WithoutCancel(tm.t.Context()))
	w.stop = stop
	go func() {
		defer close(w.ended)
		w.summary, w.err = w.Run(ctx, seeds...)
	}()
	tm.t.Cleanup(func() { stop(); <-w.ended })
	select {
	case <-w.Joined:
	case <-w.ended:
		tm.t.Fatalf("the worker ends at once: %v", w.err)
	}
	tm.workers = append(tm.workers, w)
	return w
}

// assign moves partitions to their new owners.
func (tm *team) assign(owner func(p int) int) {
	tm.t.Helper()
	ctx := context.WithoutCancel(tm.t.Context())
	errs := make([]error, partitions)
	var all sync.WaitGroup
	for p := range partitions {
		to := owner(p)
		if to == tm.owner[p] {
			continue
		}
		all.Go(func() {
			if from := tm.owner[p]; from >= 0 {
				errs[p] = tm.workers[from].Drain(ctx, p)
			}
			if errs[p] == nil && to >= 0 {
				errs[p] = tm.workers[to].Acquire(ctx, p)
			}
			tm.owner[p] = to
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		tm.t.Fatal(err)
	}
}

// isQuiet reports whether nothing is left to do. sums is the same twice only if nothing happened
// between.
func (tm *team) isQuiet() (quiet bool, sums string) {
	var sent, received [partitions]uint64
	quiet = true
	for i, w := range tm.workers {
		busy, s, r := w.Left()
		quiet = quiet && !busy
		for p := range partitions {
			sent[p] = max(sent[p], s[p])
			if tm.owner[p] == i {
				received[p] = r[p]
			}
		}
	}
	for p := range partitions {
		quiet = quiet && received[p] >= sent[p]
	}
	return quiet, fmt.Sprint(sent, received)
}

// finish waits until nothing is left to do, and ends the workers.
func (tm *team) finish() {
	tm.t.Helper()
	before := ""
	for {
		quiet, sums := tm.isQuiet()
		if quiet && sums == before {
			break
		}
		if before = ""; quiet {
			before = sums
		}
		for _, w := range tm.workers {
			select {
			case <-w.ended:
				tm.t.Fatalf("a worker has ended: %+v, %v", w.summary, w.err)
			case <-tm.t.Context().Done():
				tm.t.Fatal("the test ends")
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	for _, w := range tm.workers {
		w.stop()
		if <-w.ended; w.err != nil {
			tm.t.Errorf("a worker ends with %v", w.err)
		}
	}
}

// union returns the URLs that the workers have in their results as fetched, each once.
func (tm *team) union() map[string]time.Time {
	all := make(map[string]time.Time)
	for _, w := range tm.workers {
		for url, at := range readFetched(tm.t, w.dir) {
			if before, ok := all[url]; ok && !before.Equal(at) {
				tm.t.Errorf("%s was fetched by two workers, at %v and %v", url, before, at)
			}
			all[url] = at
		}
	}
	return all
}

// sharedConfig returns the configuration of one of several workers of a web.
func sharedConfig(t *testing.T, web *testweb.Web, url string, workers int) crawl.Config {
	c := newTask(web, filepath.Join(t.TempDir(), "crawl")).crawler()
	c.NATS, c.Name, c.PerAddress = url, "shared", wildOpen/workers
	c.Limits.HeaderTimeout, c.Limits.Timeout, c.Limits.RateWindow = 5*time.Second, 12*time.Second, 3*time.Second
	return *c
}

// TestShares crawls a web with two workers, then with three. Their partitions change meanwhile. The
// servers see one polite robot, and the results are those of a crawl that is alone.
func TestShares(t *testing.T) {
	t.Parallel()
	o := testweb.Options{Hosts: 16, Pages: 160, Scale: 0.01, Token: "TestBot", TLS: true, Kinds: quickKinds(),
		Texts: quickTexts(), Seed: 7}
	web := startWild(t, o)
	url := natstest.Start(t)
	tm := newTeam(t)
	tm.join(sharedConfig(t, web, url, 3), web.Seeds()...)
	tm.join(sharedConfig(t, web, url, 3))
	tm.assign(func(p int) int { return p % 2 })
	for web.Served() < 100 {
		time.Sleep(time.Millisecond)
	}
	tm.join(sharedConfig(t, web, url, 3))
	tm.assign(func(p int) int { return p % 3 })
	for web.Served() < 200 {
		time.Sleep(time.Millisecond)
	}
	tm.assign(func(p int) int { return (p + 1) % 3 })
	tm.finish()
	wantPolite(t, web, wildCheck)

	alone := startWild(t, o)
	c := newTask(alone, filepath.Join(t.TempDir(), "alone")).crawler()
	_, err := crawl.NewQuick(*c).Run(t.Context(), alone.Seeds()...)
	fatal.If(t, err)
	want, got := readFetched(t, c.Dir), tm.union()
	t.Logf("%d pages by %d workers, %d by one", len(got), len(tm.workers), len(want))
	if len(want) != len(got) {
		t.Errorf("%d pages were fetched, and by one crawl %d", len(got), len(want))
	}
}
