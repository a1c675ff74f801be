package server

import (
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// maxClients is the maximum number of clients in each half of a table.
const maxClients = 1 << 16

// clients limits the requests of each client, by the prefix of its address. A client is a time:
// when the requests so far would have been made at the permitted rate. The table has two halves;
// when the newer one is full, the older one is forgotten, so that many addresses cannot fill the
// memory. A forgotten client starts without a history.
type clients struct {
	interval time.Duration // between two requests at the permitted rate
	burst    time.Duration // how far a client may be ahead of that rate

	mu         sync.Mutex
	newer, old map[netip.Prefix]time.Time
}

// take counts a request at a time, and returns 0, or how long the client should wait instead.
func (c *clients) take(key netip.Prefix, now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	due, ok := c.newer[key]
	if !ok {
		due = c.old[key]
	}
	if due.Before(now) {
		due = now
	}
	if wait := due.Sub(now) - c.burst; wait > 0 {
		return wait
	}
	if !ok && len(c.newer) >= maxClients || c.newer == nil {
		c.newer, c.old = make(map[netip.Prefix]time.Time), c.newer
	}
	c.newer[key] = due.Add(c.interval)
	return 0
}

// prefixOf returns the part of an address that one client has: an IPv4 address, or a network of 64
// bits.
func prefixOf(addr netip.Addr) netip.Prefix {
	addr = addr.Unmap()
	bits := 64
	if addr.Is4() {
		bits = 32
	}
	p, _ := addr.WithZone("").Prefix(bits) // the zero address has the zero prefix
	return p
}

// remoteAddr returns the address at the other end of the connection.
func remoteAddr(r *http.Request) netip.Addr {
	a, _ := netip.ParseAddrPort(r.RemoteAddr)
	return a.Addr()
}
