package crawl

import (
	"container/heap"
	"net/netip"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/pace"
)

// Hosts at one address share a pace, because one machine may serve any number of hosts. A host
// is parked while its address may not be asked, or has too many open requests; no worker waits
// with it. Each address with parked hosts has a call: the time at which the first of them goes
// on. So as long as a host is parked, its address has a call, or another host has an open
// request or the offer of a place at the address, and makes the next call.
//
// The frontier owns all of this, under its lock.

// A call is the time at which a host that is parked at an address may go on.
type call struct {
	at   time.Time
	addr netip.Addr
}

// isOwn reports whether an address has no pace of its own.
func (f *frontier) isOwn(addr netip.Addr) bool {
	addr = addr.Unmap()
	return slices.ContainsFunc(f.limits.own, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// maxPlaces is the number of addresses at which the frontier begins to drop addresses whose
// pauses are over.
const maxPlaces = 10_000

// placeAt returns the pace of an address. An address without one counts as asked when the process
// started: the process before may have asked the address just then.
func (f *frontier) placeAt(addr netip.Addr) *pace.Address {
	place := pace.PlaceOf(addr)
	a := f.places[place]
	if a == nil {
		if n := len(f.places); n >= maxPlaces && n&(n-1) == 0 {
			now := time.Now()
			for addr, a := range f.places {
				if a.Past(&f.limits.manners, now) {
					delete(f.places, addr)
				}
			}
		}
		a = new(pace.Address)
		a.Resume(f.began)
		f.places[place] = a
	}
	return a
}

// joinPlace merges the pace of a host's address, as the host has stored it, into the address.
func (f *frontier) joinPlace(h *host) {
	addr, known := h.pace.At()
	if addr.IsValid() && !known.Past(&f.limits.manners, f.began) {
		f.placeAt(addr).Join(&known)
	}
}

// beginAt records the start of a host's request to an address. It reports false if the address
// may not be asked now.
func (f *frontier) beginAt(h *host, addr netip.Addr) bool {
	if f.isOwn(addr) {
		return true
	}
	now := time.Now()
	a := f.placeAt(addr)
	if a.Wait(&f.limits.manners, now).Until(now) > 0 {
		return false
	}
	a.Begin(now)
	h.pace.Visit(pace.PlaceOf(addr), a)
	return true
}

// callAt unparks the next host at an address, now or when the address may be asked, if the limit
// of open requests allows.
func (f *frontier) callAt(addr netip.Addr) {
	if len(f.parked[addr]) == 0 || f.open[addr] >= f.maxOpen() || f.called[addr] {
		return
	}
	now := time.Now()
	var at time.Time
	if !f.isOwn(addr) {
		at = f.placeAt(addr).Wait(&f.limits.manners, now).At
	}
	if !at.After(now) {
		f.unpark(addr)
		return
	}
	f.called[addr] = true
	heap.Push(&f.calls, call{at, addr})
	f.rouse()
}

// callParked handles the calls that are due.
func (f *frontier) callParked(now time.Time) {
	for len(f.calls) > 0 && !f.calls[0].at.After(now) {
		c := heap.Pop(&f.calls).(call)
		delete(f.called, c.addr)
		f.callAt(c.addr)
	}
}

// A callHeap is a heap of calls, the earliest first.
type callHeap []call

func (q callHeap) Len() int           { return len(q) }
func (q callHeap) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q callHeap) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *callHeap) Push(c any)        { *q = append(*q, c.(call)) }

func (q *callHeap) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}
