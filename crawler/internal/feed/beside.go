package feed

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/index"
)

// A Companion keeps the index of a crawl up to date while the crawl runs. Its goroutine waits
// while another process writes to the index: either an update of the index, or a crawl in the
// same folder, whose lock keeps this one from starting.
type Companion struct {
	feeder atomic.Pointer[Feeder] // nil while another process writes to the index
	ended  chan struct{}
	fed    chan error
}

// Accompany starts to index the results of a crawl that is about to run. The error is that of
// [Open], except for [index.ErrLocked].
func Accompany(ctx context.Context, dir string, o Options) (*Companion, error) {
	f, err := Open(dir, o)
	if err != nil && !errors.Is(err, index.ErrLocked) {
		return nil, err
	}
	c := &Companion{ended: make(chan struct{}), fed: make(chan error, 1)}
	c.feeder.Store(f)
	go func() {
		err := c.follow(ctx, dir, o)
		if err != nil && ctx.Err() == nil && o.Log != nil {
			o.Log.Error("the index is not kept any more", "error", err)
		}
		c.fed <- err
	}()
	return c, nil
}

// follow indexes the results of the crawl as they are written.
func (c *Companion) follow(ctx context.Context, dir string, o Options) error {
	for c.feeder.Load() == nil {
		last := false // no more tries after the crawl has ended
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.ended:
			last = true
		case <-time.After(time.Second):
		}
		f, err := Open(dir, o)
		c.feeder.Store(f)
		if err != nil && (!errors.Is(err, index.ErrLocked) || last) {
			return err
		}
	}
	return c.feeder.Load().Follow(ctx, c.ended)
}

// Behind returns how many lines of the results are not indexed yet, as far as is known.
func (c *Companion) Behind() int {
	f := c.feeder.Load()
	if f == nil {
		return 0
	}
	n, err := f.Behind()
	if err != nil {
		return 0 // Follow reports the error
	}
	return int(n)
}

// End indexes the remaining results after the crawl has ended, and closes the index. It does
// not wait for the rest if the context of Accompany is done: that is not an error.
func (c *Companion) End() (Status, error) {
	close(c.ended)
	err := <-c.fed
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	f := c.feeder.Load()
	if f == nil {
		return Status{}, err
	}
	return f.Status(), cmp.Or(err, f.Close())
}
