package crawl

import (
	"context"
	"slices"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
)

// deadAfter is the number of failed attempts in a row, all without an answer, to fetch a
// host's robots.txt, after which the crawl no longer waits for that host alone. The second
// attempt follows the first after a minute.
const deadAfter = 2

// markLast marks a host for lastTurn if the crawl only waits for hosts without a fetched page,
// whose robots.txt is unreachable. It reports whether it marked a host. f.mu must be held.
func (f *frontier) markLast() bool {
	if f.limits.revisits || f.limits.shared || len(f.leases) > 0 || f.uncommitted > 0 || len(f.addresses.parked) > 0 ||
		f.due.first() == nil {
		return false
	}
	for _, h := range f.due.heap {
		// Most crawls find a host of another kind among the first, so the loop is short.
		if h.reason.Reason != pace.Unreachable || h.counts.pages > 0 || h.spared.Equal(h.at) || len(h.hops) > 0 {
			return false
		}
	}
	f.due.first().last = true
	return true
}

// lastTurn drops the queue of a host that markLast marked, if the host is dead and no seed
// names it. Otherwise the host waits as before.
func (v *visitor) lastTurn(ctx context.Context, h *host) {
	h.last = false
	e, err := v.robots.cache.Get(ctx, h.origin)
	dead := err == nil && e != nil && e.State == fetch.Unreachable && e.Status == 0 && e.Failures >= deadAfter
	if dead && !v.isSeeded(h) {
		v.giveUp(h, result.Unreachable, nil)
		v.release(h)
		return
	}
	h.spared = h.at
	v.shard.frontier.release(h, h.at, h.reason)
}

// isSeeded reports whether a host has a seed in its queue.
func (v *visitor) isSeeded(h *host) bool {
	items, err := v.shard.store.Queue(h.partition, h.origin, maxQueued)
	if err != nil {
		v.fail(err)
		return true
	}
	isSeed := func(known store.Entry) bool { return known.Item.Via == "" } // no page linked to it
	return slices.ContainsFunc(h.queue, isSeed) || slices.ContainsFunc(items, isSeed)
}
