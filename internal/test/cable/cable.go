// Package cable has a cable between clients and a server, for tests that cut it.
package cable

import (
	"net"
	"sync"
	"testing"
	"time"
)

// A Cable passes bytes between clients and a server. While it is cut, it accepts connections, keeps
// them open, and passes nothing; the bytes arrive when it is whole again.
type Cable struct {
	listener net.Listener
	conns    []net.Conn

	mu    sync.Mutex
	moved *sync.Cond // by Cut
	cut   bool
	slow  time.Duration
}

// New lays a cable to the server at an address, until the test ends.
func New(t testing.TB, server string) *Cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &Cable{listener: l}
	c.moved = sync.NewCond(&c.mu)
	var accepting, passing sync.WaitGroup
	accepting.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				near.Close()
				continue
			}
			c.conns = append(c.conns, near, far)
			passing.Go(func() { c.pass(near, far) })
			passing.Go(func() { c.pass(far, near) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		accepting.Wait() // there are no further connections
		c.Cut(false)
		for _, conn := range c.conns {
			conn.Close()
		}
		passing.Wait()
	})
	return c
}

// Addr returns the address at which clients reach the server.
func (c *Cable) Addr() string { return c.listener.Addr().String() }

// Cut cuts the cable, or mends it.
func (c *Cable) Cut(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	c.moved.Broadcast()
}

// Slow has bytes arrive later, in both directions.
func (c *Cable) Slow(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slow = by
}

// pass copies bytes, and waits before each write while the cable is cut.
func (c *Cable) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		c.mu.Lock()
		for c.cut {
			c.moved.Wait()
		}
		slow := c.slow
		c.mu.Unlock()
		time.Sleep(slow)
		if _, e := to.Write(b[:n]); e != nil || err != nil {
			return
		}
	}
}
