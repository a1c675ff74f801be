package monitor

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/filelock"
)

// A shared is the store of an instance that shares its sites with others. It has the states of the sites in the parts that it holds.
//
// An instance may have lost a part without knowing, for example because its process was stopped. Three things keep it from telling
// what another instance tells:
//
//   - take writes each record of a part anew before the first look, so the writes of the instance before it fail.
//   - An event is sent only after it was written with the state, in one record.
//   - Before each look, write and sending the Sharing says whether the part is still held, by the instance's own clock.
//
// An event that is being sent when the part is lost may be sent again by the next instance, with the same id.
//
// A write without an answer may be stored or not. The next write of the site fails then if it was, and the record is adopted: the holder
// in the record says that it is this instance's own.
type shared struct {
	sharing Sharing
	lock    *filelock.Lock
	changed func()      // called when there may be new events to send
	report  func(error) // called with errors of single records

	mu     sync.Mutex
	parts  map[int]*heldPart
	number uint64               // of the last event
	queues map[string][]uint64  // by receiver, the numbers of events
	events map[uint64]*sentFrom // the events in queues
}

// A heldPart is a part that this instance holds.
type heldPart struct {
	ctx    context.Context // done when the part may be another instance's
	cancel context.CancelCauseFunc
	sites  map[string]*kept // by origin
	work   sync.WaitGroup
	leaves bool // no work may begin
}

// A kept is the record of a site. Its text is not kept in memory: it is read when it is needed.
type kept struct {
	part int
	key  string

	writing chan struct{} // has an element while the record is written: a lock that is held during exchanges
	unsure  bool          // a write had no answer
	foreign error         // why the record must not be written

	// Written with both locks, writing and that of shared.
	record     record // without Text
	revision   uint64 // 0 if there is none yet
	generation int    // counts the states that were adopted

	// Guarded by the lock of shared.
	queued    map[string]uint64 // by id, the numbers of events in queues
	delivered map[delivery]bool // which the record does not say yet
}

// A sentFrom says of which site an event is.
type sentFrom struct {
	site   *kept
	event  Event
	queues int
}

// A delivery is an event that a receiver has.
type delivery struct{ id, receiver string }

func newKept(part int, key string) *kept {
	return &kept{part: part, key: key, writing: make(chan struct{}, 1), queued: make(map[string]uint64), delivered: make(map[delivery]bool)}
}

const (
	shareTimeout = 5 * time.Second // for a read or a write of a record
	leaveTimeout = 5 * time.Second // for work to end when a part is handed over; then its context is done
)

// errReloaded is the error of a commit to a state that was replaced meanwhile: another commit with the new state may succeed.
var errReloaded = errors.New("the state of the site has changed")

// errNotHeld is the error of work on a site of another instance.
var errNotHeld = errors.New("another instance watches the site now")

func (k *kept) lock()   { k.writing <- struct{}{} }
func (k *kept) unlock() { <-k.writing }

// openShared locks the folder, which has only the history, and returns a store without parts.
func openShared(dir string, sharing Sharing, receivers []string) (*shared, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	lock, err := filelock.Try(filepath.Join(dir, "lock"), filelock.Exclusive)
	if err != nil {
		return nil, err
	}
	s := &shared{sharing: sharing, lock: lock, parts: make(map[int]*heldPart), queues: make(map[string][]uint64), events: make(map[uint64]*sentFrom)}
	for _, name := range receivers {
		s.queues[name] = nil
	}
	return s, nil
}

func (s *shared) close() error { return s.lock.Close() }

// take loads a part, and writes each of its records anew.
func (s *shared) take(ctx context.Context, part int) error {
	p := &heldPart{sites: make(map[string]*kept)}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	err := s.sharing.Read(ctx, part, func(key string, value []byte, revision uint64) error {
		k := newKept(part, key)
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
	s.sortQueues()
	s.changed()
	return nil
}

// fence writes a record again, so that another instance that has read it cannot write. It returns nil for a value that is no record.
func (s *shared) fence(ctx context.Context, k *kept, value []byte, revision uint64) (*record, error) {
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
func (s *shared) put(ctx context.Context, k *kept, value []byte, revision uint64) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	return s.sharing.Put(ctx, k.part, k.key, value, revision)
}

// newer reads a value until it is newer than a revision: a server that lags behind may still have that one.
func (s *shared) newer(ctx context.Context, k *kept, than uint64) (value []byte, revision uint64, err error) {
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
func (s *shared) leave(part int) {
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
		for _, number := range k.queued {
			delete(s.events, number)
		}
	}
	for name, queue := range s.queues {
		s.queues[name] = slices.DeleteFunc(queue, func(number uint64) bool { return s.events[number] == nil })
	}
}

// hold implements store.
func (s *shared) hold(ctx context.Context, origin string) (work context.Context, release func(), ok bool) {
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

// keptOf returns the record of a site in a part that is held, or nil. s.mu must be held.
func (s *shared) keptOf(origin string) *kept {
	part, key := placeOf(origin)
	p := s.parts[part]
	if p == nil {
		return nil
	}
	k := p.sites[origin]
	if k == nil {
		k = newKept(part, key)
		k.record = newRecord(origin)
		p.sites[origin] = k
	}
	return k
}

func newRecord(origin string) record {
	return record{Version: 1, ID: rand.Text()[:12], Next: 1, Site: &site{Origin: origin}}
}

// state implements store.
func (s *shared) state(origin string) *site {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.keptOf(origin)
	if k == nil {
		return &site{Origin: origin}
	}
	c := *k.record.Site
	c.Incidents = slices.Clone(c.Incidents)
	c.generation = k.generation
	return &c
}

// failing implements store.
func (s *shared) failing(origin string) (since time.Time, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.keptOf(origin); k != nil {
		since = k.record.Failing
	}
	return since, true
}

// complete implements store.
func (s *shared) complete(ctx context.Context, st *site, o *Observation) error {
	b := st.Baseline
	if b == nil || b.Policy != nil || sameFile(&b.File, &o.File) {
		return nil
	}
	c := *b
	st.Baseline = &c
	if b.File.State != fetch.OK {
		c.Policy = robots.AllowAll()
		return nil
	}
	s.mu.Lock()
	k := s.keptOf(st.Origin)
	s.mu.Unlock()
	if k == nil {
		return errNotHeld
	}
	k.lock()
	text, err := s.text(ctx, k)
	k.unlock()
	if err != nil {
		return err
	}
	if text == nil {
		st.Baseline = nil
		return nil
	}
	c.Policy = robots.Parse(text)
	return nil
}

// text reads the text of a baseline, or nil if there is none. k.lock must be held.
func (s *shared) text(ctx context.Context, k *kept) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	for {
		value, revision, err := s.sharing.Get(ctx, k.part, k.key)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case revision == k.revision || k.unsure && revision > k.revision:
			r, err := decodeRecord(value)
			if err != nil {
				return nil, err
			}
			return r.Text, nil
		case revision > k.revision:
			return nil, ErrRevision
		}
		sleep(ctx, 50*time.Millisecond, nil) // a server that lags behind
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// commit implements store.
func (s *shared) commit(ctx context.Context, st *site, o *Observation, updates []Update, to func(*Event) []string) error {
	s.mu.Lock()
	k := s.keptOf(st.Origin)
	s.mu.Unlock()
	if k == nil {
		return errNotHeld
	}
	k.lock()
	defer k.unlock()
	if k.generation != st.generation {
		return errReloaded
	}
	r := k.record
	var text []byte
	if b := st.Baseline; b != nil && b.Policy != nil {
		if b.File.State == fetch.OK {
			text = []byte(b.Policy.String())
		}
		bare := *b
		bare.Policy = nil
		st.Baseline = &bare
	}
	old := r.Site
	r.Site, r.Failing = st, o.File.UnreachableSince
	if len(updates) == 0 && !k.unsure && sameJSON(old, st) && k.record.Failing.Equal(r.Failing) {
		return nil
	}
	if len(updates) > 0 {
		e := Event{ID: r.ID + "-" + strconv.FormatUint(r.Next, 10), Origin: st.Origin, Time: o.Time, Updates: updates}
		r.Next++
		if names := to(&e); len(names) > 0 {
			r.Events = append(slices.Clone(r.Events), owedShare{e, names})
		}
	}
	return s.write(ctx, k, r, text)
}

// write writes a record. Without a text it writes the text that is stored, if the baseline has one. k.lock must be held.
func (s *shared) write(ctx context.Context, k *kept, r record, text []byte) error {
	if k.foreign != nil {
		return k.foreign
	}
	if !s.sharing.Holds(k.part) {
		return errNotHeld
	}
	if b := r.Site.Baseline; text == nil && b != nil && b.File.State == fetch.OK {
		var err error
		if text, err = s.text(ctx, k); err != nil {
			if errors.Is(err, ErrRevision) {
				return s.adopt(ctx, k)
			}
			return err
		}
	}
	s.withdraw(k, &r)
	r.Version, r.Holder, r.Text = 1, s.sharing.Instance(), text
	value, err := r.encode()
	if err != nil {
		return err
	}
	revision, err := s.put(ctx, k, value, k.revision)
	if errors.Is(err, ErrRevision) {
		return s.adopt(ctx, k)
	}
	if err != nil {
		k.unsure = true
		return err
	}
	s.replace(k, r, revision, k.generation)
	return nil
}

// withdraw removes from a record what receivers have.
func (s *shared) withdraw(k *kept, r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(k.delivered) == 0 {
		return
	}
	var owed []owedShare
	for _, e := range r.Events {
		e.To = slices.DeleteFunc(slices.Clone(e.To), func(name string) bool { return k.delivered[delivery{e.Event.ID, name}] })
		if len(e.To) > 0 {
			owed = append(owed, e)
		}
	}
	r.Events = owed
}

// adopt replaces a record by the one that is stored, if this instance wrote it. k.lock must be held.
func (s *shared) adopt(ctx context.Context, k *kept) error {
	value, revision, err := s.newer(ctx, k, k.revision)
	if errors.Is(err, fs.ErrNotExist) { // somebody has removed the record
		s.replace(k, newRecord(k.record.Site.Origin), 0, k.generation+1)
		return errReloaded
	}
	if err != nil {
		return err
	}
	r, err := decodeRecord(value)
	switch {
	case errors.Is(err, errForeign):
		k.foreign = err
		return err
	case err != nil: // no record, which the next write replaces
		s.report(fmt.Errorf("%s: %w: it begins without its past", k.record.Site.Origin, err))
		fresh := newRecord(k.record.Site.Origin)
		r = &fresh
	case r.Holder != s.sharing.Instance() && k.revision != 0:
		return ErrRevision
	}
	// Where this instance knew no record, one of another instance was written late, and is the past of the site.
	s.replace(k, *r, revision, k.generation+1)
	return errReloaded
}

// replace takes a record over that is stored, with its events. k.lock must be held.
func (s *shared) replace(k *kept, r record, revision uint64, generation int) {
	r.Text = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	k.record, k.revision, k.generation, k.unsure = r, revision, generation, false
	if p := s.parts[k.part]; p != nil && p.sites[r.Site.Origin] == k { // the part was not left meanwhile
		s.queueAll(k)
	}
}

// queueAll makes the queues have the events of a record. s.mu must be held.
func (s *shared) queueAll(k *kept) {
	owed := make(map[delivery]bool)
	for _, e := range k.record.Events {
		for _, name := range e.To {
			owed[delivery{e.Event.ID, name}] = true
		}
		owed[delivery{id: e.Event.ID}] = true
		if k.queued[e.Event.ID] != 0 {
			continue
		}
		s.number++
		from := &sentFrom{site: k, event: e.Event}
		for _, name := range e.To {
			if queue, ok := s.queues[name]; ok && !k.delivered[delivery{e.Event.ID, name}] {
				s.queues[name] = append(queue, s.number)
				from.queues++
			}
		}
		if from.queues > 0 {
			s.events[s.number] = from
			k.queued[e.Event.ID] = s.number
		}
	}
	for id, number := range k.queued {
		if !owed[delivery{id: id}] { // too old
			for name := range s.queues {
				s.drop(name, number)
			}
		}
	}
	for d := range k.delivered {
		if !owed[d] { // the record says so now
			delete(k.delivered, d)
		}
	}
}

// sortQueues puts the events of all sites in the order of their time. s.mu must be held.
func (s *shared) sortQueues() {
	for _, queue := range s.queues {
		slices.SortStableFunc(queue, func(a, b uint64) int { return s.events[a].event.Time.Compare(s.events[b].event.Time) })
	}
}

// drop removes an event from the queue of a receiver. s.mu must be held.
func (s *shared) drop(name string, number uint64) {
	i := slices.Index(s.queues[name], number)
	if i < 0 {
		return
	}
	s.queues[name] = slices.Delete(s.queues[name], i, i+1)
	e := s.events[number]
	if e.queues--; e.queues == 0 {
		delete(s.events, number)
		delete(e.site.queued, e.event.ID)
	}
}

// first implements store.
func (s *shared) first(name string, may func(*Event) bool) (e Event, number uint64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, number := range s.queues[name] {
		if from := s.events[number]; may(&from.event) && s.parts[from.site.part] != nil && !s.parts[from.site.part].leaves {
			return from.event, number, true
		}
	}
	return e, 0, false
}

// got implements store. The event leaves the queue at once, so this instance never sends it again. The record is written as long as
// the part is held; if that fails, the next instance sends the event again.
func (s *shared) got(name string, number uint64) error {
	s.mu.Lock()
	from := s.events[number]
	if from == nil {
		s.mu.Unlock()
		return errNotHeld
	}
	k := from.site
	p := s.parts[k.part]
	k.delivered[delivery{from.event.ID, name}] = true
	s.drop(name, number)
	s.mu.Unlock()
	if p == nil {
		return errNotHeld
	}
	for {
		err := s.writeDelivered(p.ctx, k)
		if err == nil || errors.Is(err, ErrRevision) || errors.Is(err, errNotHeld) || errors.Is(err, errForeign) || p.ctx.Err() != nil {
			return err
		}
		if !errors.Is(err, errReloaded) {
			sleep(p.ctx, 200*time.Millisecond, nil)
		}
	}
}

// writeDelivered writes a record if it does not say yet what receivers have.
func (s *shared) writeDelivered(ctx context.Context, k *kept) error {
	k.lock()
	defer k.unlock()
	s.mu.Lock()
	written := len(k.delivered) == 0
	s.mu.Unlock()
	if written {
		return nil
	}
	return s.write(ctx, k, k.record, nil)
}
