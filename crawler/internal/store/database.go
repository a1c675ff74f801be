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

// A database is the open Pebble database of a store, with the lock of its folder and the
// disk that stops at the first failure. It does not know the meaning of the tables.
type database struct {
	dir     string
	db      *pebble.DB
	disk    *disk
	merging compactionScheduler
	lock    *pebble.Lock
	salt    [saltLen]byte

	spare     func() // gives the cache the rest of its size, or nil
	syncEvery time.Duration
	readOnly  bool
	gate      sync.Mutex // guards closed, and the beginning of each call
	closed    bool
	inside    sync.WaitGroup // calls that use the database
	closeOnce sync.Once

	rotated  atomic.Bool   // a memtable is full: too much may be waiting to be written out
	progress chan struct{} // signaled after a flush, a merge or a failure
}

// openDatabase locks the folder and opens the database in it. It calls read before any
// table is merged, to load the state that the store keeps in memory.
func openDatabase(o Options, read func(*pebble.DB) error) (*database, error) {
	if o.Dir == "" {
		return nil, errors.New("no folder is named")
	}
	d := &database{syncEvery: o.SyncEvery, readOnly: o.ReadOnly, progress: make(chan struct{}, 1)}
	if d.syncEvery == 0 {
		d.syncEvery = time.Second
	}
	// The process may change its working directory while the store is open.
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	d.dir = dir
	d.disk = newDisk(o.fs, dir, d.wake)
	if d.disk.readOnly = o.ReadOnly; !o.ReadOnly {
		if err := d.disk.mkdir(); err != nil {
			return nil, damageOf(err)
		}
	}
	if d.lock, err = lockFolder(dir, d.disk); errors.Is(err, ErrLocked) {
		return nil, err
	} else if err != nil {
		return nil, damageOf(err)
	}
	if err := d.openLocked(o, read); err != nil {
		d.disk.release()
		if d.db != nil {
			d.db.Close()
		}
		return nil, errors.Join(err, d.lock.Close())
	}
	d.disk.park()
	if !o.ReadOnly {
		d.merging.begin()
	}
	return d, nil
}

// openLocked opens the database. The folder must be locked.
func (d *database) openLocked(o Options, read func(*pebble.DB) error) error {
	if !o.ReadOnly {
		if err := d.disk.watch(); err != nil {
			return err
		}
	}
	options := d.options(o)
	defer options.Cache.Unref()
	d.spare = options.Cache.Reserve(spared)
	begun, err := d.disk.isBegun()
	if err != nil {
		return err
	}
	// Without the list of tables Pebble would create a new database, and remove the
	// tables.
	options.ErrorIfNotExists, options.ReadOnly = begun, o.ReadOnly
	d.db, err = pebble.Open(d.dir, options)
	if failed := d.disk.failure(); failed != nil {
		return failed // the first failure causes all others
	} else if err != nil {
		return damageOf(err)
	}
	d.widen(d.db.Metrics())
	if err := d.readFormat(o.Salt); err != nil {
		return damageOf(err)
	}
	if err := read(d.db); err != nil {
		return damageOf(err)
	}
	return d.disk.failure()
}

// lockFolder keeps other processes from opening the folder.
func lockFolder(dir string, disk vfs.FS) (*pebble.Lock, error) {
	lock, err := pebble.LockDirectory(dir, disk)
	if err != nil {
		// The lock file could not be created, or could not be locked.
		if path := (*fs.PathError)(nil); !errors.As(err, &path) {
			err = ErrLocked
		}
		return nil, err
	}
	return lock, nil
}

// format is the version of the stored form: of keys, and of the set of tables. Values
// have versions of their own.
const format = 2

// readFormat reads the format of the database and the salt of its keys. It writes both to
// an empty database, with a random salt if none is given.
func (d *database) readFormat(salt []byte) error {
	value, closer, err := d.db.Get(formatKey)
	if err == nil {
		defer closer.Close()
		return d.decodeFormat(value)
	}
	if !errors.Is(err, pebble.ErrNotFound) {
		return err
	}
	it, err := d.db.NewIter(nil)
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
	if d.readOnly {
		return errors.New("there is nothing in it")
	}
	rand.Read(d.salt[:])
	if salt != nil && copy(d.salt[:], salt) != saltLen {
		return fmt.Errorf("a salt of %d bytes: it has %d", len(salt), saltLen)
	}
	return d.db.Set(formatKey, append([]byte{format}, d.salt[:]...), pebble.Sync)
}

var errFormat = errors.New("newer version of it made the store")

func (d *database) decodeFormat(value []byte) error {
	switch {
	case len(value) > 0 && value[0] > format:
		return fmt.Errorf("it has format %d, and this program knows %d at most: a %w", value[0], format, errFormat)
	case len(value) != 1+saltLen || value[0] != format:
		return fmt.Errorf("it has no known format: % x", value)
	}
	copy(d.salt[:], value[1:])
	return nil
}

// use begins a call that uses the database, and done ends the call.
func (d *database) use() error {
	d.gate.Lock()
	defer d.gate.Unlock()
	if d.closed {
		return ErrClosed
	}
	if err := d.disk.failure(); err != nil {
		return err
	}
	d.inside.Add(1)
	return nil
}

func (d *database) done() { d.inside.Done() }

// wrap adds the folder and the act to an error of reading, and marks damage as damage.
func (d *database) wrap(act string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s: %w", d.dir, printable.Clipped(act, 200), damageOf(err))
}

// sync returns after all committed batches have reached the disk, or the disk has failed.
func (d *database) sync() {
	if err := d.db.LogData(nil, pebble.Sync); err != nil {
		d.disk.fail(err)
	}
	d.disk.present()
}

// close waits for the calls that use the database, and closes it.
func (d *database) close() (err error) {
	d.closeOnce.Do(func() {
		d.gate.Lock()
		d.closed = true
		d.gate.Unlock()
		d.inside.Wait()
		d.flush()
		d.disk.release() // wake the writers that a failure stopped
		err = d.db.Close()
		if failed := d.disk.failure(); failed != nil {
			err = failed // the first failure causes all others
		} else if err != nil {
			err = fmt.Errorf("close store %s: %w", d.dir, err)
		}
		err = errors.Join(err, d.lock.Close())
	})
	return err
}

// flush writes the logs out as tables, so that the next Open need not read the logs.
func (d *database) flush() {
	if d.readOnly {
		return
	}
	flushed, err := d.db.AsyncFlush()
	if err != nil {
		d.disk.fail(err)
		return
	}
	select {
	case <-flushed:
	case <-d.disk.broken:
	}
}

// damageOf marks an error of opening or reading as damage, unless the system reports
// another cause, such as a full disk or missing permissions.
func damageOf(err error) error {
	var number syscall.Errno
	if err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, errFormat) || errors.As(err, &number) &&
		!isDamage(number) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// isDamage reports whether an error of the system means that a file is missing or is
// something else.
func isDamage(number syscall.Errno) bool {
	switch number {
	case syscall.ENOENT, syscall.EISDIR, syscall.ENOTDIR, syscall.EINVAL, syscall.EEXIST, syscall.ENOTEMPTY,
		syscall.EIO:
		return true
	}
	return false
}

// exists reports whether a folder has entries, or is a file.
func exists(name string) (bool, error) {
	entries, err := os.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err != nil || len(entries) > 0, err
}
