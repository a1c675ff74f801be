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

	"github.com/robotsexclusion/robots/crawl/store"
)

// files returns the files of a folder, with what is in them.
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
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestReadOnly looks into a store without changing a byte, whether it was closed or
// killed, and refuses where there is none.
func TestReadOnly(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed=%v", killed), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			s := open(t, dir)
			w := newTwin()
			for n := range 80 {
				w.commit(journal(n))
				if err := journal(n).commit(s); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Sync(); err != nil {
				t.Fatal(err)
			}
			if killed {
				to := filepath.Join(t.TempDir(), "store")
				if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				closed(t, s)
				dir = to
			} else {
				closed(t, s)
			}
			before := files(t, dir)
			r, err := store.Open(store.Options{Dir: dir, ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
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
