package crawl

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots/crawl/internal/journal"
)

// trimAfter is how many bytes of records may come into the journal until those that
// the store has are let go of: as many as are read again within some seconds.
const trimAfter = 64 << 20

// countRecord counts bytes of records that are in the journal and in the store, and trims
// the journal beside the crawl where there are enough of them.
func (s *shard) countRecord(size int) {
	most := s.trimAfter
	if most == 0 {
		most = trimAfter
	}
	s.untrimmed += size
	if s.untrimmed < most || s.untrimmed < s.largeEnough(most) || !s.trimming.TryLock() {
		return
	}
	s.untrimmed = 0
	s.trims.Go(func() {
		defer s.trimming.Unlock()
		if err := s.trim(); err != nil {
			s.fail(err)
		}
	})
}

// largeEnough returns how many bytes of records a large store has until the next
// checkpoint: a quarter of its own size, so that copies of its tables cost a fraction of what
// it costs to write them. The journal is no larger than that.
func (s *shard) largeEnough(least int) int {
	size, err := s.store.Size()
	if err != nil {
		return least
	}
	return max(least, int(size/4))
}

// trim lets go of the records of the journal that the store has, once they are on the
// disk there, and in the checkpoint of the store: that and the journal are always enough
// to make the store again. A journal on a server keeps all records, for the machine that takes over
// from another machine, and needs no checkpoint.
func (s *shard) trim() error {
	if s.config.NATS != "" {
		return nil
	}
	upTo := make(map[*journal.Partition]uint64, partitions)
	for p, partition := range s.owned {
		upTo[partition] = s.store.Applied(uint8(p))
	}
	if err := s.store.Sync(); err != nil {
		return fmt.Errorf("bring the store to the disk: %w", err)
	}
	if err := s.checkpoint(); err != nil {
		return err
	}
	if err := s.journal.Trim(context.Background(), upTo); err != nil {
		return fmt.Errorf("let go of old records of the journal: %w", err)
	}
	return nil
}
