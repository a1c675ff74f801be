// Package store is what a crawler on one machine remembers: which URLs it has
// seen, which of them wait in the queue of their host, what is known of those that
// were fetched, and the state of each host. All of it is in one folder, in Pebble.
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
// The journal of the crawl is the truth, and a store what its records come to. A
// [Batch] has all that one record changes, and is committed at once with the number
// of the record. Committing does not wait for the disk: after a crash, be it of the
// process or of the machine, the store is as it was after some batch, with none
// after it and no part of one, and [Store.Applied] says for each partition which
// record that was. The caller commits the later ones again.
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
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/robotsexclusion/robots/internal/printable"
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
	dir     string
	db      *pebble.DB
	disk    *disk
	merging merging
	lock    *pebble.Lock
	salt    [saltLen]byte

	hostIDs hostIDs
	recent  *recent
	absent  absent

	syncEvery time.Duration
	readOnly  bool
	gate      sync.Mutex // of closed, and of entering
	closed    bool
	inside    sync.WaitGroup // calls that use the database
	closeOnce sync.Once

	rotated  atomic.Bool   // a memtable was filled: there may be too much to write out
	progress chan struct{} // something was written out, or failed

	mu     sync.Mutex // of what follows, and of all changes
	synced time.Time
	parts  [256]part
	order  uint64            // of the next URL that is discovered
	hosts  map[hostKey]*host // some of them
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
	if o.Dir == "" {
		return nil, errors.New("no folder is named")
	}
	s := &Store{
		syncEvery: o.SyncEvery,
		readOnly:  o.ReadOnly,
		progress:  make(chan struct{}, 1),
		recent:    new(recent),
		hosts:     make(map[hostKey]*host),
		synced:    time.Now(),
	}
	if s.syncEvery == 0 {
		s.syncEvery = time.Second
	}
	// Locks are held by name, and the name is to stay the same if the process
	// changes its folder.
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	s.dir = dir
	s.disk = newDisk(o.fs, dir, s.wake)
	if s.disk.readOnly = o.ReadOnly; !o.ReadOnly {
		if err := s.disk.mkdir(); err != nil {
			return nil, damageOf(err)
		}
	}
	if s.lock, err = lockFolder(dir, s.disk); errors.Is(err, ErrLocked) {
		return nil, err
	} else if err != nil {
		return nil, damageOf(err)
	}
	if err := s.openLocked(o); err != nil {
		s.disk.release()
		if s.db != nil {
			s.db.Close()
		}
		return nil, errors.Join(err, s.lock.Close())
	}
	s.disk.park()
	if !o.ReadOnly {
		s.merging.begin()
	}
	return s, nil
}

// openLocked opens the database, and reads what is always in memory.
func (s *Store) openLocked(o Options) error {
	if !o.ReadOnly {
		if err := s.disk.watch(); err != nil {
			return err
		}
	}
	options := s.pebble(o)
	defer options.Cache.Unref()
	begun, err := s.disk.isBegun()
	if err != nil {
		return err
	}
	// Where the list of tables is gone Pebble would begin anew, and remove the tables.
	options.ErrorIfNotExists, options.ReadOnly = begun, o.ReadOnly
	if s.db, err = pebble.Open(s.dir, options); err != nil {
		return damageOf(err)
	}
	if err := s.readFormat(); err != nil {
		return damageOf(err)
	}
	if err := s.readParts(); err != nil {
		return damageOf(err)
	}
	return s.disk.failure()
}

// damageOf marks an error of opening or reading as one of damage, unless the system says
// that it comes of something else, such as a disk that is full or rights that are missing.
func damageOf(err error) error {
	var number syscall.Errno
	if err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, errFormat) || errors.As(err, &number) && !isDamage(number) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// isDamage reports whether an error of the system is one about files that are not there, or
// are something else.
func isDamage(number syscall.Errno) bool {
	switch number {
	case syscall.ENOENT, syscall.EISDIR, syscall.ENOTDIR, syscall.EINVAL, syscall.EEXIST, syscall.ENOTEMPTY, syscall.EIO:
		return true
	}
	return false
}

// lockFolder keeps others from opening the folder.
func lockFolder(dir string, disk vfs.FS) (*pebble.Lock, error) {
	lock, err := pebble.LockDirectory(dir, disk)
	if err != nil {
		// The lock file could not be made, or else not be locked.
		if path := (*fs.PathError)(nil); !errors.As(err, &path) {
			err = ErrLocked
		}
		return nil, err
	}
	return lock, nil
}

// format is the number of the format of what is in a store: of its keys, and of
// which tables there are. Values have versions of their own.
const format = 2

// readFormat reads which format the database has, and the salt of its keys. To an
// empty database it gives both.
func (s *Store) readFormat() error {
	value, closer, err := s.db.Get(formatKey)
	if err == nil {
		defer closer.Close()
		return s.decodeFormat(value)
	}
	if !errors.Is(err, pebble.ErrNotFound) {
		return err
	}
	it, err := s.db.NewIter(nil)
	if err != nil {
		return err
	}
	full := it.First()
	if err := errors.Join(it.Error(), it.Close()); err != nil {
		return err
	}
	if full {
		return errors.New("this is a database of something else")
	}
	if s.readOnly {
		return errors.New("there is nothing in it")
	}
	rand.Read(s.salt[:])
	return s.db.Set(formatKey, append([]byte{format}, s.salt[:]...), pebble.Sync)
}

var errFormat = errors.New("newer version of it made the store")

func (s *Store) decodeFormat(value []byte) error {
	switch {
	case len(value) > 0 && value[0] > format:
		return fmt.Errorf("it has format %d, and this program knows %d at most: a %w", value[0], format, errFormat)
	case len(value) != 1+saltLen || value[0] != format:
		return fmt.Errorf("it has no known format: % x", value)
	}
	copy(s.salt[:], value[1:])
	return nil
}

// use is to be called before the database is used, and done after it.
func (s *Store) use() error {
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed {
		return ErrClosed
	}
	if err := s.disk.failure(); err != nil {
		return err
	}
	s.inside.Add(1)
	return nil
}

func (s *Store) done() { s.inside.Done() }

// told returns an error of reading with where and at what it came, marked as one of damage if it
// is one.
func (s *Store) told(act string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s: %w", s.dir, printable.Clipped(act, 200), damageOf(err))
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

// readParts reads what is kept of the partitions.
func (s *Store) readParts() error {
	it, err := s.db.NewIter(table(partTable))
	if err != nil {
		return err
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
			return fmt.Errorf("the record of the partition with the key %x: %w", k, err)
		}
		s.parts[k[1]] = p
		s.order = max(s.order, p.order)
	}
	return it.Error()
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
	if err := s.db.LogData(nil, pebble.Sync); err != nil {
		s.disk.fail(err)
	}
	s.disk.present()
	s.mu.Lock()
	s.synced = now
	s.mu.Unlock()
	return s.disk.failure()
}

// Close waits for calls that are under way, and closes the store, with all that was
// committed on the disk. It returns the failure at which the store stopped, if any.
// A second Close does nothing.
func (s *Store) Close() (err error) {
	s.closeOnce.Do(func() {
		s.gate.Lock()
		s.closed = true
		s.gate.Unlock()
		s.inside.Wait()
		s.flush()
		s.disk.release() // what a failure holds up can end now
		err = s.db.Close()
		if failed := s.disk.failure(); failed != nil {
			err = failed // all others come from it
		} else if err != nil {
			err = fmt.Errorf("close store %s: %w", s.dir, err)
		}
		err = errors.Join(err, s.lock.Close())
	})
	return err
}

// flush has tables made of what is in logs, so that the next Open need not read
// them.
func (s *Store) flush() {
	if s.readOnly {
		return
	}
	flushed, err := s.db.AsyncFlush()
	if err != nil {
		s.disk.fail(err)
		return
	}
	select {
	case <-flushed:
	case <-s.disk.broken:
	}
}

// exists reports whether there is something in a folder, or a file in its place.
func exists(name string) (bool, error) {
	entries, err := os.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err != nil || len(entries) > 0, err
}
