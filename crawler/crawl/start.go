package crawl

import (
	"fmt"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
)

// recall applies the memo of a killed process to the hosts.
func (c *run) recall() error {
	all, whole, err := c.shard.memo.read()
	if err != nil {
		return fmt.Errorf("read the memo: %w", err)
	}
	now := time.Now()
	if c.killed && (!whole || c.shard.memo.length() < c.marker.marks.files[markMemo].Size) {
		c.Log.Warn("the memo of pauses is damaged: all hosts get a first pause", "file", memoName)
		c.shard.frontier.interruptAll(now)
	}
	if s := c.shard.share; s != nil {
		// The memo stays as it is until the end: what it says is kept with the partitions.
		for _, o := range all {
			s.owed[o.partition] = append(s.owed[o.partition], o)
		}
		return nil
	}
	for _, o := range all {
		h, err := c.shard.frontier.recalled(o)
		if err != nil {
			return err
		}
		if o.open {
			h.pace.Interrupt(c.pauses(), now)
		} else {
			h.pace.Resume(now)
		}
		c.shard.frontier.reconsider(h, now)
		c.committer.saveHost(h)
	}
	return c.committer.wait()
}

// seed adds seeds to the crawl, to its territory and to the queue. If the crawl is interrupted, the
// next run queues the rest.
func (c *run) seed(seeds []string) error {
	var urls []weburl.URL
	for _, s := range seeds {
		u, err := weburl.Links.Parse(s)
		if err != nil {
			return err
		}
		if c.working.Err() != nil {
			return errInterrupted // nothing of them was kept
		}
		urls = append(urls, u)
	}
	if err := c.adoptSeeds(urls); err != nil {
		return err
	}
	for some := range slices.Chunk(urls, seedsAtOnce) {
		if c.working.Err() != nil {
			c.unqueued = true
			return errInterrupted
		}
		o := &outcome{}
		for _, u := range some {
			o.links = append(o.links, link{item: store.Item{Partition: partitionOf(u), URL: u.String()}})
		}
		c.committer.send(o)
	}
	return c.committer.wait()
}

// seedsAtOnce is the number of seeds that are queued at once.
const seedsAtOnce = 1000
