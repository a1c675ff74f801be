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
// disk that stops at the first failure. It knows nothing of what the tables mean.
type database struct {
	dir     string
	db      *pebble.DB
	disk    *disk
	merging merging
	lock    *pebble.Lock
	salt    [saltLen]byte

	syncEvery time.Duration
	readOnly  bool
	gate      sync.Mutex // guards closed, and each call that begins
	closed    bool
	inside    sync.WaitGroup // calls that use the database
	closeOnce sync.Once

	rotated  atomic.Bool   // a memtable was filled: there may be too much to write out
	progress chan struct{} // something was written out, or failed
}

// openDatabase locks the folder and opens the database in it. read reads what the store
// keeps in memory, before any table is merged.
func openDatabase(o Options, read func(*pebble.DB) error) (*database, error) {
	if o.Dir == "" {
		return nil, errors.New("no folder is named")
	}
	d := &database{syncEvery: o.SyncEvery, readOnly: o.ReadOnly, progress: make(chan struct{}, 1)}
	if d.syncEvery == 0 {
		d.syncEvery = time.Second
	}
	// The process may change its working folder while the store is open.
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
	begun, err := d.disk.isBegun()
	if err != nil {
		return err
	}
	// Where the list of tables is gone Pebble would begin anew, and remove the tables.
	options.ErrorIfNotExists, options.ReadOnly = begun, o.ReadOnly
	if d.db, err = pebble.Open(d.dir, options); err != nil {
		return damageOf(err)
	}
	if err := d.readFormat(); err != nil {
		return damageOf(err)
	}
	if err := read(d.db); err != nil {
		return damageOf(err)
	}
	return d.disk.failure()
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
func (d *database) readFormat() error {
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

// sync returns after all that was committed has reached the disk, or the disk has failed.
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
		d.disk.release() // what a failure holds up can end now
		err = d.db.Close()
		if failed := d.disk.failure(); failed != nil {
			err = failed // all others come from it
		} else if err != nil {
			err = fmt.Errorf("close store %s: %w", d.dir, err)
		}
		err = errors.Join(err, d.lock.Close())
	})
	return err
}

// flush has tables made of what is in logs, so that the next Open need not read
// them.
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

// exists reports whether there is something in a folder, or a file in its place.
func exists(name string) (bool, error) {
	entries, err := os.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err != nil || len(entries) > 0, err
}
