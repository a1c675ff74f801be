package crawl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/journal"
	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/internal/binread"
)

// A store counts all reasons.
var _ [store.MaxReasons - result.Reasons]struct{}

// A record of the journal is the changes that one visit makes to one partition, so
// that a restart can make them again. It is a version, and then a list of events,
// each with a kind, a host or a URL, and what belongs to the kind.

// eventVersion is the first byte of a record.
const eventVersion = 2

// An event is a kind of change. Events are stored by number: never renumber, add at the
// end.
type event uint8

const (
	eventSeen   event = 1 // a URL was found
	eventDone   event = 2 // it was visited
	eventDrop   event = 3 // it will not be visited
	eventDefer  event = 4 // it is to be visited later
	eventHost   event = 5 // what is owed to a host
	eventTold   event = 6 // a line of the results
	eventRefuse event = 7 // a URL was found that is not visited
)

// A record is one that is being made. It has room for all events of a visit to one
// partition; a visit that finds more makes several.
type record struct {
	partition uint8
	octets    []byte
}

// mostOctets is how many bytes a record may have before the next one is begun.
const mostOctets = journal.MaxRecord - store.MaxState - 2*store.MaxURL - store.MaxHints - result.MaxLine - 256

func newRecord(partition uint8) *record { return &record{partition, []byte{eventVersion}} }

func (r *record) isFull() bool { return len(r.octets) > mostOctets }

func (r *record) isEmpty() bool { return len(r.octets) == 1 }

func (r *record) text(s string) {
	r.octets = binary.AppendUvarint(r.octets, uint64(len(s)))
	r.octets = append(r.octets, s...)
}

func (r *record) time(t time.Time) {
	ms := int64(0)
	if !t.IsZero() {
		ms = max(t.UnixMilli(), 1)
	}
	r.octets = binary.AppendUvarint(r.octets, uint64(ms))
}

func (r *record) item(e event, it *store.Item) {
	r.octets = append(r.octets, byte(e), it.Priority)
	r.octets = binary.AppendUvarint(r.octets, uint64(it.Crawl))
	r.text(it.URL)
	r.time(it.Due)
	r.octets = binary.AppendUvarint(r.octets, uint64(it.Depth))
	r.text(it.Via)
	r.text(string(it.Hints))
	r.octets = binary.AppendUvarint(r.octets, uint64(it.Tries))
}

func (r *record) seen(it *store.Item) { r.item(eventSeen, it) }
func (r *record) drop(it *store.Item) { r.item(eventDrop, it) }

func (r *record) refuse(it *store.Item, why result.Reason) {
	r.item(eventRefuse, it)
	r.octets = append(r.octets, byte(why))
}

func (r *record) later(it *store.Item, due time.Time) {
	r.item(eventDefer, it)
	r.time(due)
}

func (r *record) done(it *store.Item, s *store.State) {
	r.item(eventDone, it)
	r.time(s.Fetched)
	r.octets = binary.AppendUvarint(r.octets, uint64(s.Status))
	r.text(s.ETag)
	r.text(s.LastModified)
	r.text(string(s.Digest))
	r.octets = binary.LittleEndian.AppendUint64(r.octets, s.Simhash)
	r.octets = binary.AppendUvarint(r.octets, uint64(s.Interval/time.Millisecond))
	r.time(s.Due)
}

func (r *record) host(origin string, state []byte) {
	r.octets = append(r.octets, byte(eventHost))
	r.text(origin)
	r.text(string(state))
}

func (r *record) told(line []byte) {
	r.octets = append(r.octets, byte(eventTold))
	r.octets = binary.AppendUvarint(r.octets, uint64(len(line)))
	r.octets = append(r.octets, line...)
}

// apply makes the changes of a record in the store.
func (s *shard) apply(partition uint8, position uint64, form []byte) error {
	b := s.store.Batch(partition)
	if _, err := readEvents(partition, form, b); err != nil {
		return recordError(partition, position, err)
	}
	return b.Commit(position)
}

func recordError(partition uint8, position uint64, err error) error {
	return fmt.Errorf("record %d of partition %d: %w", position, partition, err)
}

// A replaying makes the changes of records of the journal, many together: the results of all
// of them are written again and synced before the first of them is in the store.
type replaying struct {
	shard   *shard
	marker  *marker
	told    map[uint64]bool // lines of records, by their hashes
	batches []heldBatch
	octets  int // of their records
}

// A heldBatch is what a record changes.
type heldBatch struct {
	*store.Batch
	position uint64
}

// mostHeld is how many bytes of records are held back until they are applied together.
const mostHeld = 1 << 20

// add adds a record.
func (r *replaying) add(partition uint8, position uint64, form []byte) error {
	b := r.shard.store.Batch(partition)
	told, err := readEvents(partition, form, b)
	if err != nil {
		return recordError(partition, position, err)
	}
	for _, line := range told {
		r.told[maphash.Bytes(seed, line)] = true
		if err := r.marker.results.again(line); err != nil {
			return err
		}
	}
	r.batches = append(r.batches, heldBatch{b, position})
	if r.octets += len(form); r.octets < mostHeld {
		return nil
	}
	return r.apply()
}

// apply applies the records that were added.
func (r *replaying) apply() error {
	batches := r.batches
	if r.batches, r.octets = nil, 0; len(batches) == 0 {
		return nil
	}
	if err := r.marker.syncResults(); err != nil {
		return err
	}
	for _, b := range batches {
		if err := b.Commit(b.position); err != nil {
			return err
		}
	}
	return nil
}

// A changes is what events change: a batch of the store.
type changes interface {
	Seen(store.Item)
	Done(store.Item, store.State)
	Drop(store.Item)
	Refuse(it store.Item, why uint8)
	Defer(store.Item, time.Time)
	SetHost(origin string, state []byte)
}

var errEvents = errors.New("the record is not what was written: the journal is damaged")

// readEvents reads the events of a record, and returns the lines of results in it, which
// share its memory.
func readEvents(partition uint8, form []byte, b changes) (told [][]byte, err error) {
	if len(form) == 0 || form[0] != eventVersion {
		return nil, fmt.Errorf("the record is not in version %d of its form: it was written by another version of this program", eventVersion)
	}
	r := binread.Reader{Rest: form[1:]}
	for len(r.Rest) > 0 {
		e := event(r.Byte())
		if e == eventHost {
			origin, state := r.Text(), r.Text()
			if r.Wrong {
				return nil, errEvents
			}
			b.SetHost(origin, []byte(state))
			continue
		}
		if e == eventTold {
			line := r.Bytes()
			if r.Wrong {
				return nil, errEvents
			}
			told = append(told, line)
			continue
		}
		it := store.Item{Partition: partition, Priority: r.Byte(), Crawl: uint16(r.Number()), URL: r.Text(), Due: r.Time(),
			Depth: uint32(r.Number()), Via: r.Text(), Hints: []byte(r.Text()), Tries: uint32(r.Number())}
		if len(it.Hints) == 0 {
			it.Hints = nil
		}
		switch e {
		case eventSeen:
			if !r.Wrong {
				b.Seen(it)
			}
		case eventDrop:
			if !r.Wrong {
				b.Drop(it)
			}
		case eventRefuse:
			if why := r.Byte(); !r.Wrong {
				b.Refuse(it, why)
			}
		case eventDefer:
			if due := r.Time(); !r.Wrong {
				b.Defer(it, due)
			}
		case eventDone:
			s := store.State{Fetched: r.Time(), Status: uint16(r.Number()), ETag: r.Text(), LastModified: r.Text(), Digest: []byte(r.Text()),
				Simhash: r.Fixed(), Interval: time.Duration(r.Number()) * time.Millisecond, Due: r.Time()}
			if !r.Wrong {
				b.Done(it, s)
			}
		default:
			return nil, errEvents
		}
		if r.Wrong {
			return nil, errEvents
		}
	}
	return told, nil
}
