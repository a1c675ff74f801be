package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/robotsexclusion/robots/crawler/internal/filecheck"
	"github.com/robotsexclusion/robots/internal/filelock"
)

// A disk is the file system below Pebble. Pebble ends the process or panics if it cannot
// write a log. A disk stops at the first failure instead: nothing on it changes after
// that, as if the machine had stopped there. Writes of logs and of lists of tables then
// appear to succeed, so that Pebble goes on, in memory, until it is closed. Writes of
// tables fail: Pebble copes with that, and retries.
//
// The files on the disk are as after a crash at the time of the failure: writes that
// Pebble believes to be done later are missing, and files that it believes to have
// replaced are still there.
type disk struct {
	vfs.FS
	*breaker
	lock     filecheck.Place // the lock file
	readOnly bool            // writes are not allowed
}

// newDisk returns a disk for a folder, on the given file system or that of the machine.
// It calls wake after a failure.
func newDisk(below vfs.FS, dir string, wake func()) *disk {
	d := &disk{FS: below, breaker: newBreaker(dir, wake)}
	if below == nil {
		d.FS = vfs.Default
	}
	return d
}

// mkdir creates the folder and its parents if needed, and syncs them: otherwise a loss of
// power may remove all of it, even though the folder itself was synced.
func (d *disk) mkdir() error {
	var parents []string
	for name := d.dir; ; name = filepath.Dir(name) {
		if _, err := d.FS.Stat(name); err == nil || name == filepath.Dir(name) {
			break
		}
		parents = append(parents, filepath.Dir(name))
	}
	if err := d.FS.MkdirAll(d.dir, 0o777); err != nil {
		return err
	}
	for _, name := range parents {
		f, err := d.FS.OpenDir(name)
		if err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// watch remembers the identity of the lock file, for present.
func (d *disk) watch() (err error) {
	if d.FS == vfs.Default {
		d.lock, err = filecheck.At(d.lockFile())
	}
	return err
}

func (d *disk) lockFile() string { return filepath.Join(d.dir, "LOCK") }

// isBegun reports whether the folder has files of a database.
func (d *disk) isBegun() (bool, error) {
	names, err := d.FS.List(d.dir)
	for _, name := range names {
		switch ext := filepath.Ext(name); {
		case isTable(name), ext == ".log", strings.HasPrefix(name, "MANIFEST-"), strings.HasPrefix(name, "marker."):
			return true, nil
		}
	}
	return false, err
}

// Lock locks the folder with [filelock] instead of Pebble's own lock, so that all folders
// of a crawl are locked in the same way. To read a folder without permission to write, it
// is enough that no other process writes to the folder.
func (d *disk) Lock(name string) (io.Closer, error) {
	if d.FS != vfs.Default {
		return d.FS.Lock(name) // the file system of a test, perhaps in memory
	}
	lock, err := filelock.Try(name, filelock.Exclusive)
	switch {
	case err == nil:
		return lock, nil
	case errors.Is(err, filelock.ErrLocked):
		return nil, ErrLocked
	case d.readOnly:
		return lockToRead(name)
	}
	return nil, err
}

// lockToRead keeps other processes from writing to a folder while it is read, if its lock
// file is not writable. Without a lock file, or without locks at all, no process writes
// there.
func lockToRead(name string) (io.Closer, error) {
	lock, err := filelock.TryRead(name)
	var path *fs.PathError
	switch {
	case err == nil:
		return lock, nil
	case errors.Is(err, filelock.ErrLocked):
		return nil, ErrLocked
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &path) && path.Op == "lock":
		return io.NopCloser(nil), nil
	}
	return nil, err
}

// present stops the disk if the folder was removed or replaced.
func (d *disk) present() {
	if err := d.lock.Check(); err != nil {
		d.fail(err)
	}
}

// inside reports whether a file is in the folder: checkpoints are outside, and may fail
// without stopping the disk.
func (d *disk) inside(name string) bool {
	return name == d.dir || strings.HasPrefix(name, d.dir+string(filepath.Separator))
}

// change runs do, an operation that changes names.
func (d *disk) change(name string, do func() error) error {
	if !d.inside(name) {
		return do()
	}
	if d.stopped() {
		return nil
	}
	err := do()
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
		d.fail(err)
	}
	return err
}

// create creates a file for writing.
func (d *disk) create(name string, do func() (vfs.File, error)) (vfs.File, error) {
	if !d.inside(name) {
		return do()
	}
	table := isTable(name)
	if !d.stopped() {
		f, err := do()
		if err == nil {
			return &file{File: f, disk: d, table: table}, nil
		}
		d.fail(err)
	}
	if table && d.parking.Load() {
		<-d.closing
		return nil, d.failure()
	}
	// While Pebble opens, it waits for the first table too: nothing refers to a table that is
	// dropped like all else, since the list of tables is not written any more either.
	return &file{File: vfs.NewMemFile(nil), disk: d}, nil
}

// isTable reports, by the name of a file, whether it is a table and not a log or a list
// of tables.
func isTable(name string) bool {
	switch filepath.Ext(name) {
	case ".sst", ".blob":
		return true
	}
	return false
}

func (d *disk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return d.create(name, func() (vfs.File, error) { return d.FS.Create(name, category) })
}

func (d *disk) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return d.create(name, func() (vfs.File, error) { return d.FS.ReuseForWrite(old, name, category) })
}

func (d *disk) OpenReadWrite(name string, category vfs.DiskWriteCategory, options ...vfs.OpenOption) (vfs.File, error) {
	return d.create(name, func() (vfs.File, error) { return d.FS.OpenReadWrite(name, category, options...) })
}

func (d *disk) OpenDir(name string) (vfs.File, error) {
	f, err := d.FS.OpenDir(name)
	if err != nil || !d.inside(name) {
		return f, err
	}
	return &file{File: f, disk: d}, nil
}

func (d *disk) Link(old, name string) error {
	err := d.change(name, func() error { return d.FS.Link(old, name) })
	if errors.Is(err, fs.ErrPermission) {
		// Some file systems without links return this error. Pebble copies the file
		// instead if it does not recognise the error.
		err = fmt.Errorf("%v", err)
	}
	return err
}

func (d *disk) Remove(name string) error {
	return d.change(name, func() error { return d.FS.Remove(name) })
}

func (d *disk) RemoveAll(name string) error {
	return d.change(name, func() error { return d.FS.RemoveAll(name) })
}

func (d *disk) Rename(old, name string) error {
	return d.change(name, func() error { return d.FS.Rename(old, name) })
}

func (d *disk) MkdirAll(name string, mode os.FileMode) error {
	return d.change(name, func() error { return d.FS.MkdirAll(name, mode) })
}

// Unwrap returns nil, because Pebble must not bypass the disk.
func (d *disk) Unwrap() vfs.FS { return nil }

// A file is open for writing.
type file struct {
	vfs.File
	disk  *disk
	table bool
}

// do runs write. After a failure, only tables return the error.
func (f *file) do(write func() error) error {
	if !f.disk.stopped() {
		err := write()
		if err == nil {
			return nil
		}
		f.disk.fail(err)
	}
	if f.table {
		return f.disk.failure()
	}
	return nil
}

func (f *file) Write(p []byte) (int, error) {
	err := f.do(func() error { _, err := f.File.Write(p); return err })
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (f *file) WriteAt(p []byte, at int64) (int, error) {
	err := f.do(func() error { _, err := f.File.WriteAt(p, at); return err })
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (f *file) Sync() error { return f.do(f.File.Sync) }

func (f *file) SyncData() error { return f.do(f.File.SyncData) }

func (f *file) SyncTo(size int64) (full bool, err error) {
	err = f.do(func() error { full, err = f.File.SyncTo(size); return err })
	return full, err
}

func (f *file) Close() error {
	err := f.File.Close() // in any case
	return f.do(func() error { return err })
}
