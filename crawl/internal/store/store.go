// Package store is the state of a crawler on one machine: the URLs it has seen, the queue
// of each host, the results of fetched URLs, and the state of each host. All of it is in
// one folder, in Pebble.
//
//	s, err := store.Open(store.Options{Dir: "crawl/internal/store"})
//	...
//	fresh, err := s.Unseen(links)    // which of them are new
//	...                              // the journal keeps them, as record 17
//	b := s.Batch(partition)
//	for _, i := range fresh {
//		b.Seen(links[i])
//	}
//	err = b.Commit(17)
//	...
//	items, err := s.Next(partition, "https://example.com", time.Now(), 10)
//
// A host is an origin, such as "https://example.com": scheme, host, and port where
// it is not that of the scheme. It is of one partition, and so are its URLs.
//
// # What is where
//
// The seen-set has a key of 20 bytes for each URL, and the number of its record, if
// it has one: this is what links are looked up in. A URL that is queued or was fetched
// has a record, with its text and its [State], and one that is queued has an entry in
// the queue of its host, by priority, due time and order of discovery. What was fetched
// leaves the queue, so that [Store.Next] does not get slower as a crawl goes on.
//
// A record has the number of its URL in the order of discovery. So new records come
// after all others, and are written once and not again each time that tables are
// merged, as the keys of the seen-set and of queues are, which are much smaller.
//
// # Crashes
//
// The journal of the crawl is the truth, and the store is the state you get by replaying
// the journal. A [Batch] has all changes of one record, and commits them together with
// the number of the record. A commit does not wait for the disk: after a crash of the
// process or the machine, the store has a prefix of the batches, each of them whole, and
// [Store.Applied] returns for each partition the last record in that prefix. The caller
// commits the later records again.
//
// That holds after a loss of power too. Batches go to one log after another, and an
// older log has reached the disk before a newer one is begun; a table, and the list
// of tables, have before they take the place of a log. Each record in a log has a
// checksum, and reading ends at the first that is not whole. So what is read back
// is always the beginning of what was committed.
//
// [Store.Sync] is for a journal that forgets its old records: those before the
// sync are not needed again.
//
// # Failures
//
// A store whose disk is full, or fails otherwise, stops: nothing that is written
// after the first failure gets to the disk, as if the machine had stopped there, and
// every call returns the error. What is on the disk is then as after a crash.
package store

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Options say where a store is, and what it may cost.
type Options struct {
	// Dir is the folder of the store. It is made if there is none. No other
	// files are to be in it.
	Dir string
	// Cache is how many bytes of the store are kept in memory, besides some
	// 70 MB that it takes in any case. Zero means 24 MiB. Without cgo, the
	// garbage collector takes about as much as all of that again.
	Cache int64
	// SyncEvery is how much time may pass, while batches are committed, until
	// what is committed has reached the disk: how much there may be to do again
	// after a loss of power. Zero means a second; less than zero never, but by
	// [Store.Sync].
	SyncEvery time.Duration
	// ReadOnly opens a store that there is without changing anything in its folder,
	// which may be one that cannot be written to. What has no lock, as on a file system
	// that is read-only for everybody, is not to be in use elsewhere.
	ReadOnly bool

	// For tests: a file system that loses power, and bytes of a memtable.
	fs       vfs.FS
	memtable uint64
}

// The errors that callers may want to know.
var (
	// ErrLocked is the error of [Open] for a folder that is open already.
	ErrLocked = errors.New("it is open in another process, or twice in this one: end the other crawl first")
	// ErrClosed is the error of a [Store] that has been closed.
	ErrClosed = errors.New("the store is closed")
	// ErrDamaged is the error of a store whose files are not as they were written, or not
	// all there.
	ErrDamaged = errors.New("the store is damaged")
)

// A Store is what a crawler remembers. It is safe for concurrent use.
type Store struct {
	*database
	hostIDs hostIDs
	seen    seenSet

	mu     sync.Mutex // guards the fields below, and is held during all changes
	synced time.Time
	parts  [256]part
	order  uint64 // of the next URL that is discovered
	hosts  hostCache
	leases leases
}

// Open opens a store, or begins a new one. No other process can open it until it
// is closed, or this process ends.
func Open(o Options) (*Store, error) {
	s, err := open(o)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", o.Dir, err)
	}
	return s, nil
}

func open(o Options) (*Store, error) {
	s := &Store{synced: time.Now()}
	var err error
	s.database, err = openDatabase(o, func(db *pebble.DB) (err error) {
		s.parts, s.order, err = readParts(db)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.seen = seenSet{db: s.db, recent: new(recent), absent: new(absent)}
	s.hosts = hostCache{db: s.db, hosts: make(map[hostKey]*host)}
	return s, nil
}

// Applied returns the number of the last record of a partition's journal that is in
// the store, or 0: what comes after it is to be committed again.
func (s *Store) Applied(partition uint8) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.parts[partition].applied
}

// Counts says how much there is of something.
type Counts struct {
	Hosts  int64 // hosts with a URL or a state
	Seen   int64 // URLs in the seen-set
	Queued int64 // URLs in the queues
	Done   int64 // URLs that have a State; some of them are queued again
}

// Counts returns the counts of the whole store.
func (s *Store) Counts() (sum Counts) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.parts {
		sum.add(s.parts[i].Counts)
	}
	return sum
}

// MaxReasons is how many reasons there may be to refuse an item.
const MaxReasons = 32

// Refused returns how many items were refused, by the reason: see [Batch.Refuse].
func (s *Store) Refused() (sum [MaxReasons]int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.parts {
		for why, n := range s.parts[i].refused {
			sum[why] += n
		}
	}
	return sum
}

func (c *Counts) add(d Counts) {
	c.Hosts += d.Hosts
	c.Seen += d.Seen
	c.Queued += d.Queued
	c.Done += d.Done
}

// Size returns how many bytes the files of the store have.
func (s *Store) Size() (int64, error) {
	if err := s.use(); err != nil {
		return 0, err
	}
	defer s.done()
	return int64(s.db.Metrics().DiskSpaceUsage()), nil
}

// readParts reads the records of the partitions. order is that of the next URL.
func readParts(db *pebble.DB) (parts [256]part, order uint64, err error) {
	it, err := db.NewIter(table(partTable))
	if err != nil {
		return parts, 0, err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		p, k := part{}, it.Key()
		value, err := it.ValueAndErr()
		if err == nil && len(k) != 2 {
			err = errors.New("a wrong key")
		}
		if err == nil {
			err = p.decode(value)
		}
		if err != nil {
			return parts, 0, fmt.Errorf("the record of the partition with the key %x: %w", k, err)
		}
		parts[k[1]] = p
		order = max(order, p.order)
	}
	return parts, order, it.Error()
}

// Sync returns after all that was committed has reached the disk. The records of
// the journal up to [Store.Applied] before it are then not needed again, even after
// a loss of power.
func (s *Store) Sync() error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	now := time.Now()
	s.sync()
	s.mu.Lock()
	s.synced = now
	s.mu.Unlock()
	return s.disk.failure()
}

// Close waits for calls that are under way, and closes the store, with all that was
// committed on the disk. It returns the failure at which the store stopped, if any.
// A second Close does nothing.
func (s *Store) Close() error { return s.close() }
