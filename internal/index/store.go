package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
	bolt "go.etcd.io/bbolt/errors"

	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	storeName  = "store"     // the folder of the index of Bleve, in that of ours
	boltName   = "root.bolt" // the file in it that tells what is there
	segmentEnd = ".zap"      // of the names of the others
	format     = "2"         // of the index; another one cannot be read
)

var formatKey = []byte("robots-format")

// openStore opens a store, or makes one. Of what fails beside calls, broken is
// told once or more often.
func openStore(path string, readOnly bool, broken func(error)) (s *store, err error) {
	defer recovered(&err)
	// Where the list of files is missing, Bleve makes an empty one, and removes
	// the files.
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
		queue:   bleve.NewAnalysisQueue(1), // pages come analysed
		stopped: make(chan struct{}),
		dead:    make(chan struct{}),
		broken:  broken,
	}
	opened, err := scorch.NewScorch(scorch.Name, map[string]any{
		"path":                   path,
		"read_only":              readOnly,
		"bolt_timeout":           "300ms", // for the lock; searches hold none
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

// openWhole opens a store to read it, and makes sure that it is ours and whole.
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

// isCut reports whether a file of bbolt ends before its last page. Bbolt maps it into
// memory and reads beyond the end then, which ends the process. Each of the two meta
// pages says at offset 16 what the file is: a magic number, the size of a page, how
// many pages there are, the number of the transaction, and a checksum of all that.
func isCut(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false // who opens it will say why
	}
	defer f.Close()
	const magic, metaSize, sumAt = 0xED0CDAED, 64, 56
	var last, pages uint64
	pageSize := int64(0)
	for at := int64(0); at <= 1<<16; at = max(2*at, 512) { // of pages of any size
		var meta [metaSize]byte
		if _, err := f.ReadAt(meta[:], at+16); err != nil {
			break
		}
		sum := fnv.New64a()
		sum.Write(meta[:sumAt])
		if binary.NativeEndian.Uint32(meta[:]) != magic || binary.NativeEndian.Uint64(meta[sumAt:]) != sum.Sum64() {
			continue // no meta page, or one that is just being written
		}
		if txid := binary.NativeEndian.Uint64(meta[48:]); txid >= last {
			last, pages = txid, binary.NativeEndian.Uint64(meta[40:])
			pageSize = int64(binary.NativeEndian.Uint32(meta[8:]))
		}
	}
	// Another process may write to the file, which gets larger before a meta page says
	// so: its size is asked for last.
	info, err := f.Stat()
	return err == nil && (pages > 1<<40 || int64(pages)*pageSize > info.Size())
}

// check tells what is wrong with a store that is read only: where files are
// missing or cut Bleve opens what was there some time before.
func (s *store) check() (err error) {
	defer recovered(&err)
	version, err := s.version()
	if err != nil {
		return err
	}
	epochs, err := s.RootBoltSnapshotEpochs()
	if err != nil || version == "" || len(epochs) == 0 {
		return fmt.Errorf("%w (%v)", ErrDamaged, cmp.Or(err, errors.New("nothing can be read")))
	}
	if version != format {
		return fmt.Errorf("it has format %s, and this program knows %s: use the one that made it, or remove the folder and index the pages again", printable.Quoted(version, 20), format)
	}
	last, err := s.LoadSnapshot(epochs[0])
	if err != nil {
		return fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	return last.Close()
}

func (s *store) version() (version string, err error) {
	err = s.read(func(r *scorch.IndexSnapshot) error {
		value, err := r.GetInternal(formatKey)
		version = string(value)
		return err
	})
	return version, err
}

// read calls f with what is in the store now.
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

// write writes a batch, and returns when it is on the disk.
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

// close closes the store. Nothing may be read or written meanwhile.
func (s *store) close() (err error) {
	defer recovered(&err)
	s.once.Do(func() {
		close(s.stopped)
		err = s.Scorch.Close()
		s.queue.Close()
		stores.CompareAndDelete(s.path, s)
	})
	return err
}

// recovered makes an error of a panic: Bleve does not expect files that others
// have cut or changed.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w (%v)", ErrDamaged, r)
	}
}

// explained returns an error of Bleve in our words. It has no other errors in it,
// but their texts, after what was done when they came.
func (s *store) explained(err error) error {
	if err == nil {
		return nil
	}
	if _, statErr := os.Stat(s.path); errors.Is(statErr, fs.ErrNotExist) {
		return errors.New("the folder was removed or renamed: make the index again")
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

// Bleve writes and merges beside calls, and has one list of functions, by name,
// that it tells of errors there.
const watcher = "robots"

var (
	watching sync.Once
	stores   sync.Map // those that are open, by path
)

func watch() {
	scorch.RegistryAsyncErrorCallbacks[watcher] = func(err error, path string) {
		if s, ok := stores.Load(path); ok {
			s.(*store).watch(err)
		}
	}
}

// watch is told of an error by the goroutine of Bleve that had it, which tries
// again at once and for ever, so that it has to be slowed down. It must not be
// stopped: somebody may wait for what it does.
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
