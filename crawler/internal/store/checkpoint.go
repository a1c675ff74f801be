package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
)

// Checkpoint creates a folder with everything that is committed. [Restore] makes a store
// of the folder. The folder must not exist, and must not be inside that of the store.
//
// The checkpoint shares no file with the store, so that damage to one of them leaves the
// other intact. It shares tables with an older checkpoint, by hard links, if before names
// one. So a checkpoint after another costs as many bytes as the store has written in new
// tables since, and a store and its checkpoint take twice the room of the store.
//
// The folder appears only when all of it has reached the disk. If Checkpoint fails, such
// as for lack of room elsewhere, the store goes on.
func (s *Store) Checkpoint(dir, before string) error {
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
		if err := s.db.Checkpoint(part, pebble.WithFlushedWAL()); err != nil {
			return err
		}
		return detach(part, before)
	})
	if failed := s.disk.failure(); failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("checkpoint of store %s: %w", s.dir, err)
	}
	return nil
}

// detach replaces the tables in dir, which are links to those of a store, with copies, or
// with links to the copies in the older checkpoint before.
func detach(dir, before string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !isTable(e.Name()) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil {
			return err
		}
		temp := name + ".tmp"
		if before == "" || !isCopy(filepath.Join(before, e.Name()), info) ||
			os.Link(filepath.Join(before, e.Name()), temp) != nil {
			if err := duplicate(name, temp, info); err != nil {
				return err
			}
		}
		if err := os.Rename(temp, name); err != nil {
			return err
		}
	}
	syncFolder(dir)
	return nil
}

// isCopy reports whether a file is an earlier copy of a table. A table never changes, and
// no other table of the same name has the same time.
func isCopy(name string, table fs.FileInfo) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() == table.Size() &&
		info.ModTime().Equal(table.ModTime()) && !os.SameFile(info, table)
}

// duplicate copies a file with its time, and returns after the copy has reached the disk.
func duplicate(from, to string, info fs.FileInfo) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, in)
	if err == nil && n != info.Size() {
		err = fmt.Errorf("%s has %d bytes, and had %d", from, n, info.Size())
	}
	if err == nil {
		err = out.Sync()
	}
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// Restore makes a store of a checkpoint. Restore does not change the checkpoint, which
// can be used again and shares no file with the store. The folder of the store must be
// empty or missing.
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
			info, err := e.Info()
			if err != nil {
				return err
			}
			if err := duplicate(filepath.Join(checkpoint, e.Name()), filepath.Join(part, e.Name()), info); err != nil {
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

// complete fills a folder under a temporary name, and renames the folder after all of it
// has reached the disk.
func complete(dir string, fill func(part string) error) error {
	if full, err := exists(dir); err != nil || full {
		return errors.Join(err, fmt.Errorf("%s exists already: name another folder, or remove it", dir))
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil { // left by an interrupted call
		return err
	}
	if err := fill(part); err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // an empty folder may be replaced
	}
	if err := os.Rename(part, dir); err != nil {
		return err
	}
	syncFolder(filepath.Dir(dir))
	return nil
}

// syncFolder makes new names reach the disk. Where a folder cannot be synced, as on
// Windows, the system decides how durable the names are.
func syncFolder(name string) {
	if f, err := os.Open(name); err == nil {
		f.Sync()
		f.Close()
	}
}
