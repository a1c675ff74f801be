// Package flight has those who ask for the same thing at the same time wait for one
// answer, which is given up when nobody waits for it any more. In that it differs from
// golang.org/x/sync/singleflight.
package flight

import (
	"context"
	"sync"
)

// A Group has the questions that are under way, by their keys. The zero Group is ready
// to use.
type Group[V any] struct {
	mu      sync.Mutex
	flights map[string]*flight[V]
}

// A flight is one question that several may wait for.
type flight[V any] struct {
	done    chan struct{} // closed when value and err are there
	value   V
	err     error
	waiting int // under Group.mu
	cancel  context.CancelFunc
}

// Do returns what do returns, which is called unless it is under way for the key. It runs
// with a context of its own, which has the values of the first caller's and ends when
// nobody waits: that one caller stops does not concern the others.
//
// Where ctx ends before the answer is there, stopped is true, and err is its cause.
func (g *Group[V]) Do(ctx context.Context, key string, do func(context.Context) (V, error)) (value V, stopped bool, err error) {
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
	case <-f.done: // after all
		return f.value, false, f.err
	default:
		return value, true, context.Cause(ctx)
	}
}

// join returns the flight for a key, and starts it if there is none.
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

// land ends a flight: who comes now gets another one. The caller holds g.mu.
func (g *Group[V]) land(key string, f *flight[V]) {
	if g.flights[key] == f {
		delete(g.flights, key)
	}
	f.cancel()
}

// Waiting returns how many wait for the answer for a key.
func (g *Group[V]) Waiting(key string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f := g.flights[key]; f != nil {
		return f.waiting
	}
	return 0
}
