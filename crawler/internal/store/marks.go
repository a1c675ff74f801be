package store

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// MaxMark is the maximum length in bytes of the name of a mark, and of its value.
const MaxMark = 64 << 10

// SetMarks stores notes of the caller, by name, beside the state of URLs: facts about
// other files that must hold as long as the store keeps its present state. A nil value
// removes a mark. Marks are written after all earlier commits, so that after a loss of
// power they are never newer than the rest.
func (s *Store) SetMarks(marks map[string][]byte) error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	w := s.db.NewBatch()
	defer w.Close()
	for name, value := range marks {
		if len(name) > MaxMark || len(value) > MaxMark {
			return fmt.Errorf("%s: a mark of more than %d bytes", s.dir, MaxMark)
		}
		var err error
		if value == nil {
			err = w.Delete(in(markTable, []byte(name)), nil)
		} else {
			err = w.Set(in(markTable, []byte(name)), append([]byte{version}, value...), nil)
		}
		if err != nil {
			return err
		}
	}
	if err := s.db.Apply(w, pebble.NoSync); err != nil {
		s.disk.fail(err)
	}
	return s.disk.failure()
}

// Marks calls fn for each mark, in the order of their names.
func (s *Store) Marks(fn func(name string, value []byte) error) error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	it, err := s.db.NewIter(table(markTable))
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		name, value := string(it.Key()[1:]), bytes.Clone(it.Value())
		if len(value) == 0 || value[0] != version {
			return s.wrap("read marks", fmt.Errorf("the mark %q has no known version", name))
		}
		if err := fn(name, slices.Clip(value[1:])); err != nil {
			return err
		}
	}
	return s.wrap("read marks", it.Error())
}

// Rebase prepares the store for a new journal: no record of that journal counts as
// applied.
func (s *Store) Rebase() error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.db.NewBatch()
	defer w.Close()
	parts := s.parts
	for i := range parts {
		if parts[i] == (part{}) {
			continue
		}
		parts[i].applied = 0
		if err := w.Set([]byte{partTable, byte(i)}, parts[i].append(nil), nil); err != nil {
			return err
		}
	}
	if err := s.db.Apply(w, pebble.Sync); err != nil {
		s.disk.fail(err)
	}
	if err := s.disk.failure(); err != nil {
		return err
	}
	s.parts = parts
	return nil
}

// Records calls fn for each URL that is queued or was visited, in order of discovery.
func (s *Store) Records(fn func(Entry) error) error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	it, err := s.db.NewIter(table(urlTable))
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		r := new(record)
		if err == nil {
			err = r.decode(value)
		}
		if err != nil {
			return s.wrap(fmt.Sprintf("the record with the key %x", it.Key()), err)
		}
		if err := fn(r.entry()); err != nil {
			return err
		}
	}
	return s.wrap("read records", it.Error())
}
