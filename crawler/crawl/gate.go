package crawl

import "sync"

// A gate admits callers while it is open. close waits until all callers have left. The zero
// gate is closed.
type gate struct {
	mu     sync.RWMutex
	opened bool
}

// enter reports whether the gate is open. If so, the caller must call leave, and must not call
// enter again before that.
func (g *gate) enter() bool {
	g.mu.RLock()
	if g.opened {
		return true
	}
	g.mu.RUnlock()
	return false
}

func (g *gate) leave() { g.mu.RUnlock() }

func (g *gate) open() {
	g.mu.Lock()
	g.opened = true
	g.mu.Unlock()
}

func (g *gate) close() {
	g.mu.Lock()
	g.opened = false
	g.mu.Unlock()
}
