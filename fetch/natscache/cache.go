package natscache

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// Get implements [fetch.Cache].
func (c *Cache) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	local, localErr := c.config.Local.Get(ctx, origin)
	if localErr != nil {
		local = nil
	}
	s := c.session()
	if s == nil || s.known.current(keyOf(origin), local != nil) {
		return local, localErr
	}
	// Reads that began before a lease was given must not answer those that began afterwards.
	flight := strconv.FormatUint(s.turn.Load(), 10) + " " + origin
	e, _, err := c.reads.Do(ctx, flight, func(ctx context.Context) (*fetch.Entry, error) {
		return c.reconcile(ctx, s,
			origin)
	})
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

// reconcile reads the bucket, and gives both sides the newer entry. It returns nil if neither side
// has one.
func (c *Cache) reconcile(ctx context.Context, s *session, origin string) (*fetch.Entry, error) {
	r, err := s.read(ctx, origin)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fetch.ErrCorrupt) {
		return nil, err
	}
	if r.newest == nil {
		return nil, err
	}
	// A damaged entry is replaced after the next fetch. Of two processes with clocks that differ,
	// each would replace the entry of the other one at once, again and again.
	if !same(r.newest, r.shared) && !errors.Is(err, fetch.ErrCorrupt) {
		c.remember(origin)
	}
	return r.newest, nil
}

// Put implements [fetch.Cache]. An entry that is newer than e stays (see newer). While the cluster
// does not answer, Put keeps the entry in Config.Local and returns no error.
func (c *Cache) Put(ctx context.Context, e *fetch.Entry) error {
	s := c.session()
	if s == nil {
		_, err := c.keep(ctx, e)
		c.remember(e.Origin)
		return err
	}
	local, shared := s.write(ctx, e)
	if shared != nil {
		c.remember(e.Origin)
	}
	return local
}

// keep gives Config.Local the newer one of an entry and its own, and returns that.
func (c *Cache) keep(ctx context.Context, e *fetch.Entry) (newest *fetch.Entry, err error) {
	lock := &c.keeping[keyOf(e.Origin)[0]%uint8(len(c.keeping))]
	lock.Lock()
	defer lock.Unlock()
	local, err := c.config.Local.Get(ctx, e.Origin)
	now := time.Now()
	if err != nil || fromFuture(local, now) {
		local = nil
	}
	if newest = newer(local, e, now); same(newest, local) {
		return local, nil
	}
	return newest, c.config.Local.Put(ctx, newest)
}

// remember notes that the cluster lacks an entry.
func (c *Cache) remember(origin string) {
	select {
	case c.unshared <- origin:
	default: // the entry is written when it is asked for
	}
}

// catchUp writes the entries that the cluster lacks, until the session ends.
func (s *session) catchUp() {
	ctx := s.Context()
	for {
		select {
		case <-ctx.Done():
			return
		case origin := <-s.c.unshared:
			e, err := s.c.config.Local.Get(ctx, origin)
			if err == nil { // it was not dropped
				_, err = s.write(ctx, e)
			}
			if err != nil && ctx.Err() != nil {
				s.c.remember(origin)
			}
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
	if compare(local, shared) > 0 {
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

// compare compares entries by the time of the attempt, and by the text if two processes have
// fetched in the same millisecond.
func compare(a, b *fetch.Entry) int {
	return cmp.Or(a.CheckedAt.Compare(b.CheckedAt), cmp.Compare(textOf(a), textOf(b)))
}

// textOf returns the hash of the text of an entry.
func textOf(e *fetch.Entry) string {
	if e.File == nil {
		return ""
	}
	return e.File.SHA256
}

// same reports whether two entries, each of which may be nil, are of one attempt.
func same(a, b *fetch.Entry) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.State == b.State && compare(a, b) == 0
}

// fromFuture reports whether an entry is by a wrong clock. It would stay the newest for ever.
func fromFuture(e *fetch.Entry, now time.Time) bool { return e.CheckedAt.After(now.Add(time.Minute)) }

// A comparison is what a process has after it has read the bucket.
type comparison struct {
	shared   *fetch.Entry // of the bucket; nil if there is none that can be used
	newest   *fetch.Entry // of Config.Local now; nil if there is none
	revision uint64       // of the entry in the bucket; 0 if there is none
}

// read reads the entry of an origin from the bucket, and keeps it if it is newer. The error wraps
// [fs.ErrNotExist] if there is none, and [fetch.ErrCorrupt] if it is damaged; the comparison is
// right then.
func (s *session) read(ctx context.Context, origin string) (r comparison, err error) {
	k := keyOf(origin)
	number := s.known.begin(k)
	value, err := s.entries.Get(ctx, k.String())
	switch s.check(ctx, err); {
	case err == nil:
		r.revision = value.Revision
		r.shared, err = decode(value.Data, origin, time.Now())
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("natscache: no entry for %s: %w", origin, fs.ErrNotExist)
	default:
		return r, err
	}
	if r.shared != nil {
		r.newest, _ = s.c.keep(ctx, r.shared) // an error costs another read
	} else if local, err := s.c.config.Local.Get(ctx, origin); err == nil {
		r.newest = local
	}
	// Not earlier: a revision that is known says that Config.Local has that entry or a newer one.
	s.known.set(k, number, r.revision)
	switch {
	case r.shared != nil:
		s.c.counts.found.Add(1)
	case r.revision == 0:
		s.c.counts.missing.Add(1)
	default:
		s.c.counts.damaged.Add(1)
		err = fmt.Errorf("natscache: the entry for %s in the bucket is not used: %w", origin, err)
		s.c.say("damaged", err)
	}
	return r, err
}

// decode decodes a value of the bucket.
func decode(value []byte, origin string, now time.Time) (*fetch.Entry, error) {
	e, err := fetch.DecodeEntry(value)
	switch {
	case err != nil:
		return nil, err
	case e.Origin != origin:
		return nil, fmt.Errorf("%w: it is about %s", fetch.ErrCorrupt, e.Origin)
	case fromFuture(e, now):
		return nil, fmt.Errorf("%w: it was made at %s, by a wrong clock", fetch.ErrCorrupt,
			e.CheckedAt.Format(time.RFC3339))
	}
	return e, nil
}

// maxTries is how often write tries to replace an entry while others do so too.
const maxTries = 3

// write writes the newer one of an entry and that of Config.Local, unless the bucket has an even
// newer one, which becomes the local one. Local is the error of Config.Local; shared is not nil if
// the cluster does not answer.
func (s *session) write(ctx context.Context, e *fetch.Entry) (local, shared error) {
	k := keyOf(e.Origin)
	revision := s.known.revision(k)
	for range maxTries {
		number := s.known.begin(k)
		// After the revision: an entry that another goroutine has read or written since then has a
		// later one, and the bucket refuses this one.
		e, local = s.c.keep(ctx, e)
		data, err := fetch.EncodeEntry(e)
		if err != nil {
			return local, nil // a client would not use it either
		}
		if most := s.entries.MaxValue(); len(data) > most {
			s.refuse(e, fmt.Errorf("it has %d bytes, and the cluster takes %d", len(data), most))
			return local, nil
		}
		revision, err = s.entries.Put(ctx, k.String(), data, revision)
		switch s.check(ctx, err); {
		case err == nil:
			s.known.set(k, number, revision)
			return local, nil
		case !answered(err):
			return local, err
		case !errors.Is(err, cluster.ErrRevision):
			s.refuse(e, err)
			return local, nil
		}
		r, err := s.read(ctx, e.Origin)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fetch.ErrCorrupt) {
			return local, err
		}
		if r.newest != nil && same(r.newest, r.shared) && same(newer(r.newest, e, time.Now()), r.newest) {
			return local, nil
		}
		revision = r.revision
	}
	s.known.forget(k) // others write all the time. The next question compares again
	return local, nil
}

// refuse takes note of an entry that the cluster does not take.
func (s *session) refuse(e *fetch.Entry, why error) {
	s.c.counts.refused.Add(1)
	s.c.say("refused", fmt.Errorf("natscache: the entry for %s is not shared: %w", e.Origin, why))
}
