package crawl

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
)

// trimAfter is after how many bytes of new records the journal is trimmed: as many as a start
// replays within some seconds.
const trimAfter = 64 << 20

// countRecord counts bytes of records that the journal and the store both have, and trims the
// journal in the background once there are enough.
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

// largeEnough returns how many bytes of records a large store takes between two checkpoints: a
// quarter of its own size, so that copying its tables costs a fraction of writing them. The
// journal grows no larger than that.
func (s *shard) largeEnough(least int) int {
	size, err := s.store.Size()
	if err != nil {
		return least
	}
	return max(least, int(size/4))
}

// trim removes the records from the journal that the store has applied. The store must first be
// synced to the disk and copied to its checkpoint: the checkpoint and the journal are always
// enough to rebuild the store. A journal on a server keeps all records, for a machine that takes
// over from another machine, and needs no checkpoint.
func (s *shard) trim() error {
	if s.config.NATS != "" {
		return nil
	}
	upTo := make(map[*journal.Partition]uint64, partitions)
	for p, partition := range s.owned {
		upTo[partition] = s.store.Applied(uint8(p))
	}
	if err := s.store.Sync(); err != nil {
		return fmt.Errorf("sync the store: %w", err)
	}
	if err := s.checkpoint(); err != nil {
		return err
	}
	if err := s.journal.Trim(context.Background(), upTo); err != nil {
		return fmt.Errorf("trim the journal: %w", err)
	}
	return nil
}
