package store

import (
	"context"

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

// Compact brings all into its last place.
func (s *Store) Compact() error {
	return s.db.Compact(context.Background(), []byte{0}, []byte{0xff}, false)
}

// SeenSize returns how many octets of the disk the seen-set takes.
func (s *Store) SeenSize() (int64, error) {
	n, err := s.db.EstimateDiskUsage(seenLower, seenUpper)
	return int64(n), err
}
