package store

import (
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

const (
	defaultCache = 24 << 20
	// defaultMemtable is how many bytes of changes are in memory, and in a log,
	// before tables are made of them. The more, the less often these are merged; but
	// after a crash, all that is in logs has to be read before the store is open.
	defaultMemtable = 8 << 20
	// Commits wait while more than so many memtables, or layers of tables that
	// overlap, are there to be written out or merged.
	maxMemtables = 4
	maxLayers    = 12
	// tableSize is how many bytes tables have, about. The filter of a table is one
	// block, of a quarter of a megabyte then if there are only keys of the seen-set:
	// one that is too large for the cache would be read again for each link.
	tableSize = 4 << 20
)

// options returns the options of Pebble.
func (d *database) options(options Options) *pebble.Options {
	cache, memtable := options.Cache, options.memtable
	if cache <= 0 {
		cache = defaultCache
	}
	if memtable == 0 {
		memtable = defaultMemtable
	}
	failed := func(err error) { d.disk.fail(err) }
	o := &pebble.Options{
		FS:   d.disk,
		Lock: d.lock,
		// Pebble takes the memtables off this.
		Cache:              pebble.NewCache(cache + 2*int64(memtable)),
		FormatMajorVersion: pebble.FormatTableFormatV6,
		Logger:             logger{failed},
		MemTableSize:       memtable,
		// Pebble would hold up a batch for ever if what it waits for failed. So
		// this is done by database.room, which does not.
		MemTableStopWritesThreshold: 1 << 10,
		L0StopWritesThreshold:       1 << 10,
		L0CompactionThreshold:       4,
		LBaseMaxBytes:               16 << 20, // as it is small what is merged into it
		MaxOpenFiles:                500,
		BytesPerSync:                1 << 20,
		WALBytesPerSync:             1 << 20,
		EventListener: &pebble.EventListener{
			BackgroundError: failed,
			DataCorruption:  func(info pebble.DataCorruptionInfo) { d.disk.damaged(fmt.Errorf("%s: %w", info.Path, info.Details)) },
			WALCreated:      func(pebble.WALCreateInfo) { d.rotated.Store(true) },
			FlushEnd:        func(pebble.FlushInfo) { d.wake() },
			CompactionEnd:   func(pebble.CompactionInfo) { d.wake() },
		},
	}
	o.Experimental.CompactionScheduler = &d.merging
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return compression })
	for i := range o.Levels {
		o.TargetFileSizes[i] = tableSize
		o.Levels[i].BlockSize = 4 << 10 // of which most lookups need one key
		o.Levels[i].IndexBlockSize = 64 << 10
		o.Levels[i].FilterPolicy = filterPolicy
	}
	return o
}

// compression is for the texts of URLs: keys are as good as random. Slower ones make
// tables hardly smaller.
var compression = pebble.DBCompressionFastest

// A logger is for what Pebble cannot go on after. Other messages say nothing that
// errors do not.
type logger struct{ failed func(error) }

func (logger) Infof(string, ...any)  {}
func (logger) Errorf(string, ...any) {}

// Fatalf must not return.
func (l logger) Fatalf(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	l.failed(err)
	panic(err)
}

// wake lets room look again.
func (d *database) wake() {
	select {
	case d.progress <- struct{}{}:
	default:
	}
}

// room waits until there is room for more changes. Nobody else waits here, because
// the caller holds the lock of all changes.
func (d *database) room() error {
	for d.rotated.Load() {
		if err := d.disk.failure(); err != nil {
			return err
		}
		d.rotated.Store(false)
		m := d.db.Metrics()
		full := m.MemTable.Size > maxMemtables*defaultMemtable || m.Levels[0].Sublevels > maxLayers
		if !full || m.Flush.NumInProgress+m.Compact.NumInProgress == 0 {
			break
		}
		d.rotated.Store(true)
		select {
		case <-d.progress:
		case <-time.After(100 * time.Millisecond): // in case that nothing is to come
		}
	}
	return nil
}
