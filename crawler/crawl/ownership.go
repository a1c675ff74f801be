package crawl

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/http/download"
)

// With IgnoreRobots a crawl visits URLs that robots.txt disallows, at hosts that are proven to be
// the operator's. A proof holds for one origin, until its robots.txt is read again. Whatever is in
// doubt leaves robots.txt in force.

// The proofs, as results and archives have them.
const (
	provenByNetwork = "own-network"
	provenByFile    = "robots-owner.txt"
	notProven       = "-" // never stored
)

// ownerPath is the path of the file by which a host names the robots of its operator.
const ownerPath = "/.well-known/robots-owner.txt"

// longestProof is the maximum size of that file in bytes.
const longestProof = 64 << 10

// An ownership decides at which hosts the crawl may ignore robots.txt.
type ownership struct {
	config *Config
	token  string           // of the robot
	client *download.Client // connects to own networks only

	mu    sync.Mutex
	seeds map[string]bool // origins that may prove by the file
}

// newOwnership returns the ownership of a crawl, or nil if it ignores no robots.txt.
func newOwnership(c *Config, token string) *ownership {
	if !c.IgnoreRobots {
		return nil
	}
	w := &ownership{config: c, token: token, seeds: make(map[string]bool)}
	own := *c
	lookup := c.Lookup
	if lookup == nil {
		lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	own.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
		addrs, err := lookup(ctx, name)
		if err == nil && !w.areOwn(addrs) {
			err = fmt.Errorf("%s is not in an own network", name)
		}
		return addrs, err
	}
	w.client = own.client()
	return w
}

// add makes the origin of a seed one that may prove by the file. Other hosts are not asked for it.
func (w *ownership) add(u weburl.URL) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seeds[u.Clone().Origin()] = true
}

// areOwn reports whether there are addresses, and all are in own networks.
func (w *ownership) areOwn(addrs []netip.Addr) bool {
	return len(addrs) > 0 && !slices.ContainsFunc(addrs, func(addr netip.Addr) bool {
		return !slices.ContainsFunc(w.config.Own, func(p netip.Prefix) bool { return p.Contains(addr.Unmap()) })
	})
}

// inNetwork reports whether all addresses of a host are in own networks.
func (w *ownership) inNetwork(ctx context.Context, v *visitor, u weburl.URL) bool {
	if len(w.config.Own) == 0 {
		return false
	}
	if addr, ok := u.Addr(); ok {
		return w.areOwn([]netip.Addr{addr})
	}
	addrs, err := v.client.Resolve(ctx, u.Host())
	return err == nil && w.areOwn(addrs)
}

// mayAsk reports whether a host may be asked for the file: it is that of a seed, and its robots.txt
// allows the file.
func (w *ownership) mayAsk(h *host) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seeds[h.origin] && h.group.Allowed(h.origin+ownerPath)
}

// proves reports whether an answer is a file that names the robot.
func (w *ownership) proves(x *download.Exchange) bool {
	if x.Status != 200 || x.MediaType != "text/plain" || x.Truncated != download.Whole || x.Body.Size() > longestProof {
		return false
	}
	text, err := x.Body.Bytes()
	if err != nil || w.token == "" {
		return false
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "user-agent") &&
			strings.EqualFold(strings.TrimSpace(value), w.token) {
			return true
		}
	}
	return false
}

// isIgnored reports whether robots.txt disallows a URL of a host, and the crawl visits it
// nevertheless.
func (h *host) isIgnored(url string) bool {
	return (h.proof == provenByNetwork || h.proof == provenByFile) && h.group != nil && !h.group.Allowed(url)
}

// prove finds out whether a host is proven to be the operator's, before the visit of a URL that its
// robots.txt disallows. It makes one request at most. It reports false if the host was parked, or
// released after the request.
func (w *ownership) prove(ctx context.Context, v *visitor, h *host, u weburl.URL) (more bool) {
	if h.proof = notProven; w.inNetwork(ctx, v, u) {
		h.proof = provenByNetwork
	}
	if h.proof == notProven && w.mayAsk(h) {
		h.proof = ""
		if addr := likelyAddress(ctx, v.client, u); addr.IsValid() && v.shard.frontier.park(h, addr) {
			return false
		}
		if h.proof = notProven; w.ask(ctx, v, h) {
			h.proof = provenByFile
		}
		h.putBack(v.shard.store)
		v.release(h)
	} else {
		more = true
	}
	if h.proof != notProven {
		v.log.Warn("robots.txt is ignored", "origin", h.origin, "proof", h.proof)
	}
	return more
}

// ask requests the file that names the robots of the operator, and archives the answer.
func (w *ownership) ask(ctx context.Context, v *visitor, h *host) bool {
	u, err := weburl.Exact.Parse(h.origin + ownerPath)
	if err != nil {
		return false
	}
	it := store.Item{Partition: h.partition, URL: u.String()}
	v.committer.begin(h)
	x, err := clientFor(v, h, u).Do(ctx, download.Request{URL: it.URL, KeepSent: v.archiver.writer != nil,
		MaxBody: longestProof + 1})
	if err != nil {
		v.committer.end(h, time.Now(), pace.Outcome{Cancelled: ctx.Err() != nil})
		return false
	}
	defer x.Close()
	v.committer.end(h, time.Now(), pace.Outcome{Status: x.Status, RetryAfter: x.RetryAfter, Took: x.Times.FirstByte,
		Cancelled: ctx.Err() != nil})
	v.archiver.keep(&outcome{item: it}, new(result.Line), store.Entry{Item: it}, x)
	return w.proves(x)
}

// clientFor returns the client that may connect to the host of a URL.
func clientFor(v *visitor, h *host, u weburl.URL) *download.Client {
	switch {
	case v.linker.territory.isOwn(u):
		return v.own
	case h.proof == provenByNetwork && h.isIgnored(u.String()):
		return v.owners.client
	}
	return v.client
}
