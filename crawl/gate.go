package crawl

import "sync"

// A gate lets callers in while it is open. Who closes it waits until all have left. The
// zero gate is closed.
type gate struct {
	mu     sync.RWMutex
	opened bool
}

// enter reports whether the gate is open. Then leave is to be called, by a caller that
// does not enter again before.
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
