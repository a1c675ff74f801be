package download

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/http/flight"
)

const (
	// maxNames limits the cached names, approximately.
	maxNames = 1 << 15

	// maxAddrs limits the addresses that are used for a name.
	maxAddrs = 16

	// failedLife is how long a failed look-up is cached.
	failedLife = time.Minute
)

// names resolves hosts and caches their addresses. Callers that ask for a name during
// its look-up wait for the same answer.
type names struct {
	lookup  func(ctx context.Context, name string) ([]netip.Addr, error)
	life    time.Duration
	timeout time.Duration

	mu sync.Mutex
	// A name that is used moves to young. When young is full it replaces old, and the
	// names in the previous old are forgotten.
	young, old map[string]addresses

	flights flight.Group[addresses] // look-ups under way
}

// addresses are the result of looking up a name: the addresses or an error.
type addresses struct {
	addrs []netip.Addr
	err   error
	until time.Time
}

// resolve returns the addresses of a host, which may be an address.
func (n *names) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return []netip.Addr{addr}, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if k, ok := n.recall(host); ok {
		return k.addrs, k.err
	}
	k, _, err := n.flights.Do(ctx, host, func(ctx context.Context) (addresses, error) { return n.find(ctx, host), nil })
	if err != nil {
		return nil, err
	}
	return k.addrs, k.err
}

// find looks a name up within the timeout, and caches the result unless all callers
// have stopped waiting.
func (n *names) find(ctx context.Context, host string) addresses {
	if k, ok := n.recall(host); ok {
		return k // another look-up ended after the caller had checked the cache
	}
	ctx, cancel := context.WithTimeoutCause(ctx, n.timeout, &stop{Timeout, "timeout: no answer of DNS within " +
		n.timeout.String()})
	defer cancel()
	found := make(chan addresses, 1)
	go func() { found <- n.ask(ctx, host) }()
	var k addresses
	select {
	case k = <-found:
	case <-ctx.Done(): // also if the look-up itself ignores ctx
		k = addresses{err: context.Cause(ctx), until: time.Now().Add(failedLife)}
	}
	if !errors.Is(k.err, context.Canceled) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.keep(host, k)
	}
	return k
}

// ask looks a name up.
func (n *names) ask(ctx context.Context, host string) addresses {
	addrs, err := n.lookup(ctx, host)
	switch {
	case err != nil:
		addrs = nil
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	case len(addrs) == 0:
		err = &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	}
	addrs = addrs[:min(len(addrs), maxAddrs)]
	plain := make([]netip.Addr, len(addrs))
	for i, a := range addrs {
		plain[i] = a.Unmap() // resolvers return IPv4 in either form
	}
	k := addresses{plain, err, time.Now().Add(n.life)}
	if err != nil {
		k.until = time.Now().Add(failedLife)
	}
	return k
}

// recall returns the cached addresses of a host, if they have not expired.
func (n *names) recall(host string) (addresses, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	k, ok := n.young[host]
	if !ok {
		if k, ok = n.old[host]; !ok {
			return k, false
		}
		n.keep(host, k)
	}
	return k, time.Now().Before(k.until)
}

// keep caches the addresses of a host. n.mu must be held.
func (n *names) keep(host string, k addresses) {
	if n.young == nil || len(n.young) >= maxNames/2 {
		n.young, n.old = make(map[string]addresses), n.young
	}
	n.young[host] = k
}
