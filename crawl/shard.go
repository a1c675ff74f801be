package crawl

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/journal"
	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A shard is a set of partitions with all that is known of their hosts: the journal and the
// store of what is done, the frontier of what is left to do, and the memo of what hosts are
// owed. A run has one shard, which has all partitions.
type shard struct {
	config *Config
	*stopper

	journal  *journal.Journal
	owned    [partitions]*journal.Partition
	store    *store.Store
	frontier *frontier
	memo     *memo

	trimAfter int // of tests, instead of the constant
	untrimmed int // bytes of records since the journal was trimmed
	trimming  sync.Mutex
	trims     sync.WaitGroup
}

// openJournal opens the journal.
func (s *shard) openJournal(ctx context.Context) error {
	j, err := journal.Open(ctx, journal.Options{Dir: s.config.journalDir(), URL: s.config.NATS, Log: s.config.Log})
	if errors.Is(err, journal.ErrLocked) {
		return fmt.Errorf("a crawl already runs in %s: %w", printable.Text(s.config.Dir), ErrInUse)
	}
	if err != nil {
		return s.config.damaged("journal", fmt.Errorf("open the journal: %w", s.config.unreadable(err)))
	}
	s.journal = j
	return nil
}

// inspected is how long a crawl waits for somebody who looks into its folder.
const inspected = 10 * time.Second

// openStore opens the store, once nobody looks into it any more.
func (s *shard) openStore(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, inspected)
	defer cancel()
	for {
		opened, err := store.Open(store.Options{Dir: filepath.Join(s.config.Dir, "store")})
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
			return fmt.Errorf("claim the partitions: %w", err) // the others hardly say anything else
		}
	}
	return nil
}

// journalDir returns the folder of the journal, unless that is elsewhere.
func (c *Config) journalDir() string {
	if c.NATS != "" {
		return ""
	}
	return filepath.Join(c.Dir, "journal")
}

// unreadable marks an error of opening a journal in the folder as one of damage, unless it
// comes of something else.
func (c *Config) unreadable(err error) error {
	if c.NATS != "" || isElsewhere(err) {
		return err
	}
	return fmt.Errorf("%w: %w", journal.ErrUnreadable, err)
}

// applied returns the positions of the journal up to which the store has its records.
func (s *shard) applied() map[*journal.Partition]uint64 {
	positions := make(map[*journal.Partition]uint64, partitions)
	for p, partition := range s.owned {
		positions[partition] = s.store.Applied(uint8(p))
	}
	return positions
}

// replay applies the records of the journal that the store does not have, and tells their
// results again. After an error, what was read before it is applied.
func (s *shard) replay(ctx context.Context, mk *marker, repaired bool) error {
	results := mk.results
	size := results.size
	r := &replaying{shard: s, marker: mk, told: make(map[uint64]bool)}
	err := s.journal.Replay(ctx, s.applied(), func(p *journal.Partition, position uint64, record []byte) error {
		return r.add(uint8(p.Number()), position, record)
	})
	if applyErr := r.apply(); err == nil {
		err = applyErr
	}
	if results.told = nil; err != nil {
		return err
	}
	// A repair has compared them, and may have made the results anew.
	if mk.marks.begun && !repaired {
		err = mk.compareTold(results.from, size, r.told)
	}
	if err == nil {
		results.known = results.size
	}
	return err
}

// close closes what is open.
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
