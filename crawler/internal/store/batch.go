package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Batch holds all changes of one record of a partition's journal. It changes nothing
// until it is committed. It is for one goroutine.
//
// Changes to one URL are applied in their order. The arguments of a method must not be
// modified before the batch is committed.
type Batch struct {
	s         *Store
	partition uint8
	ops       []op
	refused   [MaxReasons]int64
	err       error // the first invalid argument
}

// An op is one change.
type op struct {
	kind  opKind
	item  Item
	due   int64  // of Defer
	state *State // of Done
	bytes []byte // of SetHost, whose host is the URL of the item
}

type opKind uint8

const (
	opSeen opKind = iota
	opDone
	opDefer
	opDrop
	opHost
)

// Batch returns a batch for the journal of a partition.
func (s *Store) Batch(partition uint8) *Batch { return &Batch{s: s, partition: partition} }

func (b *Batch) add(o op, err error) {
	if err == nil && o.item.Partition != b.partition {
		err = fmt.Errorf("%s: of partition %d, in a batch of partition %d",
			printable.Clipped(o.item.URL, 100), o.item.Partition, b.partition)
	}
	if b.err == nil {
		b.err = err
	}
	b.ops = append(b.ops, o)
}

// Seen puts an item into the seen-set, and into the queue of its host. An item that is
// already in the seen-set does not change.
func (b *Batch) Seen(it Item) { b.add(op{kind: opSeen, item: it}, it.check()) }

// Done records that an item was visited, with its new state. Done removes the item from
// the queue, or queues it again if the state says when the next visit is due. An item
// that was not seen, such as the target of a redirect, becomes seen.
func (b *Batch) Done(it Item, st State) {
	b.add(op{kind: opDone, item: it, state: &st}, errors.Join(it.check(), st.check()))
}

// Defer puts an item back into its queue, due at the given time, and counts a try. An
// item that was not in the queue is added to it, even if the item was not seen.
func (b *Batch) Defer(it Item, due time.Time) {
	b.add(op{kind: opDefer, item: it, due: max(1, millis(due))}, it.check())
}

// Drop removes an item that is not to be visited from the queue. The item stays in the
// seen-set, or is added to it, so that links to it are not new. The record of an item
// that was done is kept.
func (b *Batch) Drop(it Item) { b.add(op{kind: opDrop, item: it}, it.check()) }

// Refuse is Drop, and counts the item as refused for a reason. The crawler defines the
// reasons: see [Store.Refused].
func (b *Batch) Refuse(it Item, why uint8) {
	err := it.check()
	if why < MaxReasons {
		b.refused[why]++
	} else if err == nil {
		err = fmt.Errorf("%s: refused for reason %d: there are %d", printable.Clipped(it.URL, 100), why, MaxReasons)
	}
	b.add(op{kind: opDrop, item: it}, err)
}

// SetHost replaces the state of a host, which is opaque to the store. It may have 65536
// bytes.
func (b *Batch) SetHost(origin string, state []byte) {
	err := checkHost(origin)
	if err == nil && len(state) > MaxState {
		err = fmt.Errorf("%s: a state of %d bytes: %d are the most", origin, len(state), MaxState)
	}
	b.add(op{kind: opHost, item: Item{Partition: b.partition, URL: origin + "/"}, bytes: state}, err)
}

// Commit makes all changes of the batch, as those of the record with this number in the
// journal of its partition. If that record, or a later one, has been committed already,
// nothing changes: a journal may be replayed again.
//
// An invalid argument of a method, such as an item of another partition, is an error, and
// nothing changes then. After any other error the store has stopped.
//
// Commit does not wait for the disk: see [Store.Sync].
func (b *Batch) Commit(seq uint64) error {
	s := b.s
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	if b.err != nil {
		return fmt.Errorf("commit record %d of partition %d: %w", seq, b.partition, b.err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq <= s.parts[b.partition].applied {
		return nil
	}
	if err := s.room(); err != nil {
		return err
	}
	if err := newApplication(s, b).apply(seq); err != nil {
		// The read failed. The counts in memory may include a batch that is not in the
		// database.
		s.disk.damaged(err)
		return s.disk.failure()
	}
	s.disk.present()
	return s.disk.failure()
}
