package crawl

import (
	"fmt"
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
	for _, o := range all {
		h, err := c.shard.frontier.recalled(o)
		if err != nil {
			return err
		}
		if o.open {
			h.pace.Interrupt(&c.Pauses, now)
		} else {
			h.pace.Resume(now)
		}
		c.shard.frontier.reconsider(h, now)
		c.committer.saveHost(h)
	}
	return c.committer.wait()
}

// seed adds seeds to the crawl, to its territory and to the queue.
func (c *run) seed(seeds []string) error {
	var urls []weburl.URL
	for _, s := range seeds {
		u, err := weburl.Links.Parse(s)
		if err != nil {
			return err
		}
		urls = append(urls, u)
	}
	if err := c.adoptSeeds(urls); err != nil {
		return err
	}
	o := &outcome{}
	for _, u := range urls {
		o.links = append(o.links, link{item: store.Item{Partition: partitionOf(u), URL: u.String()}})
		if len(o.links) == 1000 {
			c.committer.send(o)
			o = &outcome{}
		}
	}
	if len(o.links) > 0 {
		c.committer.send(o)
	}
	return c.committer.wait()
}
