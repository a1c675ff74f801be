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
)

// snapshots returns the numbers of the snapshots in a folder, the last one first.
func snapshots(dir string) (numbers []uint64, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), snapshotPrefix)
		if n, err := strconv.ParseUint(digits, 10, 64); ok && err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	slices.Reverse(numbers)
	return numbers, err
}

func snapshotPath(dir string, n uint64) string {
	return filepath.Join(dir, snapshotPrefix+strconv.FormatUint(n, 10))
}

// publish makes a snapshot of the store, and removes old ones. x.flushing must be held.
func (x *Index) publish() error {
	numbers, err := snapshots(x.dir)
	if err != nil {
		return x.store.explained(err)
	}
	n := x.published + 1
	if len(numbers) > 0 {
		n = max(n, numbers[0]+1)
	}
	path := snapshotPath(x.dir, n) + snapshotNew
	os.RemoveAll(path)
	if err := os.Mkdir(path, 0o755); err != nil {
		return x.store.explained(err)
	}
	err = x.store.link(path)
	if err == nil {
		err = os.Rename(path, snapshotPath(x.dir, n))
	}
	if err != nil {
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

// isOurs reports whether a name in the folder of an index is that of a snapshot, or of a
// store that is being made.
func isOurs(name string) bool {
	return strings.HasPrefix(name, snapshotPrefix) || strings.HasPrefix(name, storeName+"-")
}

// removeSnapshots removes all snapshots but the last one, and the one before, because a
// reader may be about to open it. If a system does not remove files that are open, the
// next call tries again.
func (x *Index) removeSnapshots() {
	entries, _ := os.ReadDir(x.dir)
	for _, e := range entries {
		path := filepath.Join(x.dir, e.Name())
		if isOurs(e.Name()) && path != snapshotPath(x.dir, x.published) && path != snapshotPath(x.dir, x.published-1) {
			os.RemoveAll(path)
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

// openSnapshot opens the last snapshot.
func openSnapshot(dir string) (s *store, err error) {
	const tries = 10
	for range tries {
		var numbers []uint64
		numbers, err = snapshots(dir)
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(numbers) == 0 {
			return nil, fmt.Errorf("%w: name the folder of one, or make one by indexing pages", ErrMissing)
		}
		if err == nil {
			s, err = openWhole(snapshotPath(dir, numbers[0]))
		}
		// The writer may have removed the snapshot, or a part of it, meanwhile, and made others.
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, errRemoved) {
			break
		}
	}
	return s, err
}
