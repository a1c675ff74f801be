package natscache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/fetch"
)

// Get implements [fetch.Cache].
func (c *Cache) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	local, localErr := c.config.Local.Get(ctx, origin)
	if localErr != nil {
		local = nil
	}
	s := c.session.Load()
	if s == nil || s.known.current(keyOf(origin), local != nil) {
		return local, localErr
	}
	// Reads that began before a lease was given must not answer those that began afterwards.
	flight := strconv.FormatUint(s.turn.Load(), 10) + " " + origin
	e, _, err := c.reads.Do(ctx, flight, func(ctx context.Context) (*fetch.Entry, error) { return c.reconcile(ctx, s, origin) })
	switch {
	case e != nil:
		return e, nil
	case local != nil:
		return local, nil
	case localErr != nil && !errors.Is(localErr, fs.ErrNotExist):
		return nil, localErr
	case errors.Is(err, fetch.ErrCorrupt):
		return nil, err
	}
	return nil, fmt.Errorf("natscache: no entry for %s: %w", origin, fs.ErrNotExist)
}

// reconcile reads the bucket, and gives both sides the newer entry. It returns nil if neither side has
// one.
func (c *Cache) reconcile(ctx context.Context, s *session, origin string) (*fetch.Entry, error) {
	shared, err := s.read(ctx, origin)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fetch.ErrCorrupt) {
		return nil, err
	}
	local, localErr := c.config.Local.Get(ctx, origin)
	if localErr != nil {
		local = nil
	}
	if local != nil && shared != nil && local.CheckedAt.Equal(shared.CheckedAt) && (local.File == nil) == (shared.File == nil) {
		return local, nil // they are the same
	}
	e := newer(local, shared, time.Now())
	if e == nil {
		return nil, err
	}
	if e != local {
		c.config.Local.Put(ctx, e) // an error costs another read
	}
	// A damaged entry is replaced after the next fetch. Of two processes with clocks that differ, each
	// would replace the entry of the other one at once, again and again.
	if e != shared && !errors.Is(err, fetch.ErrCorrupt) {
		c.remember(origin)
	}
	return e, nil
}

// Put implements [fetch.Cache]. While the cluster does not answer, the entry is kept in Config.Local,
// and that is no error.
func (c *Cache) Put(ctx context.Context, e *fetch.Entry) error {
	err := c.config.Local.Put(ctx, e)
	s := c.session.Load()
	if s == nil {
		c.remember(e.Origin)
		return err
	}
	if s.write(ctx, e) != nil {
		c.remember(e.Origin)
	}
	return err
}

// remember notes that the cluster lacks an entry.
func (c *Cache) remember(origin string) {
	c.mu.Lock()
	if len(c.unshared) < maxUnshared {
		c.unshared[origin] = true
	}
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// share writes the entries that the cluster lacks, until the session ends.
func (c *Cache) share(s *session) {
	for s.ctx.Err() == nil {
		c.mu.Lock()
		origin, found := "", false
		for origin = range c.unshared {
			found = true
			delete(c.unshared, origin)
			break
		}
		c.mu.Unlock()
		if !found {
			select {
			case <-s.ctx.Done():
			case <-c.wake:
			}
			continue
		}
		e, err := c.config.Local.Get(s.ctx, origin)
		if err != nil {
			continue // it was dropped
		}
		if err := s.write(s.ctx, e); err != nil && s.ctx.Err() != nil {
			c.remember(origin)
		}
	}
}

// newer returns the entry to use of two, each of which may be nil. It is the later one; but a
// failure, which may be that of one process, does not replace an answer that is fresh, and does not
// lose the text.
func newer(local, shared *fetch.Entry, now time.Time) *fetch.Entry {
	if local == nil {
		return shared
	}
	if shared == nil {
		return local
	}
	first, last := local, shared
	if local.CheckedAt.After(shared.CheckedAt) {
		first, last = shared, local
	}
	switch {
	case last.State != fetch.Unreachable:
		return last
	case first.State != fetch.Unreachable && now.Before(first.FreshUntil):
		return first
	case last.File == nil && first.File != nil:
		both := *last
		both.File = first.File
		return &both
	}
	return last
}

// read reads the entry of an origin from the bucket. The error wraps [fs.ErrNotExist] if there is
// none, and [fetch.ErrCorrupt] if it is damaged.
func (s *session) read(ctx context.Context, origin string) (e *fetch.Entry, err error) {
	k := keyOf(origin)
	number := s.known.begin(k)
	var value jetstream.KeyValueEntry
	err = s.exchange(ctx, func(ctx context.Context) (err error) {
		value, err = s.entries.Get(ctx, k.String())
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		s.known.set(k, number, 0)
		s.c.counts.missing.Add(1)
		return nil, fmt.Errorf("natscache: no entry for %s: %w", origin, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	e, err = decode(value.Value(), origin, time.Now())
	s.known.set(k, number, value.Revision())
	if err != nil {
		s.c.counts.damaged.Add(1)
		err = fmt.Errorf("natscache: the entry for %s in the bucket is not used: %w", origin, err)
		s.c.say("damaged", err)
		return nil, err
	}
	s.c.counts.found.Add(1)
	return e, nil
}

// decode decodes a value of the bucket. An entry from the future would stay the newest for ever, so
// that is damage too.
func decode(value []byte, origin string, now time.Time) (*fetch.Entry, error) {
	e, err := fetch.DecodeEntry(value)
	switch {
	case err != nil:
		return nil, err
	case e.Origin != origin:
		return nil, fmt.Errorf("%w: it is about %s", fetch.ErrCorrupt, e.Origin)
	case e.CheckedAt.After(now.Add(time.Minute)):
		return nil, fmt.Errorf("%w: it was made at %s, by a wrong clock", fetch.ErrCorrupt, e.CheckedAt.Format(time.RFC3339))
	}
	return e, nil
}

// write writes an entry, unless the bucket has a newer one, which becomes the local one. It returns an
// error if the cluster does not answer.
func (s *session) write(ctx context.Context, e *fetch.Entry) error {
	k := keyOf(e.Origin)
	for try := range 3 {
		data, err := fetch.EncodeEntry(e)
		if err != nil {
			return nil // a client would not use it either
		}
		if len(data) > s.maxValue {
			s.refuse(fmt.Errorf("natscache: the entry for %s is not shared: it has %d bytes, and the cluster takes %d", e.Origin, len(data), s.maxValue))
			return nil
		}
		revision := s.known.revision(k)
		number := s.known.begin(k)
		err = s.exchange(ctx, func(ctx context.Context) (err error) {
			if try < 2 {
				revision, err = s.entries.Update(ctx, k.String(), data, revision)
			} else { // others write all the time, or an operator has deleted the key
				revision, err = s.entries.Put(ctx, k.String(), data)
			}
			return err
		})
		if err == nil {
			s.known.set(k, number, revision)
			return nil
		}
		if !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			if answered(err) {
				s.refuse(fmt.Errorf("natscache: the entry for %s is not shared: %w", e.Origin, err))
				return nil
			}
			return err
		}
		shared, err := s.read(ctx, e.Origin)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fetch.ErrCorrupt) {
			return err
		}
		newest := newer(e, shared, time.Now())
		if newest != e {
			s.c.config.Local.Put(ctx, newest)
		}
		if newest == shared {
			return nil
		}
		e = newest
	}
	return nil
}

// refuse takes note of an entry that the cluster does not take.
func (s *session) refuse(err error) {
	s.c.counts.refused.Add(1)
	s.c.say("refused", err)
}
