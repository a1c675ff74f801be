package fetch

import (
	"context"
	"fmt"
)

// A flight is one fetch that several callers wait for. It has a context of its
// own: that one of them no longer waits does not concern the others. When none
// waits, it ends.
type flight struct {
	done    chan struct{} // closed when result and err are there
	result  Result
	err     error
	waiting int // under Client.mu
	cancel  context.CancelFunc
}

// join waits for the flight to an origin, and starts it if there is none.
func (c *Client) join(ctx context.Context, origin string) (Result, error) {
	c.mu.Lock()
	f := c.flights[origin]
	if f == nil {
		own, cancel := context.WithCancel(context.WithoutCancel(ctx))
		f = &flight{done: make(chan struct{}), cancel: cancel}
		if c.flights == nil {
			c.flights = make(map[string]*flight)
		}
		c.flights[origin] = f
		go func() {
			f.result, f.err = c.refresh(own, origin)
			c.mu.Lock()
			defer c.mu.Unlock()
			c.land(origin, f)
			close(f.done)
		}()
	}
	f.waiting++
	c.mu.Unlock()

	select {
	case <-f.done:
		return f.result, f.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		c.land(origin, f)
	}
	return Result{}, fmt.Errorf("fetch %s: %w", origin, context.Cause(ctx))
}

// land ends a flight: who comes now gets another one. The caller holds c.mu.
func (c *Client) land(origin string, f *flight) {
	if c.flights[origin] == f {
		delete(c.flights, origin)
	}
	f.cancel()
}
