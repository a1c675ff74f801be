package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Batch is all that one record of a partition's journal changes. It changes
// nothing before it is committed. It is for one goroutine.
//
// Changes to one URL are made in their order. What a method is given is not to be
// modified before the batch is committed.
type Batch struct {
	s         *Store
	partition uint8
	ops       []op
	refused   [MaxReasons]int64
	err       error // of the first wrong argument
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

// Seen puts an item into the seen-set, and into the queue of its host. If it is in
// the seen-set already, nothing changes.
func (b *Batch) Seen(it Item) { b.add(op{kind: opSeen, item: it}, it.check()) }

// Done says that an item was visited, and what is known of it now. It takes the item
// out of the queue, or back to it if the state says when it is to be visited again.
// An item that was not seen, such as where a redirect led to, is seen by that.
func (b *Batch) Done(it Item, st State) {
	b.add(op{kind: opDone, item: it, state: &st}, errors.Join(it.check(), st.check()))
}

// Defer puts an item back into its queue, not to be visited before a time, and
// counts a try. An item that was not in the queue is put there, even if it was not
// seen.
func (b *Batch) Defer(it Item, due time.Time) {
	b.add(op{kind: opDefer, item: it, due: max(1, millis(due))}, it.check())
}

// Drop takes an item out of the queue that is not to be visited. It stays in the
// seen-set, or is put there, so that links to it are not new. What is known of an
// item that was done is kept.
func (b *Batch) Drop(it Item) { b.add(op{kind: opDrop, item: it}, it.check()) }

// Refuse is Drop, and counts the item as one that was refused for a reason, whatever
// that is to the crawler: see [Store.Refused].
func (b *Batch) Refuse(it Item, why uint8) {
	err := it.check()
	if why < MaxReasons {
		b.refused[why]++
	} else if err == nil {
		err = fmt.Errorf("%s: refused for reason %d: there are %d", printable.Clipped(it.URL, 100), why, MaxReasons)
	}
	b.add(op{kind: opDrop, item: it}, err)
}

// SetHost keeps the state of a host, whatever it is to the crawler, in place of the
// one before. It may have 65536 bytes.
func (b *Batch) SetHost(origin string, state []byte) {
	err := checkHost(origin)
	if err == nil && len(state) > MaxState {
		err = fmt.Errorf("%s: a state of %d bytes: %d are the most", origin, len(state), MaxState)
	}
	b.add(op{kind: opHost, item: Item{Partition: b.partition, URL: origin + "/"}, bytes: state}, err)
}

// Commit makes all changes of the batch, as those of the record with this number in
// the journal of its partition. If that record, or a later one, has been committed
// already, nothing changes: a journal may be applied again.
//
// A wrong argument of a method, such as an item of another partition, is an error,
// and nothing changes then. After any other error the store has stopped.
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
		// It could not read. The counts in memory may be of a batch that is not in
		// the database.
		s.disk.damaged(err)
		return s.disk.failure()
	}
	s.disk.present()
	return s.disk.failure()
}
