// Package flight merges concurrent calls with the same key into one call, which is
// cancelled when no caller waits for it any more. The cancellation distinguishes it
// from golang.org/x/sync/singleflight.
package flight

import (
	"context"
	"sync"
)

// A Group has the calls under way, by their keys. The zero Group is ready to use.
type Group[V any] struct {
	mu      sync.Mutex
	flights map[string]*flight[V]
}

// A flight is one call with its waiting callers.
type flight[V any] struct {
	done    chan struct{} // closed when value and err are set
	value   V
	err     error
	waiting int // guarded by Group.mu
	cancel  context.CancelFunc
}

// Do returns the result of do, and calls it unless a call with the key is under way.
// The call has its own context, with the values of the first caller's context, which
// ends when no caller waits: a caller that stops does not affect the others.
//
// If ctx ends before the call does, stopped is true, and err is the cause of ctx.
func (g *Group[V]) Do(ctx context.Context, key string, do func(context.Context) (V, error)) (value V, stopped bool,
	err error) {
	f := g.join(ctx, key, do)
	select {
	case <-f.done:
		return f.value, false, f.err
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		g.land(key, f)
	}
	select {
	case <-f.done: // the call has ended meanwhile
		return f.value, false, f.err
	default:
		return value, true, context.Cause(ctx)
	}
}

// join returns the flight for a key, and starts one if there is none.
func (g *Group[V]) join(ctx context.Context, key string, do func(context.Context) (V, error)) *flight[V] {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.flights[key]
	if f == nil {
		own, cancel := context.WithCancel(context.WithoutCancel(ctx))
		f = &flight[V]{done: make(chan struct{}), cancel: cancel}
		if g.flights == nil {
			g.flights = make(map[string]*flight[V])
		}
		g.flights[key] = f
		go func() {
			f.value, f.err = do(own)
			g.mu.Lock()
			defer g.mu.Unlock()
			g.land(key, f)
			close(f.done)
		}()
	}
	f.waiting++
	return f
}

// land ends a flight: later callers get a new one. g.mu must be held.
func (g *Group[V]) land(key string, f *flight[V]) {
	if g.flights[key] == f {
		delete(g.flights, key)
	}
	f.cancel()
}

// Waiting returns the number of callers that wait for a key.
func (g *Group[V]) Waiting(key string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f := g.flights[key]; f != nil {
		return f.waiting
	}
	return 0
}
