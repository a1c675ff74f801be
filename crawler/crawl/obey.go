package crawl

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
)

// updateRules makes a hop, or updates the policy of a leased host. It reports whether the turn goes
// on. Otherwise updateRules has parked or released the host.
func (v *visitor) updateRules(ctx context.Context, h *host, hop bool, now time.Time) bool {
	// A request for robots.txt takes a place at the address like any other.
	addr := v.addressOf(ctx, h)
	if addr.IsValid() && v.shard.frontier.park(h, addr) {
		return false
	}
	done := true
	if hop {
		v.makeHop(ctx, h)
	} else {
		asked, ok := v.askRobots(ctx, h)
		done = asked || !ok
	}
	if done || h.pace.Wait(v.config.pauses(), now).Until(now) > 0 {
		v.release(h)
		return false
	}
	return true
}

// hasRules reports whether the rules of a host are known well enough for its next request: they
// are fresh, or from the host's last request, after which a page had to wait for the host's pause.
// Otherwise a host whose pauses are longer than its robots.txt stays fresh would be asked for
// nothing else.
func (v *visitor) hasRules(ctx context.Context, h *host, now time.Time) bool {
	if !h.asked {
		return h.group != nil && now.Before(h.fresh)
	}
	if h.group == nil { // too long to stay in memory
		e, err := v.robots.cache.Get(ctx, h.origin)
		if err != nil || e == nil || e.State != fetch.OK {
			return false
		}
		h.group = e.File.Policy.For(v.tokens...)
	}
	return true
}

// askRobots updates the policy of a host. It reports whether it made a request, and whether the
// host has a policy in force.
func (v *visitor) askRobots(ctx context.Context, h *host) (asked, ok bool) {
	now := time.Now()
	r, p, err := v.robots.fetch(ctx, h, &hop{of: h})
	if p != nil {
		v.committer.saveHost(h) // the request is over
		v.queueHop(p)
		return true, false
	}
	asked = r.Source == fetch.Fetched || r.Source == fetch.Revalidated || r.Source == fetch.Stale &&
		r.CheckedAt.After(now)
	return asked, v.obey(ctx, h, &robotsAnswer{result: r, err: err, asked: asked})
}

// A robotsAnswer is the outcome of a fetch of robots.txt.
type robotsAnswer struct {
	result fetch.Result
	err    error
	asked  bool // a request was made, so the result is new
	resume *hop // instead of a result: another worker has made the request before this hop; or nil
}

// obey puts an answer in force for its host. It reports whether the host has a policy in force.
func (v *visitor) obey(ctx context.Context, h *host, a *robotsAnswer) (ok bool) {
	now, r, err := time.Now(), a.result, a.err
	switch refused := (*fetch.RefusedError)(nil); {
	case errors.As(err, &refused):
		v.trouble(h, err, time.Time{})
		v.giveUp(h, result.RefusedAddress, err)
		return false
	case err != nil:
		if ctx.Err() == nil && !errors.Is(err, errLapsed) {
			v.log.Warn("robots.txt", "origin", h.origin, "error", err)
			h.pace.Close(now.Add(time.Minute))
		}
		v.committer.saveHost(h)
		return false
	case r.CacheErr != nil:
		v.log.Warn("robots.txt is not kept", "origin", h.origin, "error", r.CacheErr)
	}
	known := h.long && !a.asked && r.FreshUntil.Equal(h.fresh)
	if a.asked {
		h.proof = ""
	}
	h.group, h.fresh, h.asked = r.Policy.For(v.tokens...), r.FreshUntil, a.asked
	h.long = r.File != nil && r.File.Size > shortText
	h.pace.Obey(h.group)
	if h.pace.IsTooSlow(v.config.pauses()) {
		h.group, h.asked = nil, false
		v.giveUp(h, result.LongPause, nil)
		return false
	}
	if r.State != fetch.Unreachable || r.Source == fetch.Stale {
		if !known {
			v.committer.commit(h, &outcome{links: v.linker.sitemaps(h, r.Policy)})
		}
		return true
	}
	// Nothing is allowed for now; robots.txt is fetched again later.
	h.group, h.asked = nil, false
	if r.Failures > v.config.maxFailures() && !h.isRevisited(v.config) {
		v.giveUp(h, result.Unreachable, r.Err)
		return false
	}
	h.pace.Close(r.FreshUntil)
	v.log.closed(h, r.FreshUntil, r.Failures, r.Cause)
	if a.asked {
		v.trouble(h, cmp.Or(r.Err, errors.New(r.Cause)), r.FreshUntil)
	}
	v.committer.saveHost(h)
	return false
}

// trouble reports why the crawl cannot begin at a host. It tries again at a time, unless that is
// zero. Once a page was fetched, the log has such reports.
func (v *visitor) trouble(h *host, err error, again time.Time) {
	if v.config.OnTrouble != nil && v.pages.Load() == 0 && !h.told {
		h.told = true
		v.config.OnTrouble(h.origin, err, again)
	}
}

// tellTroubles reports the hosts that earlier runs could not reach, while the crawl has visited
// nothing: they may not be asked again at once.
func tellTroubles(c *run) {
	if c.OnTrouble == nil || c.shard.store.Counts().Done > 0 {
		return
	}
	for _, h := range c.status(mostCauses).Hosts {
		if h.Wait != pace.Unreachable.String() {
			continue
		}
		if e, err := c.visitor.robots.cache.Get(context.Background(), h.Origin); err == nil && e.Cause != "" {
			c.OnTrouble(h.Origin, errors.New(e.Cause), h.Next)
		}
	}
}

// isRevisited reports whether a continuous crawl has fetched a page of a host. Such a host keeps
// its queue while its robots.txt is unreachable. RFC 9309, section 2.3.1.4, forbids requests
// meanwhile, but the outage of an hour must not end the revisits of a site for ever. After 30 days
// package fetch reports robots.txt as unavailable, and the queue is visited.
func (h *host) isRevisited(c *Config) bool { return c.Revisits != nil && h.counts.pages > 0 }
