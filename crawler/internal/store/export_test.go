package store

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// On returns options for a store on another file system.
func (o Options) On(fs vfs.FS) Options {
	o.fs = fs
	return o
}

// Small returns options for a store that writes tables after few changes.
func (o Options) Small() Options {
	o.memtable = 32 << 10
	return o
}

// Compact merges all tables into the last level.
func (s *Store) Compact() error {
	return s.db.Compact(context.Background(), []byte{0}, []byte{0xff}, false)
}

// SeenSize returns how many bytes of the disk the seen-set takes.
func (s *Store) SeenSize() (int64, error) {
	n, err := s.db.EstimateDiskUsage(seenLower, seenUpper)
	return int64(n), err
}

// Merging reports whether tables are being written or merged.
func (s *Store) Merging() bool {
	m := s.db.Metrics()
	return m.Flush.NumInProgress+m.Compact.NumInProgress > 0
}

// Work describes the amount of data that Pebble has written.
func (s *Store) Work() string {
	m := s.db.Metrics()
	t := m.Total()
	text := fmt.Sprintf("flushed %d MB, merged %d MB, moved %d MB, %d flushes, %d merges; levels",
		t.TableBytesFlushed>>20, t.TableBytesCompacted>>20, t.TableBytesMoved>>20, m.Flush.Count, m.Compact.Count)
	for _, l := range m.Levels {
		text += fmt.Sprintf(" %d:%d/%dMB", l.Sublevels, l.TablesCount, l.TablesSize>>20)
	}
	return text
}
