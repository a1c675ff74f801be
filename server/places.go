package server

import (
	"net/netip"
	"sync"
)

// Places limit concurrent work of one kind. A client gets another place only if at least as many
// places are free as it has. One client alone can have half of the places and one, and a client
// without a place gets one while any is free. It is a dynamic threshold, as in the buffers of
// switches (Choudhury and Hahne 1998).
type places struct {
	mu   sync.Mutex
	most int
	free int
	held map[netip.Prefix]int // by client; those with a place only
}

func newPlaces(most int) *places {
	return &places{most: most, free: most, held: make(map[netip.Prefix]int)}
}

// take takes a place for a client, and reports whether there was one for it.
func (p *places) take(client netip.Prefix) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free == 0 || p.held[client] > p.free {
		return false
	}
	p.free--
	p.held[client]++
	return true
}

// give gives a place of a client back.
func (p *places) give(client netip.Prefix) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free++
	if p.held[client]--; p.held[client] == 0 {
		delete(p.held, client)
	}
}

// taken returns the number of places that are taken.
func (p *places) taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.most - p.free
}
