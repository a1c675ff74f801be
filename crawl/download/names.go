package download

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

const (
	// maxNames is how many names are remembered, about.
	maxNames = 1 << 15

	// maxAddrs is how many addresses of a name are used.
	maxAddrs = 16

	// failedLife is for how long a name without an answer is not asked about
	// again.
	failedLife = time.Minute
)

// names finds the addresses of hosts, and remembers them. Whoever asks for a name
// that is being looked up waits for the same answer.
type names struct {
	lookup  func(ctx context.Context, name string) ([]netip.Addr, error)
	life    time.Duration
	timeout time.Duration

	mu sync.Mutex
	// What is asked for moves into young. When that is full it becomes old, and
	// what was old is forgotten.
	young, old map[string]known
	flights    map[string]*flight
}

// A known is the answer for a name.
type known struct {
	addrs []netip.Addr
	err   error
	until time.Time
}

// A flight is a look-up under way.
type flight struct {
	ctx     context.Context
	cancel  context.CancelFunc
	done    chan struct{}
	waiting int
	known   known // when done
}

// resolve returns the addresses of a host, which may be an address.
func (n *names) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return []netip.Addr{addr}, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	n.mu.Lock()
	if k, ok := n.recall(host); ok {
		n.mu.Unlock()
		return k.addrs, k.err
	}
	f := n.flights[host]
	if f == nil {
		f = n.fly(ctx, host)
	}
	f.waiting++
	n.mu.Unlock()

	var err error
	select {
	case <-f.done:
	case <-f.ctx.Done():
		err = context.Cause(f.ctx) // also where the look-up itself does not heed it
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		f.cancel() // nobody wants to know
		if n.flights[host] == f {
			delete(n.flights, host)
		}
	}
	if err != nil {
		select {
		case <-f.done: // after all
		default:
			if _, late := err.(*stop); late && ctx.Err() == nil {
				n.keep(host, known{err: err, until: time.Now().Add(failedLife)})
			}
			return nil, err
		}
	}
	return f.known.addrs, f.known.err
}

// fly starts a look-up. It ends with those who wait for it, and so within the
// timeout.
func (n *names) fly(ctx context.Context, host string) *flight {
	f := &flight{done: make(chan struct{})}
	f.ctx, f.cancel = context.WithTimeoutCause(context.WithoutCancel(ctx), n.timeout,
		&stop{Timeout, "timeout: no answer of DNS within " + n.timeout.String()})
	if n.flights == nil {
		n.flights = make(map[string]*flight)
	}
	n.flights[host] = f
	go func() {
		addrs, err := n.lookup(f.ctx, host)
		switch {
		case err != nil:
			addrs = nil
			if f.ctx.Err() != nil {
				err = context.Cause(f.ctx)
			}
		case len(addrs) == 0:
			err = &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
		}
		addrs = addrs[:min(len(addrs), maxAddrs)]
		plain := make([]netip.Addr, len(addrs))
		for i, a := range addrs {
			plain[i] = a.Unmap() // resolvers return IPv4 in either form
		}
		k := known{plain, err, time.Now().Add(n.life)}
		if err != nil {
			k.until = time.Now().Add(failedLife)
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		if !errors.Is(err, context.Canceled) {
			n.keep(host, k)
		}
		if n.flights[host] == f {
			delete(n.flights, host)
		}
		f.known = k
		close(f.done)
	}()
	return f
}

// recall returns what is known about a host, if that may still be used.
func (n *names) recall(host string) (known, bool) {
	k, ok := n.young[host]
	if !ok {
		if k, ok = n.old[host]; !ok {
			return k, false
		}
		n.keep(host, k)
	}
	return k, time.Now().Before(k.until)
}

// keep remembers what is known about a host.
func (n *names) keep(host string, k known) {
	if n.young == nil || len(n.young) >= maxNames/2 {
		n.young, n.old = make(map[string]known), n.young
	}
	n.young[host] = k
}
