package crawl

import (
	"context"
	"slices"

	"github.com/robotsexclusion/robots/crawl/internal/pace"
	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/fetch"
)

// deadAfter is how many attempts in a row to fetch the robots.txt of a host must have got no
// answer until the crawl no longer waits for the host alone. The second attempt is a minute
// after the first.
const deadAfter = 2

// markLast marks a host for lastTurn if all that is left to do is to wait for hosts of which
// no page was ever fetched, because their robots.txt cannot be. It reports whether it did.
// f.mu must be held.
func (f *frontier) markLast() bool {
	if f.limits.revisits || len(f.leases) > 0 || f.uncommitted > 0 || len(f.parked) > 0 {
		return false
	}
	for _, h := range f.due {
		// Most crawls have a host of another kind among the first.
		if h.reason.Reason != pace.Unreachable || h.counts.pages > 0 || h.spared.Equal(h.at) || len(h.hops) > 0 {
			return false
		}
	}
	f.due[0].last = true
	return true
}

// lastTurn gives up a host that markLast marked, if it is dead and no seed names it.
// Otherwise the host waits as before.
func (v *visitor) lastTurn(ctx context.Context, h *host) {
	h.last = false
	e, err := v.robots.cache.Get(ctx, h.origin)
	dead := err == nil && e != nil && e.State == fetch.Unreachable && e.Status == 0 && e.Failures >= deadAfter
	if dead && !v.isSeeded(h) {
		v.giveUp(h, result.Unreachable)
		v.release(h)
		return
	}
	h.spared = h.at
	v.shard.frontier.release(h, h.at, h.reason)
}

// isSeeded reports whether a URL in the queue of a host was given by a person.
func (v *visitor) isSeeded(h *host) bool {
	items, err := v.shard.store.Queue(h.partition, h.origin, MostQueued)
	if err != nil {
		v.fail(err)
		return true
	}
	isSeed := func(known store.Entry) bool { return known.Item.Via == "" } // it was found nowhere
	return slices.ContainsFunc(h.queue, isSeed) || slices.ContainsFunc(items, isSeed)
}
