package index

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
	"go.etcd.io/bbolt"
	bolt "go.etcd.io/bbolt/errors"

	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	storeName  = "store"     // folder of Bleve's index, inside the folder of the index
	boltName   = "root.bolt" // file in it with the list of files
	segmentEnd = ".zap"      // extension of the other files
	format     = "2"         // of the index; other formats cannot be read

	lockWait = 300 * time.Millisecond // searches do not hold the lock
)

var formatKey = []byte("robots-format")

// openStore opens or creates a store. It reports errors that occur outside of calls to
// broken, possibly several times.
func openStore(path string, readOnly bool, broken func(error)) (s *store, err error) {
	defer recovered(&err)
	// If the file list is missing, Bleve creates an empty one, and removes the files.
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	isSegment := func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == segmentEnd }
	info, err := os.Stat(filepath.Join(path, boltName))
	if missing := err != nil || info.Size() == 0; missing && (readOnly || slices.ContainsFunc(entries, isSegment)) {
		return nil, fmt.Errorf("%w (%s is missing or empty)", ErrDamaged, boltName)
	}
	if err == nil && isCut(filepath.Join(path, boltName)) {
		return nil, fmt.Errorf("%w (%s has lost its end)", ErrDamaged, boltName)
	}
	watching.Do(watch)
	s = &store{
		path:    path,
		queue:   bleve.NewAnalysisQueue(1), // pages are already analysed
		stopped: make(chan struct{}),
		dead:    make(chan struct{}),
		broken:  broken,
	}
	opened, err := scorch.NewScorch(scorch.Name, map[string]any{
		"path":                   path,
		"read_only":              readOnly,
		"bolt_timeout":           lockWait.String(),
		"numSnapshotsToKeep":     1,
		"asyncErrorCallbackName": watcher,
	}, s.queue)
	if err != nil {
		s.queue.Close()
		return nil, err
	}
	s.Scorch = opened.(*scorch.Scorch)
	if !readOnly {
		stores.LoadOrStore(path, s)
	}
	if err := s.Open(); err != nil {
		stores.CompareAndDelete(path, s)
		s.queue.Close()
		if errors.Is(err, bolt.ErrTimeout) {
			return nil, ErrLocked
		}
		return nil, s.explained(err)
	}
	return s, nil
}

// openWhole opens a store for reading, and checks that it is ours and complete.
func openWhole(path string) (*store, error) {
	s, err := openStore(path, true, func(error) {})
	if err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// isCut reports whether a bbolt file ends before its last page. Bbolt maps the file
// into memory and reads only the first pages to open it; reading beyond the end would
// end the process.
func isCut(name string) bool {
	db, err := bbolt.Open(name, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockWait})
	if err != nil {
		return false // opening the store will report the reason
	}
	defer db.Close()
	var size int64
	err = db.View(func(tx *bbolt.Tx) error {
		size = tx.Size()
		return nil
	})
	info, statErr := os.Stat(name)
	return err == nil && statErr == nil && size > info.Size()
}

// check returns an error for a damaged read-only store: if files are missing or cut,
// Bleve opens an earlier state.
func (s *store) check() (err error) {
	defer recovered(&err)
	var version []byte
	err = s.read(func(r *scorch.IndexSnapshot) (err error) {
		version, err = r.GetInternal(formatKey)
		return err
	})
	if err != nil {
		return err
	}
	epochs, err := s.RootBoltSnapshotEpochs()
	if err != nil || len(version) == 0 || len(epochs) == 0 {
		return fmt.Errorf("%w (%v)", ErrDamaged, cmp.Or(err, errors.New("nothing can be read")))
	}
	if string(version) != format {
		return fmt.Errorf("it has format %s, and this program knows %s: use the one that made it, "+
			"or remove the folder and index the pages again", printable.Quoted(string(version), 20), format)
	}
	last, err := s.LoadSnapshot(epochs[0])
	if err != nil {
		return fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	return last.Close()
}

// read calls f with the current state of the store.
func (s *store) read(f func(*scorch.IndexSnapshot) error) (err error) {
	defer recovered(&err)
	r, err := s.Reader()
	if err != nil {
		return err
	}
	snapshot, ok := r.(*scorch.IndexSnapshot)
	if !ok || snapshot == nil {
		return ErrClosed
	}
	defer snapshot.Close()
	return f(snapshot)
}

// write writes a batch, and returns when the batch is on the disk.
func (s *store) write(b *bleve.Batch) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- s.explained(err) }()
		defer recovered(&err)
		err = s.Batch(b)
	}()
	select {
	case err := <-done:
		return err
	case <-s.dead:
		return fmt.Errorf("%w (nothing writes to it any more)", ErrDamaged)
	}
}

// close closes the store, once. No read or write may be under way.
func (s *store) close() (err error) {
	defer recovered(&err)
	close(s.stopped)
	defer stores.CompareAndDelete(s.path, s)
	defer s.queue.Close()
	return s.Scorch.Close()
}

// recovered turns a panic into an error: Bleve does not expect truncated or changed
// files.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w (%v)", ErrDamaged, r)
	}
}

var errRemoved = errors.New("the folder was removed or renamed: make the index again")

// explained returns an error of Bleve in our words. Errors of Bleve wrap no others, but
// have their texts after the action that was under way.
func (s *store) explained(err error) error {
	if err == nil {
		return nil
	}
	if _, statErr := os.Stat(s.path); errors.Is(statErr, fs.ErrNotExist) {
		return errRemoved
	}
	if errors.Is(err, bolt.ErrInvalid) || errors.Is(err, bolt.ErrChecksum) || errors.Is(err, bolt.ErrVersionMismatch) {
		return fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	text := err.Error()
	if i := strings.LastIndex(text, " err: "); i >= 0 {
		return errors.New(text[i+len(" err: "):])
	}
	return err
}

// Bleve writes and merges in the background, and reports errors there to functions in a
// single list, by name.
const watcher = "robots"

var (
	watching sync.Once
	stores   sync.Map // open stores, by path
)

func watch() {
	scorch.RegistryAsyncErrorCallbacks[watcher] = func(err error, path string) {
		if s, ok := stores.Load(path); ok {
			s.(*store).watch(err)
		}
	}
}

// watch runs on the Bleve goroutine that had the error. Bleve retries at once and for
// ever, so watch slows it down. It must not stop the goroutine: a caller may wait for
// its result.
func (s *store) watch(err error) {
	switch {
	case errors.Is(err, scorch.ErrAsyncPanic):
		s.broken(fmt.Errorf("%w (%v)", ErrDamaged, err))
		s.died.Do(func() { close(s.dead) })
		return
	case errors.Is(err, scorch.ErrPersist):
		s.broken(s.explained(err))
	}
	select {
	case <-s.stopped:
	case <-time.After(100 * time.Millisecond):
	}
}
