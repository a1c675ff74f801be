package natscache

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// leaseForm is the start of the value of a lease, before the name of its holder. Nobody reads it but
// operators. Stored: never change it.
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
	s := c.session.Load()
	if s == nil {
		return release
	}
	k := keyOf(origin)
	defer func() { // the entry may have changed, and the watch may be late
		s.known.forget(k)
		s.turn.Add(1)
	}()
	events := s.wait(k)
	defer s.unwait(k, events)
	overdue := time.NewTimer(c.config.Wait)
	defer overdue.Stop()
	// A lease that the cluster removes is no event, and an event can be lost with a server.
	tick := time.NewTicker(c.config.Bound / 2)
	defer tick.Stop()
	for waited := false; ; waited = true {
		revision, err := s.take(ctx, k)
		if err == nil {
			c.counts.led.Add(1)
			return s.hold(k, revision)
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
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
		case <-s.ctx.Done():
			return release
		}
	}
}

// take takes a lease. The error is jetstream.ErrKeyExists if another process, or another fetch of this
// one, has it.
func (s *session) take(ctx context.Context, k key) (revision uint64, err error) {
	err = s.exchange(ctx, func(ctx context.Context) (err error) {
		revision, err = s.leases.Create(ctx, k.String(), s.c.holder)
		return err
	})
	return revision, err
}

// hold renews a lease until release is called, for Config.Wait at most: a fetch that hangs must not keep
// others from fetching.
func (s *session) hold(k key, revision uint64) (release func()) {
	ended := make(chan struct{})
	s.c.work.Go(func() {
		most := time.NewTimer(s.c.config.Wait)
		defer most.Stop()
		tick := time.NewTicker(s.ttl / 3)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				s.giveBack(k, revision)
				return
			case <-most.C:
				s.giveBack(k, revision)
				return
			case <-s.ctx.Done():
				if errors.Is(context.Cause(s.ctx), context.Canceled) { // by Close. A lost cluster may be back before the fetch ends
					s.giveBack(k, revision)
				}
				return
			case <-tick.C:
			}
			err := s.exchange(s.ctx, func(ctx context.Context) (err error) {
				revision, err = s.leases.Update(ctx, k.String(), s.c.holder, revision)
				return err
			})
			if err != nil {
				return // another process has the lease, or the cluster removes it
			}
		}
	})
	return sync.OnceFunc(func() { close(ended) })
}

// giveBack deletes a lease if it is still the same. An error costs others the rest of the lease.
func (s *session) giveBack(k key, revision uint64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), s.c.config.Bound)
	defer cancel()
	s.leases.Delete(ctx, k.String(), jetstream.LastRevision(revision))
}

// wait returns a channel with the next event of a key. The caller calls unwait afterwards.
func (s *session) wait(k key) chan event {
	events := make(chan event, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[k] = append(s.waiting[k], events)
	return events
}

func (s *session) unwait(k key, events chan event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.waiting[k], func(other chan event) bool { return other == events })
	if len(left) == 0 {
		delete(s.waiting, k)
	} else {
		s.waiting[k] = left
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
