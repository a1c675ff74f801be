package monitor

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
)

// recordOf returns the record of a site in a part that is held, or nil. s.mu must be held.
func (s *sharedStore) recordOf(origin string) *heldRecord {
	part, key := placeOf(origin)
	p := s.parts[part]
	if p == nil {
		return nil
	}
	k := p.sites[origin]
	if k == nil {
		k = newHeldRecord(part, key)
		k.record = newRecord(origin)
		p.sites[origin] = k
	}
	return k
}

func newRecord(origin string) record {
	return record{Version: 1, ID: rand.Text()[:12], Next: 1, Site: &site{Origin: origin}}
}

// state implements store.
func (s *sharedStore) state(origin string) *site {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.recordOf(origin)
	if k == nil {
		return &site{Origin: origin}
	}
	c := *k.record.Site
	c.Incidents = slices.Clone(c.Incidents)
	c.generation = k.generation
	return &c
}

// failing implements store.
func (s *sharedStore) failing(origin string) (since time.Time, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.recordOf(origin); k != nil {
		since = k.record.Failing
	}
	return since, true
}

// complete implements store.
func (s *sharedStore) complete(ctx context.Context, st *site, o *Observation) error {
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
	k := s.recordOf(st.Origin)
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
func (s *sharedStore) text(ctx context.Context, k *heldRecord) ([]byte, error) {
	value, revision, err := s.newer(ctx, k, max(k.revision, 1)-1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case revision > k.revision && !k.unsure:
		return nil, ErrRevision
	}
	r, err := decodeRecord(value)
	if err != nil {
		return nil, err
	}
	return r.Text, nil
}

// commit implements store.
func (s *sharedStore) commit(ctx context.Context, st *site, o *Observation, updates []Update,
	to func(*Event) []string) error {
	s.mu.Lock()
	k := s.recordOf(st.Origin)
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
	if len(updates) == 0 {
		return s.write(ctx, k, r, text)
	}
	e := Event{ID: r.ID + "-" + strconv.FormatUint(r.Next, 10), Origin: st.Origin, Time: o.Time, Updates: updates}
	r.Next++
	if names := to(&e); len(names) > 0 {
		r.Events = append(slices.Clone(r.Events), owedShare{e, names})
	}
	err := s.write(ctx, k, r, text)
	if err == nil {
		s.events.add(0, &e)
	}
	return err
}

// write writes a record. Without a text it writes the text that is stored, if the baseline has one.
// k.lock must be held.
func (s *sharedStore) write(ctx context.Context, k *heldRecord, r record, text []byte) error {
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

// adopt replaces a record by the one that is stored, if this instance wrote it. k.lock must be
// held.
func (s *sharedStore) adopt(ctx context.Context, k *heldRecord) error {
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
	// Where this instance knew no record, one of another instance was written late, and is the past
	// of the site.
	s.replace(k, *r, revision, k.generation+1)
	return errReloaded
}

// replace takes a record over that is stored, with its events. k.lock must be held.
func (s *sharedStore) replace(k *heldRecord, r record, revision uint64, generation int) {
	r.Text = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	k.record, k.revision, k.generation, k.unsure = r, revision, generation, false
	if p := s.parts[k.part]; p != nil && p.sites[r.Site.Origin] == k { // the part was not left meanwhile
		s.queueAll(k)
	}
}
