package crawl

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A shard is a set of partitions with the state of their hosts: the journal and the store, the
// frontier of queued work, and the memo of requests. A run has one shard, which has all partitions,
// or those of its share.
type shard struct {
	config *Config
	home   *home // the journal on a server, or nil
	*stopper

	journal  *journal.Journal
	owned    [partitions]*journal.Partition
	store    *store.Store
	frontier *frontier
	memo     *memo
	share    *share // of a crawl with other workers, or nil

	salt      []byte        // of a new store, or nil
	flush     time.Duration // set by tests: Flush of the journal
	answer    time.Duration // set by tests: Answer of the journal
	streams   int           // set by tests: Streams of the journal
	trimAfter int           // set by tests, instead of the constant
	untrimmed int           // bytes of records since the journal was trimmed
	trimming  sync.Mutex
	trims     sync.WaitGroup
}

// openJournal opens the journal.
func (s *shard) openJournal(ctx context.Context) error {
	o := journal.Options{Dir: s.config.journalDir(), URL: s.config.NATS, Replicas: s.config.Replicas,
		Flush: s.flush, Answer: s.answer, Streams: s.streams, Log: s.config.Log}
	if s.home != nil {
		o.Name = s.home.Name
	}
	j, err := journal.Open(ctx, o)
	if errors.Is(err, journal.ErrLocked) {
		return fmt.Errorf("a crawl already runs in %s: %w", printable.Text(s.config.Dir), ErrInUse)
	}
	if err != nil {
		return s.config.damaged("journal", fmt.Errorf("open the journal: %w", s.config.unreadable(err)))
	}
	s.journal = j
	return nil
}

// inspected is how long a crawl waits for another process to unlock the store.
const inspected = 10 * time.Second

// openStore opens the store. It waits while another process, which inspects the store, has
// the lock.
func (s *shard) openStore(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, inspected)
	defer cancel()
	for {
		opened, err := store.Open(store.Options{Dir: filepath.Join(s.config.Dir, "store"), Salt: s.salt})
		if !errors.Is(err, store.ErrLocked) {
			s.store = opened
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// claim makes this process the owner of all partitions and replays the journal into the store.
func (s *shard) claim(ctx context.Context, mk *marker) error {
	if err := s.claimAll(ctx); err != nil {
		return err
	}
	if err := s.replay(ctx, mk, false); err != nil {
		return fmt.Errorf("replay the journal: %w", err)
	}
	return nil
}

// claimAll makes this process the owner of all partitions.
func (s *shard) claimAll(ctx context.Context) error {
	errs := make([]error, partitions)
	var all sync.WaitGroup
	for p := range partitions {
		all.Go(func() { s.owned[p], errs[p] = s.journal.Claim(ctx, p) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("claim the partitions: %w", err) // the other errors are hardly different
		}
	}
	return nil
}

// journalDir returns the folder of the journal, or "" if the journal is on a server.
func (c *Config) journalDir() string {
	if c.NATS != "" {
		return ""
	}
	return filepath.Join(c.Dir, "journal")
}

// unreadable marks an error of opening the journal as damage, unless the journal is on a server
// or the error has another cause.
func (c *Config) unreadable(err error) error {
	if c.NATS != "" || isElsewhere(err) {
		return err
	}
	return fmt.Errorf("%w: %w", journal.ErrUnreadable, err)
}

// applied returns the positions of the journal up to which the store has applied the records.
func (s *shard) applied() map[*journal.Partition]uint64 {
	positions := make(map[*journal.Partition]uint64, partitions)
	for p, partition := range s.owned {
		positions[partition] = s.store.Applied(uint8(p))
	}
	return positions
}

// replay applies the records of the journal that the store lacks, and writes their missing
// results. After an error, the records read before it are still applied.
func (s *shard) replay(ctx context.Context, mk *marker, repaired bool) error {
	results := mk.results
	size := results.size
	r := &replayer{shard: s, marker: mk, lines: make(map[uint64]bool)}
	err := s.journal.Replay(ctx, s.applied(), func(p *journal.Partition, position uint64, record []byte) error {
		return r.add(uint8(p.Number()), position, record)
	})
	if applyErr := r.apply(); err == nil {
		err = applyErr
	}
	if results.lastLines = nil; err != nil {
		return err
	}
	// A repair has compared the results already, and may have rewritten them.
	if mk.marks.begun && !repaired {
		err = mk.compareResults(results.from, size, r.lines)
	}
	if err == nil {
		results.known = results.size
	}
	return err
}

// close closes the memo, the store and the journal, if they are open.
func (s *shard) close() error {
	var errs []error
	if s.memo != nil {
		errs = append(errs, s.memo.close())
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	if s.journal != nil {
		errs = append(errs, s.journal.Close())
	}
	return errors.Join(errs...)
}
