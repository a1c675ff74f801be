package monitor

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"
)

// A delivery is an event that a receiver has.
type delivery struct{ id, receiver string }

// without returns the receivers of an event that do not have it.
func (k *heldRecord) without(e owedShare) []string {
	return slices.DeleteFunc(slices.Clone(e.To),
		func(name string) bool { return k.delivered[delivery{e.Event.ID, name}] })
}

// withdraw removes from a record what receivers have.
func (s *sharedStore) withdraw(k *heldRecord, r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(k.delivered) == 0 {
		return
	}
	var owed []owedShare
	for _, e := range r.Events {
		if e.To = k.without(e); len(e.To) > 0 {
			owed = append(owed, e)
		}
	}
	r.Events = owed
}

// queueAll makes the queues have the events of a record, and wakes the senders: an event may be in
// a record that is adopted. s.mu must be held.
func (s *sharedStore) queueAll(k *heldRecord) {
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
		if s.queues.add(newOwed(s.number, &e.Event, k), k.without(e)) {
			k.queued[e.Event.ID] = s.number
			s.changed()
		}
	}
	for id, number := range k.queued {
		if !owed[delivery{id: id}] { // too old
			for name := range s.queues.of {
				s.queues.drop(name, number)
			}
		}
	}
	for d := range k.delivered {
		if !owed[d] { // the record says so now
			delete(k.delivered, d)
		}
	}
}

// toSend implements store. The events of a message are not stored as one: they are in several
// records, and the instances that have these records after this one send the events again.
func (s *sharedStore) toSend(name string, may func(*owedEvent) bool, choose chooser) (*dispatch, time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	here := func(e *owedEvent) bool {
		p := s.parts[e.site.part]
		return may(e) && p != nil && !p.leaves
	}
	if again := s.queues.again(name, here); again != nil {
		return again, 0, nil
	}
	numbers, wait := choose(s.queues.waiting(name, here))
	if len(numbers) == 0 {
		return nil, wait, nil
	}
	return s.queues.begin(name, numbers), 0, nil
}

// got implements store. The events leave the queue at once, so this instance never sends them
// again. The records are written as long as their parts are held; if that fails, the next instance
// sends the events again.
func (s *sharedStore) got(name string, m *dispatch) error {
	records := make(map[*heldRecord]*heldPart)
	var err error
	s.mu.Lock()
	for _, number := range m.numbers {
		e := s.queues.events[number]
		if e == nil || s.parts[e.site.part] == nil {
			err = errNotHeld
			continue
		}
		e.site.delivered[delivery{e.event.ID, name}] = true
		records[e.site] = s.parts[e.site.part]
	}
	s.queues.deliveredAll(name, m.numbers)
	s.mu.Unlock()
	return errors.Join(err, s.writeAll(records))
}

// writeAll writes into records what receivers have.
func (s *sharedStore) writeAll(records map[*heldRecord]*heldPart) error {
	var work sync.WaitGroup
	places := make(chan struct{}, 16) // for writes at a time
	var mu sync.Mutex
	failed := make(map[string]error) // by text: hundreds of records fail for one reason
	for k, p := range records {
		places <- struct{}{}
		work.Go(func() {
			defer func() { <-places }()
			if err := s.persist(p, k); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed[err.Error()] = err
			}
		})
	}
	work.Wait()
	return errors.Join(slices.Collect(maps.Values(failed))...)
}

// persist writes a record until it is written, or the part is not held any more.
func (s *sharedStore) persist(p *heldPart, k *heldRecord) error {
	for {
		err := s.writeDelivered(p.ctx, k)
		if err == nil || errors.Is(err, ErrRevision) || errors.Is(err, errNotHeld) || errors.Is(err, errForeign) ||
			p.ctx.Err() != nil {
			return err
		}
		if !errors.Is(err, errReloaded) {
			sleep(p.ctx, 200*time.Millisecond, nil)
		}
	}
}

// writeDelivered writes a record if it does not say yet what receivers have.
func (s *sharedStore) writeDelivered(ctx context.Context, k *heldRecord) error {
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
