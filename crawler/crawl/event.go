package crawl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/binread"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/result"
)

// The store has room to count all reasons.
var _ [store.MaxReasons - result.Reasons]struct{}

// A record of the journal has the changes of one visit to one partition, so that a restart can
// replay them. A record is a version and a list of events. Each event has a kind, a host or a
// URL, and the fields of that kind.

// eventVersion is the first byte of a record. A record of a crawl whose partitions several workers
// share has sharedVersion, and then a [signature].
const (
	eventVersion  = 2
	sharedVersion = 3
)

// An event is a kind of change. Events are stored by number: never renumber, add at the end.
type event uint8

const (
	eventSeen   event = 1 // a URL was found
	eventDone   event = 2 // the URL was visited
	eventDrop   event = 3 // the URL will not be visited
	eventDefer  event = 4 // the URL will be visited later
	eventHost   event = 5 // the state of a host
	eventResult event = 6 // a line of the results
	eventRefuse event = 7 // a URL was found and refused

	// The next events are in records of sharedVersion only.
	eventCursor  event = 8 // the batches of the inbox up to a position are in this record or before
	eventSettled event = 9 // the results of all records before are in the folder of their writer
)

// A signature says who wrote a record.
type signature struct {
	folder uint64 // hash of the id of the folder
	// group is the group of records in which this one was written. When a folder writes a record of
	// another group, the results of its earlier groups are on the disk.
	group uint64
}

// A record is a record under construction. It has room for all events of a visit to one
// partition; a visit with more events makes several records.
type record struct {
	partition uint8
	bytes     []byte
	head      int // bytes without events

	// If the crawl shares its partitions:
	links  []link // found
	cursor uint64 // of the inbox, or 0
	lost   bool   // another owner has claimed the partition
}

// fullRecord is the size in bytes after which a new record is started.
const fullRecord = journal.MaxRecord - store.MaxState - 2*store.MaxURL - store.MaxHints - result.MaxLine - 256

// newRecord returns an empty record, signed if by is not nil.
func newRecord(partition uint8, by *signature) *record {
	r := &record{partition: partition, bytes: []byte{eventVersion}}
	if by != nil {
		r.bytes = binary.LittleEndian.AppendUint64([]byte{sharedVersion}, by.folder)
		r.bytes = binary.AppendUvarint(r.bytes, by.group)
	}
	r.head = len(r.bytes)
	return r
}

func (r *record) isFull() bool { return len(r.bytes) > fullRecord }

func (r *record) isEmpty() bool { return len(r.bytes) == r.head }

func (r *record) text(s string) {
	r.bytes = binary.AppendUvarint(r.bytes, uint64(len(s)))
	r.bytes = append(r.bytes, s...)
}

func (r *record) time(t time.Time) {
	ms := int64(0)
	if !t.IsZero() {
		ms = max(t.UnixMilli(), 1)
	}
	r.bytes = binary.AppendUvarint(r.bytes, uint64(ms))
}

func (r *record) item(e event, it *store.Item) {
	r.bytes = append(r.bytes, byte(e), it.Priority)
	r.bytes = binary.AppendUvarint(r.bytes, uint64(it.Crawl))
	r.text(it.URL)
	r.time(it.Due)
	r.bytes = binary.AppendUvarint(r.bytes, uint64(it.Depth))
	r.text(it.Via)
	r.text(string(it.Hints))
	r.bytes = binary.AppendUvarint(r.bytes, uint64(it.Tries))
}

func (r *record) seen(it *store.Item) { r.item(eventSeen, it) }
func (r *record) drop(it *store.Item) { r.item(eventDrop, it) }

func (r *record) refuse(it *store.Item, why result.Reason) {
	r.item(eventRefuse, it)
	r.bytes = append(r.bytes, byte(why))
}

func (r *record) later(it *store.Item, due time.Time) {
	r.item(eventDefer, it)
	r.time(due)
}

func (r *record) done(it *store.Item, s *store.State) {
	r.item(eventDone, it)
	r.time(s.Fetched)
	r.bytes = binary.AppendUvarint(r.bytes, uint64(s.Status))
	r.text(s.ETag)
	r.text(s.LastModified)
	r.text(string(s.Digest))
	r.bytes = binary.LittleEndian.AppendUint64(r.bytes, s.Simhash)
	r.bytes = binary.AppendUvarint(r.bytes, uint64(s.Interval/time.Millisecond))
	r.time(s.Due)
}

func (r *record) host(origin string, state []byte) {
	r.bytes = append(r.bytes, byte(eventHost))
	r.text(origin)
	r.text(string(state))
}

func (r *record) result(line []byte) {
	r.bytes = append(r.bytes, byte(eventResult))
	r.bytes = binary.AppendUvarint(r.bytes, uint64(len(line)))
	r.bytes = append(r.bytes, line...)
}

// received adds the position in the inbox up to which all batches are in the log.
func (r *record) received(position uint64) {
	r.bytes = binary.AppendUvarint(append(r.bytes, byte(eventCursor)), position)
	r.cursor = position
}

func (r *record) settled() { r.bytes = append(r.bytes, byte(eventSettled)) }

// apply applies a record to the store.
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

// A replayer applies records of the journal in batches. It writes and syncs the results of a
// batch before it changes the store.
type replayer struct {
	shard   *shard
	marker  *marker
	lines   map[uint64]bool // hashes of the result lines in the records
	batches []heldBatch
	bytes   int // bytes of the records in batches
}

// A heldBatch has the changes of one record.
type heldBatch struct {
	*store.Batch
	position uint64
}

// mostHeld is the number of bytes of records after which they are applied.
const mostHeld = 1 << 20

// add adds a record.
func (r *replayer) add(partition uint8, position uint64, form []byte) error {
	b := r.shard.store.Batch(partition)
	lines, err := readEvents(partition, form, b)
	if err != nil {
		return recordError(partition, position, err)
	}
	for _, line := range lines {
		r.lines[maphash.Bytes(seed, line)] = true
		if err := r.marker.results.addReplayed(line); err != nil {
			return err
		}
	}
	r.batches = append(r.batches, heldBatch{b, position})
	if r.bytes += len(form); r.bytes < mostHeld {
		return nil
	}
	return r.apply()
}

// apply applies the records added so far.
func (r *replayer) apply() error {
	batches := r.batches
	if r.batches, r.bytes = nil, 0; len(batches) == 0 {
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

// A changes receives the changes of events: a batch of the store.
type changes interface {
	Seen(store.Item)
	Done(store.Item, store.State)
	Drop(store.Item)
	Refuse(it store.Item, why uint8)
	Defer(store.Item, time.Time)
	SetHost(origin string, state []byte)
}

var errEvents = errors.New("the record is not what was written: the journal is damaged")

// readEvents applies the events of a record to b, and returns the record's result lines, which
// share its memory.
func readEvents(partition uint8, form []byte, b changes) (lines [][]byte, err error) {
	got, err := readRecord(partition, form, b)
	return got.lines, err
}

// A recordRead is what a record has besides changes of the store.
type recordRead struct {
	lines   [][]byte // of the results
	by      signature
	signed  bool
	cursor  uint64 // of the inbox, or 0
	settled bool
}

// readRecord is readEvents with all that the record has.
func readRecord(partition uint8, form []byte, b changes) (got recordRead, err error) {
	if len(form) == 0 || form[0] != eventVersion && form[0] != sharedVersion {
		return got,
			fmt.Errorf("the record is not in version %d or %d of its form: "+
				"it was written by another version of this program", eventVersion, sharedVersion)
	}
	r := binread.Reader{Rest: form[1:]}
	if got.signed = form[0] == sharedVersion; got.signed {
		if got.by = (signature{r.Fixed(), r.Number()}); r.Wrong {
			return got, errEvents
		}
	}
	for len(r.Rest) > 0 {
		e := event(r.Byte())
		switch {
		case e == eventCursor && got.signed:
			if got.cursor = r.Number(); r.Wrong {
				return got, errEvents
			}
			continue
		case e == eventSettled && got.signed:
			got.settled = true
			continue
		}
		if e == eventHost {
			origin, state := r.Text(), r.Text()
			if r.Wrong {
				return got, errEvents
			}
			b.SetHost(origin, []byte(state))
			continue
		}
		if e == eventResult {
			line := r.Bytes()
			if r.Wrong {
				return got, errEvents
			}
			got.lines = append(got.lines, line)
			continue
		}
		it := readItem(partition, &r)
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
			s := store.State{Fetched: r.Time(), Status: uint16(r.Number()), ETag: r.Text(), LastModified: r.Text(),
				Digest:  []byte(r.Text()),
				Simhash: r.Fixed(), Interval: time.Duration(r.Number()) * time.Millisecond, Due: r.Time()}
			if !r.Wrong {
				b.Done(it, s)
			}
		default:
			return got, errEvents
		}
		if r.Wrong {
			return got, errEvents
		}
	}
	return got, nil
}

// readItem reads an item after the kind of its event.
func readItem(partition uint8, r *binread.Reader) store.Item {
	it := store.Item{Partition: partition, Priority: r.Byte(), Crawl: uint16(r.Number()), URL: r.Text(), Due: r.Time(),
		Depth: uint32(r.Number()), Via: r.Text(), Hints: []byte(r.Text()), Tries: uint32(r.Number())}
	if len(it.Hints) == 0 {
		it.Hints = nil
	}
	return it
}
