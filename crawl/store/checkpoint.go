package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Checkpoint makes a folder with all that is committed, which [Restore] makes a
// store of. The folder must not exist, and is not to be in that of the store. If it
// is on the same file system, its tables are those of the store (hard links), so
// that it takes little room at first, and little time.
//
// The folder is there only when all of it has reached the disk. If it fails, such as
// for lack of room elsewhere, the store goes on.
func (s *Store) Checkpoint(dir string) error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if s.disk.inside(dir) {
		return fmt.Errorf("checkpoint of store %s: it is not to be in the folder of the store: %s", s.dir, dir)
	}
	err = complete(dir, func(part string) error {
		return s.db.Checkpoint(part, pebble.WithFlushedWAL())
	})
	if failed := s.disk.failure(); failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("checkpoint of store %s: %w", s.dir, err)
	}
	return nil
}

// Restore makes a store of a checkpoint, which is not changed by that, and can be used
// again. There must be nothing in the folder of the store.
func Restore(checkpoint, dir string) error {
	err := complete(dir, func(part string) error {
		entries, err := os.ReadDir(checkpoint)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(part, 0o777); err != nil {
			return err
		}
		for _, e := range entries {
			if err := take(filepath.Join(checkpoint, e.Name()), filepath.Join(part, e.Name())); err != nil {
				return err
			}
		}
		syncFolder(part)
		return nil
	})
	if err != nil {
		return fmt.Errorf("restore checkpoint %s to %s: %w", checkpoint, dir, err)
	}
	return nil
}

// take links a table, which nobody changes, and copies another file.
func take(from, to string) error {
	if isTable(from) && os.Link(from, to) == nil {
		return nil
	}
	return vfs.Copy(vfs.Default, from, to)
}

// complete has a folder made under another name, which it changes when all of it is
// there.
func complete(dir string, fill func(part string) error) error {
	if full, err := exists(dir); err != nil || full {
		return errors.Join(err, fmt.Errorf("%s exists already: name another folder, or remove it", dir))
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil { // of one that was interrupted
		return err
	}
	if err := fill(part); err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // it is empty
	}
	if err := os.Rename(part, dir); err != nil {
		return err
	}
	syncFolder(filepath.Dir(dir))
	return nil
}

// syncFolder makes new names reach the disk. Where a folder cannot be synced, as on
// Windows, they are as safe as the system makes them.
func syncFolder(name string) {
	if f, err := os.Open(name); err == nil {
		f.Sync()
		f.Close()
	}
}
