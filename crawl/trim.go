package crawl

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots/crawl/journal"
)

// trimAfter is how many bytes of records may come into the journal until those that
// the store has are let go of: as many as are read again within some seconds.
const trimAfter = 64 << 20

// noted counts bytes of records that are in the journal and in the store, and trims
// the journal beside the crawl where there are enough of them.
func (c *Crawler) noted(octets int) {
	most := c.trimAfter
	if most == 0 {
		most = trimAfter
	}
	if c.untrimmed += octets; c.untrimmed < most || !c.trimming.TryLock() {
		return
	}
	c.untrimmed = 0
	c.trims.Go(func() {
		defer c.trimming.Unlock()
		if err := c.trim(); err != nil {
			c.fail(err)
		}
	})
}

// trim lets go of the records of the journal that the store has, once they are on the
// disk there: the store is the checkpoint. A journal on a server keeps them, for
// whoever takes over from another machine.
func (c *Crawler) trim() error {
	if c.NATS != "" {
		return nil
	}
	upTo := make(map[*journal.Partition]uint64, partitions)
	for p, partition := range c.owned {
		upTo[partition] = c.store.Applied(uint8(p))
	}
	if err := c.store.Sync(); err != nil {
		return fmt.Errorf("bring the store to the disk: %w", err)
	}
	if err := c.journal.Trim(context.Background(), upTo); err != nil {
		return fmt.Errorf("let go of old records of the journal: %w", err)
	}
	return nil
}
