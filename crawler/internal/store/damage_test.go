package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestDamagedTables changes the tables of a store at many places, and then reads
// everything: each error must say that the store is damaged.
func TestDamagedTables(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, dir)
	const urls = 400
	b := s.Batch(0)
	for i := range urls {
		it := store.Item{URL: fmt.Sprintf("http://h%d.example/%d", i%7, i)}
		b.Seen(it)
		if i%3 == 0 {
			b.Done(it, store.State{Fetched: time.Now(), Digest: []byte("digest")})
		}
		b.SetHost(fmt.Sprintf("http://h%d.example", i%7), []byte("state"))
	}
	err := errors.Join(b.Commit(1), s.SetMarks(map[string][]byte{"results": []byte("1")}),
		s.Checkpoint(filepath.Join(t.TempDir(), "copy"), ""))
	fatal.If(t, err)
	closed(t, s)
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("there are no tables: %v", err)
	}
	noticed := 0
	for _, name := range tables {
		whole, err := os.ReadFile(name)
		fatal.If(t, err)
		for at := 0; at < len(whole); at += max(1, len(whole)/100) {
			altered := append([]byte(nil), whole...)
			altered[at] ^= 0x10
			fatal.If(t, os.WriteFile(name, altered, 0o666))
			if err := readAll(dir); errors.Is(err, store.ErrDamaged) {
				noticed++
			} else if err != nil {
				t.Errorf("%s, byte %d of %d: %v", filepath.Base(name), at, len(whole), err)
			}
		}
		fatal.If(t, os.WriteFile(name, whole, 0o666))
	}
	if noticed < 50 {
		t.Errorf("only %d alterations were noticed", noticed)
	}
}

// readAll reads all of a store that does not change.
func readAll(dir string) error {
	s, err := store.Open(store.Options{Dir: dir, ReadOnly: true})
	if err != nil {
		return err
	}
	defer s.Close()
	uses := []func() error{
		func() error { return s.Marks(func(string, []byte) error { return nil }) },
		func() error { return s.Hosts(func(store.Host) error { return nil }) },
		func() error { return s.Records(func(store.Entry) error { return nil }) },
		func() error { _, _, err := s.Host(0, "http://h1.example"); return err },
		func() error { _, err := s.Queue(0, "http://h1.example", 100); return err },
		func() error { _, err := s.URL(store.Item{URL: "http://h1.example/1"}); return err },
		func() error { _, err := s.Unseen([]store.Item{{URL: "http://h1.example/8"}}); return err },
	}
	for i, use := range uses {
		if err := use(); err != nil {
			return fmt.Errorf("use %d: %w", i, err)
		}
	}
	return nil
}
