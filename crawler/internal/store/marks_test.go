package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func marksOf(t *testing.T, s *store.Store) map[string]string {
	t.Helper()
	all := make(map[string]string)
	fatal.If(t, s.Marks(func(name string, value []byte) error { all[name] = string(value); return nil }))
	return all
}

// TestMarks stores marks and reads them back, over restarts and checkpoints.
func TestMarks(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "store"))
	fatal.If(t, s.SetMarks(map[string][]byte{"results": []byte("1"), "archive/a": {},
		"archive/b": []byte("\x00\xff")}))
	fatal.If(t, s.SetMarks(map[string][]byte{"results": []byte("2"), "archive/b": nil, "none": nil}))
	want := map[string]string{"results": "2", "archive/a": ""}
	if got := marksOf(t, s); !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := s.SetMarks(map[string][]byte{"long": make([]byte, store.MaxMark+1)}); err == nil {
		t.Error("a mark may have any length")
	}
	fatal.If(t, s.Checkpoint(filepath.Join(dir, "checkpoint"), ""))
	if err := s.Check(); err != nil {
		t.Errorf("marks are a fault: %v", err)
	}
	closed(t, s)
	s = open(t, filepath.Join(dir, "store"))
	if got := marksOf(t, s); !maps.Equal(got, want) {
		t.Errorf("opened again: got %q, want %q", got, want)
	}
	closed(t, s)
	fatal.If(t, store.Restore(filepath.Join(dir, "checkpoint"), filepath.Join(dir, "restored")))
	if got := marksOf(t, open(t, filepath.Join(dir, "restored"))); !maps.Equal(got, want) {
		t.Errorf("restored: got %q, want %q", got, want)
	}
}

// TestRebase prepares a store for a new journal, and checks that nothing else changes.
func TestRebase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, dir)
	w := newTwin()
	for n := range 60 {
		w.commit(journal(n))
		fatal.If(t, journal(n).commit(s))
	}
	before := s.Counts()
	fatal.If(t, s.Rebase())
	for range 2 {
		for p := range 256 {
			if n := s.Applied(uint8(p)); n != 0 {
				t.Errorf("partition %d: %d is applied", p, n)
			}
		}
		if got := s.Counts(); got != before {
			t.Errorf("got %+v, want %+v", got, before)
		}
		closed(t, s)
		s = open(t, dir)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// files returns the files of a folder with their contents.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all[strings.TrimPrefix(name, dir)] = string(data)
		return err
	})
	fatal.If(t, err)
	return all
}

// TestCheckpointApart damages every file of a store: its checkpoint stays intact. A
// checkpoint shares unchanged tables with the one before, but nothing with the store.
func TestCheckpointApart(t *testing.T) {
	base := t.TempDir()
	dir, first, second := filepath.Join(base, "store"), filepath.Join(base, "first"), filepath.Join(base, "second")
	s := open(t, dir)
	w := newTwin()
	commit := func(from, to int) {
		for n := from; n < to; n++ {
			w.commit(journal(n))
			fatal.If(t, journal(n).commit(s))
		}
		fatal.If(t, s.Compact())
	}
	commit(0, 100)
	same := func(a, b string) bool {
		x, err := os.Stat(a)
		y, errY := os.Stat(b)
		return err == nil && errY == nil && os.SameFile(x, y)
	}
	// A merge of tables may still be running for a moment.
	for began := time.Now(); ; {
		fatal.If(t, s.Checkpoint(first, ""))
		fatal.If(t, s.Checkpoint(second, first))
		tables, _ := filepath.Glob(filepath.Join(second, "*.sst"))
		shared := 0
		for _, name := range tables {
			if same(name, filepath.Join(dir, filepath.Base(name))) {
				t.Errorf("%s is that of the store", name)
			}
			if same(name, filepath.Join(first, filepath.Base(name))) {
				shared++
			}
		}
		if len(tables) > 0 && shared == len(tables) {
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("%d of %d tables are those of the checkpoint before", shared, len(tables))
		}
		fatal.If(t, errors.Join(os.RemoveAll(first), os.RemoveAll(second)))
	}
	then := w.clone()
	closed(t, s)
	for name := range files(t, dir) {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte("damaged"), 0o666))
	}
	fatal.If(t, os.RemoveAll(first))
	fatal.If(t, store.Restore(second, filepath.Join(base, "restored")))
	r := open(t, filepath.Join(base, "restored"))
	then.compare(t, r)
	if err := r.Check(); err != nil {
		t.Error(err)
	}
}

// TestBegun removes files of a store: Open must not treat the rest as a new, empty store,
// and must not remove it.
func TestBegun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, dir)
	for n := range 100 {
		fatal.If(t, journal(n).commit(s))
	}
	fatal.If(t, s.Compact())
	closed(t, s)
	for name := range files(t, dir) {
		if base := filepath.Base(name); base == "LOCK" || strings.HasPrefix(base, "OPTIONS") ||
			strings.HasPrefix(base, "marker.format") {
			continue
		}
		t.Run(strings.TrimPrefix(name, "/"), func(t *testing.T) {
			cut := filepath.Join(t.TempDir(), "store")
			fatal.If(t, os.CopyFS(cut, os.DirFS(dir)))
			fatal.If(t, os.Remove(filepath.Join(cut, name)))
			before := len(files(t, cut))
			s, err := store.Open(store.Options{Dir: cut})
			if err == nil {
				if n := s.Counts().Seen; n == 0 {
					t.Error("it is taken for a new store")
				}
				closed(t, s)
				return
			}
			if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), cut) {
				t.Errorf("error %v", err)
			}
			if after := len(files(t, cut)); after < before {
				t.Errorf("%d of %d files are left", after, before)
			}
		})
	}
}

// TestReadOnly reads a store without changing a byte, whether it was closed or killed,
// and gets an error if no store exists.
func TestReadOnly(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed=%v", killed), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			s := open(t, dir)
			w := newTwin()
			for n := range 80 {
				w.commit(journal(n))
				fatal.If(t, journal(n).commit(s))
			}
			fatal.If(t, s.Sync())
			if killed {
				to := filepath.Join(t.TempDir(), "store")
				fatal.If(t, os.CopyFS(to, os.DirFS(dir)))
				closed(t, s)
				dir = to
			} else {
				closed(t, s)
			}
			before := files(t, dir)
			r, err := store.Open(store.Options{Dir: dir, ReadOnly: true})
			fatal.If(t, err)
			w.compare(t, r)
			if _, err := store.Open(store.Options{Dir: dir}); !errors.Is(err, store.ErrLocked) {
				t.Errorf("opened twice: %v", err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if after := files(t, dir); !maps.Equal(after, before) {
				t.Error("the folder has changed")
			}
		})
	}
	none := filepath.Join(t.TempDir(), "none")
	if _, err := store.Open(store.Options{Dir: none, ReadOnly: true}); err == nil {
		t.Error("there is none, and it was opened")
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a folder was made")
	}
}
