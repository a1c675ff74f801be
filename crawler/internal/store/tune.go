package store

import (
	"cmp"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

const (
	// cache is the size in bytes of the cache, besides some 70 MB that the store takes in
	// any case. Without cgo, the garbage collector takes about as much again as all of that.
	cache = 24 << 20
	// spared is the part of the cache that stays unused while the tables have fewer bytes than
	// smallStore, so that a short crawl stays small.
	spared     = 20 << 20
	smallStore = 64 << 20
	// defaultMemtable is the number of bytes of changes in memory, and in a log, before
	// they are written out as tables. A larger memtable means fewer merges; but after a
	// crash, Open has to read all logs.
	defaultMemtable = 8 << 20
	// Commits wait while more memtables than this, or more layers of overlapping tables,
	// are waiting to be written out or merged.
	maxMemtables = 2
	maxLayers    = 12
	// tableSize is the approximate size of a table in bytes. The filter of a table is one
	// block, a quarter of a megabyte if the table has only keys of the seen-set: a filter
	// too large for the cache would be read again for each link.
	tableSize = 4 << 20
)

// options returns the options of Pebble.
func (d *database) options(options Options) *pebble.Options {
	memtable := cmp.Or(options.memtable, defaultMemtable)
	failed := func(err error) { d.disk.fail(err) }
	o := &pebble.Options{
		FS:   d.disk,
		Lock: d.lock,
		// Pebble subtracts the memtables from the size of the cache.
		Cache:              pebble.NewCache(cache + 2*int64(memtable)),
		FormatMajorVersion: pebble.FormatTableFormatV6,
		Logger:             logger{failed},
		MemTableSize:       memtable,
		// Pebble would block a batch for ever if the flush or merge that it waits for
		// failed. So database.room limits commits instead.
		MemTableStopWritesThreshold: 1 << 10,
		L0StopWritesThreshold:       1 << 10,
		L0CompactionThreshold:       4,
		LBaseMaxBytes:               16 << 20, // small, as the data merged into it is small
		MaxOpenFiles:                500,
		BytesPerSync:                1 << 20,
		WALBytesPerSync:             1 << 20,
		EventListener: &pebble.EventListener{
			BackgroundError: failed,
			DataCorruption: func(info pebble.DataCorruptionInfo) {
				d.disk.damaged(fmt.Errorf("%s: %w", info.Path, info.Details))
			},
			WALCreated:    func(pebble.WALCreateInfo) { d.rotated.Store(true) },
			FlushEnd:      func(pebble.FlushInfo) { d.wake() },
			CompactionEnd: func(pebble.CompactionInfo) { d.wake() },
		},
	}
	o.Experimental.CompactionScheduler = &d.merging
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return compression })
	for i := range o.Levels {
		o.TargetFileSizes[i] = tableSize
		o.Levels[i].BlockSize = 4 << 10 // small, as most lookups need one key of a block
		o.Levels[i].IndexBlockSize = 64 << 10
		o.Levels[i].FilterPolicy = filterPolicy
	}
	return o
}

// compression is for the texts of URLs: keys are as good as random. Slower methods make
// tables hardly smaller.
var compression = pebble.DBCompressionFastest

// A logger handles fatal errors of Pebble. Its other messages say nothing that errors do
// not.
type logger struct{ failed func(error) }

func (logger) Infof(string, ...any)  {}
func (logger) Errorf(string, ...any) {}

// Fatalf must not return.
func (l logger) Fatalf(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	l.failed(err)
	panic(err)
}

// wake makes room check again.
func (d *database) wake() {
	select {
	case d.progress <- struct{}{}:
	default:
	}
}

// widen gives the cache its whole size if the tables are no longer small.
func (d *database) widen(m *pebble.Metrics) {
	if d.spare != nil && m.DiskSpaceUsage() >= smallStore {
		d.spare()
		d.spare = nil
	}
}

// room waits until the database has room for more changes. The caller must hold s.mu, so
// that only one goroutine waits.
func (d *database) room() error {
	for d.rotated.Load() {
		if err := d.disk.failure(); err != nil {
			return err
		}
		d.rotated.Store(false)
		m := d.db.Metrics()
		d.widen(m)
		full := m.MemTable.Size > maxMemtables*defaultMemtable || m.Levels[0].Sublevels > maxLayers
		if !full || m.Flush.NumInProgress+m.Compact.NumInProgress == 0 {
			break
		}
		d.rotated.Store(true)
		select {
		case <-d.progress:
		case <-time.After(100 * time.Millisecond): // in case no signal comes
		}
	}
	return nil
}
