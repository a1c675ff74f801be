package crawl

import (
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
)

// openFrontier creates the frontier and loads the hosts that have a queue in the store.
func (c *run) openFrontier() error {
	from := &hostReader{c.shard.store, &c.sites}
	c.shard.frontier = newFrontier(frontierLimits{pauses: *c.pauses(), perAddress: c.PerAddress, own: c.Own,
		revisits: c.Revisits != nil, shared: c.shard.share != nil}, from.stored)
	c.shard.frontier.tenures.forgotten = func(h *host) { h.putBack(c.shard.store) }
	if c.shard.share != nil {
		return nil // hosts are loaded with their partitions
	}
	now := time.Now()
	refused := c.shard.store.Refused()
	c.tally.addAll(refused[:])
	return c.shard.store.Hosts(func(s store.Host) error {
		if s.Queued == 0 {
			c.tally.addAll(countsOf(s.State).reasons[:])
			return nil
		}
		h, err := from.host(s)
		if err != nil {
			return err
		}
		c.tally.addAll(h.counts.reasons[:])
		c.shard.frontier.load(h, s.FirstDue, now)
		return nil
	})
}

// A hostReader reads hosts from the store.
type hostReader struct {
	store *store.Store
	sites *sites
}

// stored returns a host in its stored state, or a new host if the store has none.
func (r *hostReader) stored(origin string, partition uint8) (*host, error) {
	s, ok, err := r.store.Host(partition, origin)
	if err != nil {
		return nil, err
	}
	if !ok {
		s = store.Host{Origin: origin, Partition: partition}
	}
	return r.host(s)
}

// host returns a host in its stored state, and adds the cost of its site to the sites.
func (r *hostReader) host(s store.Host) (*host, error) {
	h, err := newHost(s)
	if err == nil && h.yields.site > 0 {
		if u, err := weburl.Exact.Parse(s.Origin + "/"); err == nil {
			r.sites.recall(u.Domain(), h.yields.site)
		}
	}
	return h, err
}
