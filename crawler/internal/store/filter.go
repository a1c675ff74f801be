package store

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

// A filter is a Bloom filter of ten bits a key, for the tables that are asked for missing
// keys. Records are looked up only if they exist, and queues are only iterated: with
// their keys, filters would take three times the room in memory.
type filter struct{ bloom.FilterPolicy }

var filterPolicy pebble.FilterPolicy = filter{10}

// filtered reports whether the filter includes a key.
func filtered(key []byte) bool {
	return len(key) == 0 || key[0] != urlTable && key[0] != queueTable
}

// Name implements [pebble.FilterPolicy]. The name is stored in each file.
func (filter) Name() string { return "robots.store.bloom" }

// MayContain implements [pebble.FilterPolicy].
func (f filter) MayContain(t pebble.FilterType, known, key []byte) bool {
	return !filtered(key) || f.FilterPolicy.MayContain(t, known, key)
}

// NewWriter implements [pebble.FilterPolicy].
func (f filter) NewWriter(t pebble.FilterType) pebble.FilterWriter {
	return filterWriter{f.FilterPolicy.NewWriter(t)}
}

type filterWriter struct{ pebble.FilterWriter }

// AddKey implements [pebble.FilterWriter].
func (w filterWriter) AddKey(key []byte) {
	if filtered(key) {
		w.FilterWriter.AddKey(key)
	}
}
