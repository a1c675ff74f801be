package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// small opens a store with some URLs: queued, done, both, and neither.
func small(t *testing.T) *Store {
	t.Helper()
	s, err := Open(Options{Dir: t.TempDir()})
	fatal.If(t, err)
	t.Cleanup(func() { s.Close() })
	for p := range uint8(3) {
		b := s.Batch(p)
		for i := range 20 {
			it := Item{Partition: p, URL: fmt.Sprintf("http://h%d.example/%d", i%2, i)}
			b.Seen(it)
			switch i {
			case 5:
				b.Done(it, State{Fetched: time.Now()})
			case 6:
				b.Done(it, State{Fetched: time.Now(), Due: time.Now()})
			case 7:
				b.Drop(it)
			}
		}
		b.SetHost("http://h0.example", []byte("state"))
		fatal.If(t, b.Commit(1))
	}
	fatal.If(t, s.Check())
	return s
}

// TestCheck removes keys of each table, and changes values: Check finds each.
func TestCheck(t *testing.T) {
	for _, x := range []struct {
		table byte
		value string // the replacement, or empty to remove the key
		want  string
	}{
		{partTable, "", "has hosts, but no record"},
		{partTable, "\x01\x05\x05\x00\x00\x00\x00\x00", "its hosts have"},
		{partTable, "\x02", "version 2"},
		{hostTable, "", "URLs of no host"},
		{hostTable, "\x01\x01x\x01\x01\x01", "the host x has the key"},
		{stateTable, "\x02", "version 2"},
		{partTable, "\x01\x01\x01\x02\x14\x12\x02\x00", "there is 19 already"},
		{seenTable, "", "and the seen-set says 56"},
		{seenTable, "\x80", "with the value 80"},
		{seenTable, "x", "the record of URL 120: there is none"},
		{urlTable, "", "there is none"},
		{urlTable, "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00", "and not"},
		{urlTable, "\x01\x04", "flags 0x4"},
		{queueTable, "", "but not in its queue"},
	} {
		s := small(t)
		it, err := s.db.NewIter(table(x.table))
		fatal.If(t, err)
		it.First()
		k := append([]byte(nil), it.Key()...)
		if x.table == seenTable { // a key with a record, not the dropped one
			k = withRecord(t, s)
		}
		it.Close()
		if x.value == "" {
			err = s.db.Delete(k, pebble.NoSync)
		} else {
			err = s.db.Set(k, []byte(x.value), pebble.NoSync)
		}
		fatal.If(t, err)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("table %c with %q: error %v, want %s", x.table, x.value, err, x.want)
		}
	}
	for _, k := range []string{"s1234567", "u1234567", "q1234567", "h1234567", "o12345678", "o1"} {
		s := small(t)
		fatal.If(t, s.db.Set([]byte(k), []byte{version}, pebble.NoSync))
		if err := s.Check(); err == nil {
			t.Errorf("no error for the key %s", k)
		}
	}
}

// withRecord returns a key of the seen-set that has a record.
func withRecord(t *testing.T, s *Store) []byte {
	t.Helper()
	it, err := s.db.NewIter(table(seenTable))
	fatal.If(t, err)
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		if len(it.Value()) > 0 {
			return append([]byte(nil), it.Key()...)
		}
	}
	t.Fatal("there are no records")
	return nil
}

// TestDamagedRecord reads records whose bytes were changed: the store reports damage, and
// stops.
func TestDamagedRecord(t *testing.T) {
	uses := []func(s *Store) error{
		func(s *Store) error { _, err := s.Next(0, "http://h0.example", time.Now(), 20); return err },
		func(s *Store) error {
			b := s.Batch(0)
			for i := range 20 {
				b.Drop(Item{URL: fmt.Sprintf("http://h%d.example/%d", i%2, i)})
			}
			return b.Commit(2)
		},
	}
	for _, use := range uses {
		s := small(t)
		it, err := s.db.NewIter(table(urlTable))
		fatal.If(t, err)
		for ok := it.First(); ok; ok = it.Next() {
			fatal.If(t, s.db.Set(it.Key(), []byte{2}, pebble.NoSync))
		}
		it.Close()
		err = use(s)
		want := "the store is damaged, and has stopped: the record of URL "
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		if again := s.Sync(); again == nil || err == nil || again.Error() != err.Error() {
			t.Errorf("error %v, want %v", again, err)
		}
	}
}
