// Package store is the state of a crawler on one machine: the URLs it has seen, the queue
// of each host, the results of fetched URLs, and the state of each host. All of it is in
// one folder, in Pebble.
//
//	s, err := store.Open(store.Options{Dir: "crawler/internal/store"})
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
// A host is an origin, such as "https://example.com": scheme, host, and port if it is not
// the default port of the scheme. A host and its URLs belong to one partition.
//
// # Tables
//
// The seen-set has a key of 20 bytes for each URL. Its value is the number of the URL's
// record, if the URL has one. Links are looked up in the seen-set. A URL that is queued
// or was fetched has a record, with its text and its [State]. A queued URL also has an
// entry in the queue of its host, by priority, due time and order of discovery. A fetched
// URL leaves the queue, so that [Store.Next] does not get slower as a crawl goes on.
//
// The key of a record is the number of its URL in the order of discovery. So new records
// come after all others, and are written once. Merges of tables rewrite only the keys of
// the seen-set and of queues, which are much smaller.
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
// That holds after a loss of power too. Batches go to one log after another, and an older
// log has reached the disk before a newer one is begun. A table, and the list of tables,
// reach the disk before they replace a log. Each record in a log has a checksum, and
// reading ends at the first incomplete record. So reading a log always returns a prefix
// of the commits.
//
// [Store.Sync] is for a journal that trims its old records: records committed before the
// sync are not needed again.
//
// # Failures
//
// A store whose disk is full, or fails otherwise, stops: no write after the first failure
// gets to the disk, as if the machine had stopped there, and every call returns the
// error. The files on the disk are then as after a crash.
package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Options say where a store is, and how much memory and syncing it may use.
type Options struct {
	// Dir is the folder of the store. Open creates the folder if needed. It must not
	// contain other files.
	Dir string
	// SyncEvery is the maximum time, while batches are committed, until a commit has
	// reached the disk: it limits the work to repeat after a loss of power. Zero means a
	// second; if negative, only [Store.Sync] syncs.
	SyncEvery time.Duration
	// ReadOnly opens an existing store without changing anything in its folder, which may
	// be read-only. A store that cannot be locked, as on a read-only file system, must
	// not be in use elsewhere.
	ReadOnly bool

	// Salt is the salt of the keys of a new store, 16 bytes that those who are crawled do not know.
	// Nil means a random one. Stores with one salt can load dumps of each other.
	Salt []byte

	// For tests: a file system that loses power, and the size of a memtable in bytes.
	fs       vfs.FS
	memtable uint64
}

// The errors that callers may test for.
var (
	// ErrLocked is the error of [Open] for a folder that is already open.
	ErrLocked = errors.New("it is open in another process, or twice in this one: end the other crawl first")
	// ErrClosed is the error of a [Store] that has been closed.
	ErrClosed = errors.New("the store is closed")
	// ErrDamaged is the error of a store whose files were changed or are missing.
	ErrDamaged = errors.New("the store is damaged")
)

// A Store is the state of a crawler. It is safe for concurrent use.
type Store struct {
	*database
	hostIDs hostIDs
	seen    seenSet

	mu     sync.Mutex // guards the fields below; held during all changes
	synced time.Time
	parts  [256]part
	order  uint64 // number of the next new URL
	hosts  hostCache
	leases leases
}

// Open opens a store, or creates one. No other process can open the store until it is
// closed, or this process ends.
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
		if !o.ReadOnly {
			if err := clearLoads(db); err != nil {
				return err
			}
		}
		s.parts, s.order, err = readParts(db)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.seen = seenSet{db: s.db, recent: newRecentItems(), absent: new(absentKeys)}
	s.hosts = hostCache{db: s.db, hosts: make(map[hostKey]*host)}
	return s, nil
}

// Applied returns the number of the last record of a partition's journal that is in the
// store, or 0. The records after it must be committed again.
func (s *Store) Applied(partition uint8) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.parts[partition].applied
}

// Counts are the counts of a host, a partition, or the whole store.
type Counts struct {
	Hosts  int64 // hosts with a URL or a state
	Seen   int64 // URLs in the seen-set
	Queued int64 // URLs in the queues
	Done   int64 // URLs that have a State; some of them are queued again
}

// Counts returns the counts of the whole store.
func (s *Store) Counts() Counts { return CountsOf(s, nil) }

// CountsOf returns the counts of some partitions of a store, or those of all if the list is nil.
func CountsOf(s *Store, partitions []uint8) (sum Counts) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.parts {
		if partitions == nil || slices.Contains(partitions, uint8(i)) {
			sum.add(s.parts[i].Counts)
		}
	}
	return sum
}

// MaxReasons is the number of possible reasons to refuse an item.
const MaxReasons = 32

// Refused returns the number of refused items by reason: see [Batch.Refuse].
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

// Size returns the total size of the files of the store in bytes.
func (s *Store) Size() (int64, error) {
	if err := s.use(); err != nil {
		return 0, err
	}
	defer s.done()
	return int64(s.db.Metrics().DiskSpaceUsage()), nil
}

// readParts reads the records of the partitions. order is the number of the next new URL.
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

// Sync returns after all committed batches have reached the disk. The records of the
// journal up to the value of [Store.Applied] before Sync are then not needed again, even
// after a loss of power.
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

// Close waits for open calls, and closes the store after all commits have reached the
// disk. It returns the failure that stopped the store, if any. A second Close does
// nothing.
func (s *Store) Close() error { return s.close() }
