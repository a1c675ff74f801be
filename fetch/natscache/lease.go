package natscache

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// leaseForm is the start of the value of a lease, before the name of its holder. Nobody reads it
// but operators. Stored: never change it.
const leaseForm = "1 "

// An event is what a watch has seen of an origin.
type event int

const (
	stored   event = iota // an entry
	returned              // a lease
)

// Lease implements [fetch.Leaser]. Without the cluster it returns at once.
func (c *Cache) Lease(ctx context.Context, origin string) (release func()) {
	release = func() {}
	s := c.session()
	if s == nil {
		return release
	}
	k := keyOf(origin)
	defer func() { // the entry may have changed, and the watch may be late
		s.known.forget(k)
		s.turn.Add(1)
	}()
	events, stop := s.wait(k)
	defer stop()
	overdue := time.NewTimer(c.config.Wait)
	defer overdue.Stop()
	// A lease that the cluster removes is no event, and an event can be lost with a server.
	tick := time.NewTicker(c.config.Bound / 2)
	defer tick.Stop()
	for waited := false; ; waited = true {
		revision, err := s.leases.Put(ctx, k.String(), c.holder, 0)
		if s.check(ctx, err) == nil {
			c.counts.led.Add(1)
			return s.hold(k, revision)
		}
		if !errors.Is(err, cluster.ErrRevision) {
			return release
		}
		if !waited {
			c.counts.waited.Add(1)
		}
		select {
		case e := <-events:
			if e == stored {
				return release
			}
		case <-tick.C:
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

// wait returns a channel with the next event of a key. The caller calls stop afterwards.
func (s *session) wait(k key) (events chan event, stop func()) {
	events = make(chan event, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[k] = append(s.waiting[k], events)
	return events, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waiting[k] = slices.DeleteFunc(s.waiting[k], func(other chan event) bool { return other == events })
		if len(s.waiting[k]) == 0 {
			delete(s.waiting, k)
		}
	}
}

// tell tells those that wait for an event of a key. One that was not read yet is enough: the entry
// follows the lease, or the lease can be taken.
func (s *session) tell(k key, e event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, events := range s.waiting[k] {
		select {
		case events <- e:
		default:
		}
	}
}
