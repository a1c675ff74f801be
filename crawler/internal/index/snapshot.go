package index

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A store has one user at a time: a writer locks out all others, and a reader locks out
// writers. So readers never open the store. They open snapshots: folders with hard
// links to the files of the store, which never change after they are written, and a
// file list of their own. The writer makes a snapshot with each Sync. Snapshots take no
// space, except that the files of the last two remain after Bleve has merged them into
// others.
const (
	snapshotPrefix = "snapshot-"
	snapshotNew    = ".new" // suffix of the number while the snapshot is being made
	keptSnapshots  = 2      // including the one before the last, because a reader may be about to open it
)

// snapshotNumber returns the number in the name of a folder, if the folder is a
// snapshot.
func snapshotNumber(name string) (n uint64, whole, ok bool) {
	digits, ok := strings.CutPrefix(name, snapshotPrefix)
	if !ok {
		return 0, false, false
	}
	digits, isNew := strings.CutSuffix(digits, snapshotNew)
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, !isNew, err == nil
}

// snapshots returns the numbers of the snapshots in a folder, the last one first.
func snapshots(dir string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var numbers []uint64
	for _, e := range entries {
		if n, whole, ok := snapshotNumber(e.Name()); ok && whole {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	slices.Reverse(numbers)
	return numbers, nil
}

func (x *Index) snapshotPath(n uint64) string {
	return filepath.Join(x.dir, snapshotPrefix+strconv.FormatUint(n, 10))
}

// publish makes a snapshot of the store, and removes old ones. x.flushing must be held.
func (x *Index) publish() error {
	numbers, err := snapshots(x.dir)
	if err != nil {
		return x.store.explained(err)
	}
	n := x.published
	if len(numbers) > 0 {
		n = max(n, numbers[0])
	}
	n++
	path := x.snapshotPath(n) + snapshotNew
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return x.store.explained(err)
	}
	if err := x.store.link(path); err != nil {
		os.RemoveAll(path)
		return x.store.explained(err)
	}
	if err := os.Rename(path, x.snapshotPath(n)); err != nil {
		os.RemoveAll(path)
		return x.store.explained(err)
	}
	syncFolder(x.store.path)
	syncFolder(x.dir)
	x.published = n
	x.removeSnapshots()
	return nil
}

// syncFolder syncs the names in a folder to the disk. Bleve syncs the contents of its
// files. Some systems cannot sync folders, or need not.
func syncFolder(path string) {
	if f, err := os.Open(path); err == nil {
		f.Sync()
		f.Close()
	}
}

// removeSnapshots removes all snapshots but the last ones. If a system does not remove
// files that are open, the next call tries again.
func (x *Index) removeSnapshots() {
	entries, _ := os.ReadDir(x.dir)
	for _, e := range entries {
		n, whole, ok := snapshotNumber(e.Name())
		if ok && (!whole || n+keptSnapshots <= x.published) || strings.HasPrefix(e.Name(), storeName+"-") {
			os.RemoveAll(filepath.Join(x.dir, e.Name()))
		}
	}
}

// link makes a store in another folder with links to the same files. Bleve panics if
// the store is closed.
func (s *store) link(to string) (err error) {
	defer recovered(&err)
	r := s.CopyReader()
	defer func() {
		if closeErr := r.CloseCopyReader(); err == nil {
			err = closeErr
		}
	}()
	return r.CopyTo(linker{from: s.path, to: to})
}

// A linker makes links in place of the file copies that Bleve asks for, and gives Bleve
// nothing to write.
type linker struct{ from, to string }

// GetWriter implements Bleve's interface for target folders.
func (l linker) GetWriter(name string) (io.WriteCloser, error) {
	name = filepath.Base(name)
	path := filepath.Join(l.to, name)
	if filepath.Ext(name) == segmentEnd {
		from := filepath.Join(l.from, name)
		if _, err := os.Stat(from); err == nil && os.Link(from, path) == nil {
			return nil, nil
		}
		// Some systems have no links. Data that is not in a file yet has no name.
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// refresh opens the last snapshot, if x is read-only and has not opened that snapshot
// yet.
func (x *Index) refresh() error {
	if !x.options.ReadOnly {
		return nil
	}
	const tries = 10
	var err error
	for range tries {
		var n uint64
		if n, err = x.newest(); err != nil {
			break
		}
		x.storeMu.RLock()
		current := x.store != nil && x.shown >= n
		x.storeMu.RUnlock()
		if current {
			return nil
		}
		if err = x.show(n); err == nil || !errors.Is(err, ErrDamaged) && !errors.Is(err, errRemoved) {
			return err
		}
		// The writer may have removed the snapshot, or a part of it, meanwhile, and made others.
	}
	return err
}

// newest returns the number of the last snapshot.
func (x *Index) newest() (uint64, error) {
	numbers, err := snapshots(x.dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(numbers) == 0 {
		return 0, fmt.Errorf("%w: name the folder of one, or make one by indexing pages", ErrMissing)
	}
	if err != nil {
		return 0, err
	}
	return numbers[0], nil
}

// show opens a snapshot in place of the current one.
func (x *Index) show(n uint64) error {
	s, err := openWhole(x.snapshotPath(n))
	if err != nil {
		return err
	}
	x.storeMu.Lock()
	defer x.storeMu.Unlock()
	x.mu.Lock()
	closed := x.closed
	x.mu.Unlock()
	if closed || x.store != nil && x.shown >= n {
		return s.close()
	}
	if x.store != nil {
		x.store.close()
	}
	x.store, x.shown = s, n
	return nil
}
