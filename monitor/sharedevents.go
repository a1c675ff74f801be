package monitor

import (
	"context"
	"errors"
	"slices"
	"time"
)

// A delivery is an event that a receiver has.
type delivery struct{ id, receiver string }

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
		to := slices.DeleteFunc(slices.Clone(e.To), func(name string) bool { return k.delivered[delivery{e.Event.ID, name}] })
		if s.queues.add(&owedEvent{number: s.number, event: e.Event, site: k}, to) {
			k.queued[e.Event.ID] = s.number
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

// first implements store.
func (s *shared) first(name string, may func(*Event) bool) (e Event, number uint64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queues.first(name, func(e *owedEvent) bool {
		p := s.parts[e.site.part]
		return may(&e.event) && p != nil && !p.leaves
	})
}

// got implements store. The event leaves the queue at once, so this instance never sends it again. The record is written as long as
// the part is held; if that fails, the next instance sends the event again.
func (s *shared) got(name string, number uint64) error {
	s.mu.Lock()
	from := s.queues.events[number]
	if from == nil {
		s.mu.Unlock()
		return errNotHeld
	}
	k := from.site
	p := s.parts[k.part]
	k.delivered[delivery{from.event.ID, name}] = true
	s.queues.drop(name, number)
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
