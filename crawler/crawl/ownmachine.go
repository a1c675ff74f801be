package crawl

import (
	"context"
	"net/netip"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
)

// A seed on the machine of the crawl needs no DialFilter, because the operator names it. This
// holds for the origin of the seed at the address of a loopback, and for URLs that a seed or a page
// of that origin named. No link, redirect or sitemap of another host leads there.

// loopbacks are the addresses of a seed on the machine of the crawl.
var loopbacks = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128")}

// loopback returns the address of a URL on the machine of the crawl.
func loopback(u weburl.URL) (addr netip.Addr, ok bool) {
	if u.Host() == "localhost" {
		return loopbacks[0].Addr(), true
	}
	addr, ok = u.Addr()
	return addr, ok && (addr == loopbacks[0].Addr() || addr == loopbacks[1].Addr())
}

// allows reports whether a DialFilter allows an address.
func allows(f *fetch.DialFilter, addr netip.Addr) bool {
	return f.Control(context.Background(), "tcp", netip.AddrPortFrom(addr, 80).String(), nil) == nil
}

// isSeed reports whether the origin of a URL is that of a seed on the machine of the crawl.
func (t *territory) isSeed(u weburl.URL) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.own[u.Origin()]
}

// isOwn reports whether only its seed opens the origin of a URL to the crawl.
func (t *territory) isOwn(u weburl.URL) bool {
	if t == nil || !t.isSeed(u) {
		return false
	}
	addr, _ := loopback(u)
	return !allows(&t.filter, addr)
}

// isForeign reports whether a page of one origin may not lead to a URL, which is on the machine of
// the crawl.
func (t *territory) isForeign(u weburl.URL, origin string) bool {
	return u.Origin() != origin && t.isOwn(u)
}

// viaForeign reports whether another host led to an item on the machine of the crawl. An earlier
// run with another DialFilter may have queued it.
func (t *territory) viaForeign(it *store.Item, u weburl.URL) bool {
	if it.Via == "" || !t.isOwn(u) {
		return false
	}
	via, err := weburl.Exact.Parse(it.Via)
	return err != nil || via.Origin() != u.Origin()
}

// askRefusedAgain queues the seeds again that an earlier run refused for their address, if this run
// may connect to it.
func askRefusedAgain(c *run) error {
	if c.tally[result.RefusedAddress].Load() == 0 {
		return nil
	}
	var seeds []weburl.URL
	err := seedFile(c.seedsName()).read(c.working, func(line string) {
		if u, err := weburl.Links.Parse(line); err == nil {
			seeds = append(seeds, u)
		}
	})
	allowed := make(map[string]bool) // by origin
	for _, u := range seeds {
		if err != nil || c.working.Err() != nil {
			break
		}
		it := store.Item{Partition: partitionOf(u), URL: u.String()}
		may, ok := allowed[u.Origin()]
		if !ok {
			known, ok, err := c.shard.store.Host(it.Partition, u.Origin())
			if err != nil {
				return err
			}
			may = ok && countsOf(known.State).reasons[result.RefusedAddress] > 0 && c.mayConnect(u)
			allowed[u.Origin()] = may
		}
		if !may {
			continue
		}
		known, err := c.shard.store.URL(it)
		if err != nil {
			return err
		}
		if !known.Seen || known.Queued || known.Done {
			continue
		}
		h, err := c.shard.frontier.recalled(&memoHost{origin: u.Origin(), partition: it.Partition})
		if err != nil {
			return err
		}
		if n := &h.counts.reasons[result.RefusedAddress]; *n > 0 {
			*n--
			c.tally[result.RefusedAddress].Add(-1)
		}
		c.committer.commit(h, &outcome{item: it, what: eventDefer, due: time.Now(), requeued: true})
		if err := c.committer.wait(); err != nil { // nobody has leased the host
			return err
		}
	}
	if c.working.Err() != nil {
		return nil
	}
	return err
}

// mayConnect reports whether the crawl may connect to the host of a seed, by its first address.
func (c *Config) mayConnect(u weburl.URL) bool {
	if _, ok := loopback(u); ok {
		return true
	}
	if addr, ok := u.Addr(); ok {
		return allows(&c.DialFilter, addr)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	client := c.client()
	defer client.Close()
	addrs, err := client.Resolve(ctx, u.Host())
	return err == nil && len(addrs) > 0 && allows(&c.DialFilter, addrs[0])
}
