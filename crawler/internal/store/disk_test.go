package store_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A fullDisk is a file system with room for a limited number of writes.
type fullDisk struct {
	vfs.FS
	room atomic.Int64
}

// write writes, if there is room.
func (d *fullDisk) write() error {
	if d.room.Add(-1) < 0 {
		return syscall.ENOSPC
	}
	return nil
}

func (d *fullDisk) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return d.file(name, func() (vfs.File, error) { return d.FS.Create(name, c) })
}

func (d *fullDisk) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return d.file(name, func() (vfs.File, error) { return d.FS.ReuseForWrite(old, name, c) })
}

func (d *fullDisk) file(name string, make func() (vfs.File, error)) (vfs.File, error) {
	if err := d.write(); err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := make()
	return &fullFile{f, d, name}, err
}

// A fullFile is a file on a full disk.
type fullFile struct {
	vfs.File
	disk *fullDisk
	name string
}

// Write writes a part if the room is not enough for all.
func (f *fullFile) Write(p []byte) (int, error) {
	if err := f.disk.write(); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, &os.PathError{Op: "write", Path: f.name, Err: err}
	}
	return f.File.Write(p)
}

func (f *fullFile) Sync() error     { return f.sync(f.File.Sync) }
func (f *fullFile) SyncData() error { return f.sync(f.File.SyncData) }

func (f *fullFile) sync(do func() error) error {
	if err := f.disk.write(); err != nil {
		return &os.PathError{Op: "sync", Path: f.name, Err: err}
	}
	return do()
}

// TestFullDisk fills the disk at any moment: at any write of a log, of a table, or of the
// list of tables. In each case, every call returns an error that says so, the store can
// be closed, and after room was made, the store equals a prefix of the steps.
func TestFullDisk(t *testing.T) {
	const steps = 200
	options := store.Options{Dir: "/crawl/store", SyncEvery: -1}.Small()
	// The number of writes without a limit.
	disk := &fullDisk{FS: vfs.NewMem()}
	const plenty = 1 << 40
	disk.room.Store(plenty)
	fillDisk(t, options, disk, steps)
	all := plenty - disk.room.Load()
	random := rand.New(rand.NewPCG(9, 9))
	tries := 40
	if testing.Short() {
		tries = 8
	}
	failed := 0
	for try := range tries {
		disk := &fullDisk{FS: vfs.NewMem()}
		room := random.Int64N(all)
		disk.room.Store(room)
		synced, ended := fillDisk(t, options, disk, steps)
		if ended {
			continue // the background was slower this time
		}
		failed++
		s, err := store.Open(options.On(disk.FS))
		if err != nil {
			t.Fatalf("try %d, room for %d writes: %v", try, room, err)
		}
		n, w := prefix(t, s, journal, steps)
		w.compare(t, s)
		if n < synced {
			t.Errorf("room for %d writes: there are %d steps, and %d were synced", room, n, synced)
		}
		closed(t, s)
	}
	if failed < tries/2 {
		t.Errorf("only %d of %d disks got full", failed, tries)
	}
}

// TestFullWhileOpening opens a store that was killed on a disk that gets full at any write of that:
// Open returns the error, and the store is whole when there is room again.
func TestFullWhileOpening(t *testing.T) {
	const steps = 60
	options := store.Options{Dir: "/crawl/store", SyncEvery: -1}.Small()
	fs := vfs.NewCrashableMem()
	s, err := store.Open(options.On(fs))
	fatal.If(t, err)
	for n := range steps {
		fatal.If(t, journal(n).commit(s))
	}
	fatal.If(t, s.Sync())
	killed := func() *vfs.MemFS {
		return fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(1, 2))})
	}
	defer s.Close()
	failed := 0
	for room := int64(0); ; room++ {
		disk := &fullDisk{FS: killed()}
		disk.room.Store(room)
		s, err := store.Open(options.On(disk))
		if err == nil {
			s.Close()
			break
		}
		wantFull(t, err)
		failed++
		again, err := store.Open(options.On(disk.FS))
		if err != nil {
			t.Fatalf("room for %d writes: %v", room, err)
		}
		n, w := prefix(t, again, journal, steps)
		w.compare(t, again)
		if closed(t, again); n != steps {
			t.Errorf("room for %d writes: %d steps are there", room, n)
		}
	}
	if failed < 10 {
		t.Errorf("only %d of the disks got full", failed)
	}
}

// fillDisk commits steps of the journal until the disk is full. It returns the number of
// synced steps, and whether all steps had room.
func fillDisk(t *testing.T, options store.Options, disk *fullDisk, steps int) (synced int, ended bool) {
	t.Helper()
	s, err := store.Open(options.On(disk))
	if err != nil {
		wantFull(t, err)
		return 0, false
	}
	for n := range steps {
		err := journal(n).commit(s)
		if err == nil && n%50 == 49 {
			if err = s.Sync(); err == nil {
				synced = n + 1
			}
		}
		if err != nil {
			wantFull(t, err)
			_, err = s.Unseen([]store.Item{made(1)})
			wantFull(t, err)
			_, err = s.Next(0, made(0).Host(), at(0), 1)
			wantFull(t, err)
			wantFull(t, journal(n).commit(s))
			wantFull(t, s.Checkpoint(filepath.Join(t.TempDir(), "checkpoint"), ""))
			wantFull(t, s.Close())
			if err := s.Close(); err != nil {
				t.Errorf("second Close: %v", err)
			}
			return synced, false
		}
	}
	if err := s.Close(); err != nil {
		wantFull(t, err)
		return synced, false
	}
	return steps, true
}

func wantFull(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "store has stopped: ") ||
		strings.Count(err.Error(), "no space left") != 1 || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
}

// TestRemoved removes or replaces the folder of an open store.
func TestRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not remove files that are open")
	}
	for _, replace := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "store")
		s := open(t, dir)
		fatal.If(t, journal(0).commit(s))
		fatal.If(t, os.Rename(dir, dir+".gone"))
		want := "was removed while it was in use"
		if replace {
			fatal.If(t, os.CopyFS(dir, os.DirFS(dir+".gone")))
			want = "there is another in its place"
		}
		err := journal(1).commit(s)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("commit: error %v, want %s", err, want)
		}
		if again := s.Sync(); again == nil || err == nil || again.Error() != err.Error() {
			t.Errorf("sync: error %v, want %v", again, err)
		}
		if err := s.Close(); err == nil {
			t.Error("no error from Close")
		}
		s = open(t, dir+".gone")
		_, w := prefix(t, s, journal, 2)
		w.compare(t, s)
	}
}

// TestGoroutines checks that no goroutine outlives Close, whether the disk is full or
// not: synctest waits for all of them.
func TestGoroutines(t *testing.T) {
	for _, room := range []int64{1 << 40, 120, 40} {
		synctest.Test(t, func(t *testing.T) {
			disk := &fullDisk{FS: vfs.NewMem()}
			disk.room.Store(room)
			fillDisk(t, store.Options{Dir: "/crawl/store"}.Small(), disk, 200)
		})
	}
}
