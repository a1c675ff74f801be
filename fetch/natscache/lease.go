package natscache

import (
	"context"
	"errors"
	"sync"
	"time"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// leaseForm is the start of the value of a lease, before the name of its holder. Nobody reads it
// but operators. Stored: never change it.
const leaseForm = "1 "

// lookTime is the time between two looks at what the watch has learnt, which cost no exchange.
const lookTime = 10 * time.Millisecond

// Lease implements [fetch.Leaser]. Without the cluster it returns at once.
func (c *Cache) Lease(ctx context.Context, origin string) (release func()) {
	release = func() {}
	s := c.session()
	if s == nil {
		return release
	}
	k := keyOf(origin)
	s.known.begin(k) // so that the watch learns of its revisions
	before := s.known.newest(k)
	defer func() { // the entry may have changed, and the watch may be late
		s.known.forget(k)
		s.turn.Add(1)
	}()
	overdue := time.NewTimer(c.config.Wait)
	defer overdue.Stop()
	look := time.NewTicker(lookTime)
	defer look.Stop()
	var next time.Time // of the next try; a lease that the cluster removes is not an event
	for {
		if now := time.Now(); now.After(next) {
			revision, err := s.leases.Put(ctx, k.String(), c.holder, 0)
			if s.check(ctx, err) == nil {
				c.counts.led.Add(1)
				return s.hold(k, revision)
			}
			if !errors.Is(err, cluster.ErrRevision) {
				return release
			}
			if next.IsZero() {
				c.counts.waited.Add(1)
			}
			next = now.Add(c.config.Bound / 2)
		}
		select {
		case <-look.C:
			if s.known.newest(k) > before { // the holder has stored an entry
				return release
			}
		case <-overdue.C:
			c.counts.overdue.Add(1)
			return release
		case <-ctx.Done():
			return release
		case <-s.Context().Done():
			return release
		}
	}
}

// hold renews a lease until release is called, for Config.Wait at most: a fetch that hangs must not
// keep others from fetching.
func (s *session) hold(k key, revision uint64) (release func()) {
	ended := make(chan struct{})
	s.c.work.Go(func() {
		if revision, mine := s.renew(k, revision, ended); mine {
			s.leases.Delete(k.String(), revision) // an error costs others the rest of the lease
		}
	})
	return sync.OnceFunc(func() { close(ended) })
}

// renew renews a lease until it ends. It returns the last revision, and whether to give the lease
// back.
func (s *session) renew(k key, revision uint64, ended chan struct{}) (last uint64, mine bool) {
	most := time.NewTimer(s.c.config.Wait)
	defer most.Stop()
	tick := time.NewTicker(s.leases.TTL() / 3)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return revision, true
		case <-most.C:
			return revision, true
		case <-s.Context().Done(): // by Close: a lost cluster may be back before the fetch ends
			return revision, errors.Is(context.Cause(s.Context()), context.Canceled)
		case <-tick.C:
		}
		next, err := s.leases.Put(s.Context(), k.String(), s.c.holder, revision)
		if s.check(s.Context(), err) != nil {
			return 0, false // another process has the lease, or the cluster removes it
		}
		revision = next
	}
}
