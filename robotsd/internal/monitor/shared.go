package monitor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/filelock"
)

// A sharedStore is the store of an instance that shares its sites with others. It has the states of
// the sites in the parts that it holds.
//
// An instance may have lost a part without knowing, for example because its process was stopped.
// Three things keep it from telling what another instance tells:
//
//   - take rewrites each record of a part before the first look, so the writes of the instance
//     before it fail.
//   - An event is sent only after it was written with the state, in one record.
//   - Before each look, write and sending the Sharing says whether the part is still held, by the
//     instance's own clock.
//
// An event that is being sent when the part is lost may be sent again by the next instance, with
// the same id.
//
// A write without an answer may be stored or not. The next write of the site fails then if it was,
// and the record is adopted: the holder in the record says that it is this instance's own.
type sharedStore struct {
	sharing Sharing
	lock    *filelock.Lock
	changed func()      // called when there may be new events to send
	report  func(error) // called with errors of single records

	mu     sync.Mutex
	parts  map[int]*heldPart
	number uint64 // of the last event
	queues queues
	events eventLog
}

// A heldPart is a part that this instance holds.
type heldPart struct {
	ctx    context.Context // done when the part may be another instance's
	cancel context.CancelCauseFunc
	sites  map[string]*heldRecord // by origin
	work   sync.WaitGroup
	leaves bool // no work may begin
}

// A heldRecord is the record of a site. Its text is not kept in memory: it is read when it is
// needed.
type heldRecord struct {
	part int
	key  string

	writing chan struct{} // has an element while the record is written: a lock that is held during exchanges
	unsure  bool          // a write had no answer
	foreign error         // why the record must not be written

	// Written with both locks, writing and that of the store.
	record     record // without Text
	revision   uint64 // 0 if there is none yet
	generation int    // counts the states that were adopted

	// Guarded by the lock of the store.
	queued    map[string]uint64 // by id, the numbers of events in queues
	delivered map[delivery]bool // which the record does not say yet
}

func newHeldRecord(part int, key string) *heldRecord {
	return &heldRecord{part: part, key: key, writing: make(chan struct{}, 1), queued: make(map[string]uint64),
		delivered: make(map[delivery]bool)}
}

const (
	shareTimeout = 5 * time.Second // for a read or a write of a record
	leaveTimeout = 5 * time.Second // for work to end when a part is handed over; then its context is done
)

// errReloaded is the error of a commit to a state that was replaced meanwhile: another commit with
// the new state may succeed.
var errReloaded = errors.New("the state of the site has changed")

// errNotHeld is the error of work on a site of another instance.
var errNotHeld = errors.New("another instance watches the site now")

func (k *heldRecord) lock()   { k.writing <- struct{}{} }
func (k *heldRecord) unlock() { <-k.writing }

// openShared locks the folder, which has only the history, and returns a store without parts.
func openShared(dir string, sharing Sharing, receivers []string) (*sharedStore, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	lock, err := filelock.Try(filepath.Join(dir, "lock"), filelock.Exclusive)
	if err != nil {
		return nil, err
	}
	return &sharedStore{sharing: sharing, lock: lock, parts: make(map[int]*heldPart), queues: newQueues(receivers)}, nil
}

// log implements store.
func (s *sharedStore) log() *eventLog { return &s.events }

func (s *sharedStore) close() error { return s.lock.Close() }

// take loads a part, and rewrites each of its records.
func (s *sharedStore) take(ctx context.Context, part int) error {
	p := &heldPart{sites: make(map[string]*heldRecord)}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	err := s.sharing.Read(ctx, part, func(key string, value []byte, revision uint64) error {
		k := newHeldRecord(part, key)
		r, err := s.fence(ctx, k, value, revision)
		switch {
		case errors.Is(err, errForeign):
			s.report(fmt.Errorf("the record %s of part %d: %w", key, part, err))
			return nil // a look at the site finds it again
		case err != nil:
			return err
		case r != nil:
			p.sites[r.Site.Origin] = k
		}
		return nil
	})
	if err != nil {
		p.cancel(nil)
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts[part] = p
	for _, origin := range slices.Sorted(maps.Keys(p.sites)) {
		s.queueAll(p.sites[origin])
	}
	s.queues.sort()
	s.changed()
	return nil
}

// fence writes a record again, so that another instance that has read it cannot write. It returns
// nil for a value that is not a record.
func (s *sharedStore) fence(ctx context.Context, k *heldRecord, value []byte, revision uint64) (*record, error) {
	for {
		r, err := decodeRecord(value)
		if errors.Is(err, errForeign) {
			return nil, err
		}
		if err != nil {
			s.report(fmt.Errorf("the record %s of part %d: %w: the site begins without its past", k.key, k.part, err))
			return nil, nil
		}
		r.Holder = s.sharing.Instance()
		if value, err = r.encode(); err != nil {
			return nil, err
		}
		k.revision, err = s.put(ctx, k, value, revision)
		if err == nil {
			r.Text = nil
			k.record = *r
			return r, nil
		}
		if !errors.Is(err, ErrRevision) {
			return nil, err // take is called again
		}
		if value, revision, err = s.newer(ctx, k, revision); err != nil {
			return nil, err
		}
	}
}

// put writes a value in the time that a write may take.
func (s *sharedStore) put(ctx context.Context, k *heldRecord, value []byte, revision uint64) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	return s.sharing.Put(ctx, k.part, k.key, value, revision)
}

// newer reads a value until it is newer than a revision: a server that lags behind may still have
// that one.
func (s *sharedStore) newer(ctx context.Context, k *heldRecord, than uint64) (value []byte, revision uint64,
	err error) {
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	for {
		value, revision, err = s.sharing.Get(ctx, k.part, k.key)
		if err != nil || revision > than {
			return value, revision, err
		}
		sleep(ctx, 50*time.Millisecond, nil)
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
	}
}

// leave ends the work on a part, and forgets it. Work that does not end soon is cancelled.
func (s *sharedStore) leave(part int) {
	s.mu.Lock()
	p := s.parts[part]
	if p == nil {
		s.mu.Unlock()
		return
	}
	p.leaves = true
	s.mu.Unlock()
	impatient := time.AfterFunc(leaveTimeout, func() { p.cancel(errNotHeld) })
	p.work.Wait()
	impatient.Stop()
	p.cancel(errNotHeld)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.parts, part)
	for _, k := range p.sites {
		s.queues.forget(k)
	}
	s.queues.sweep()
}

// hold implements store.
func (s *sharedStore) hold(ctx context.Context, origin string) (work context.Context, release func(), ok bool) {
	part, _ := placeOf(origin)
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.parts[part]
	if p == nil || p.leaves || !s.sharing.Holds(part) {
		return ctx, func() {}, false
	}
	p.work.Add(1)
	work, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(p.ctx, func() { cancel(errNotHeld) })
	return work, func() {
		stop()
		cancel(nil)
		p.work.Done()
	}, true
}
