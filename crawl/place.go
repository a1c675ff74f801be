package crawl

import (
	"container/heap"
	"net/netip"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/pace"
)

// Hosts at one address have a pace together, as one machine may have any number of them.
// A host whose address may not be asked now is parked, like one for which there are too
// many requests open; nothing waits with it. Each address that hosts are parked at has a
// call: a time at which the first of them goes on. So as long as a host is parked there is
// a call, or one of its address has a request open or the offer of a place, and makes
// the next call.
//
// All of this is the frontier's, under its lock.

// A call is a time at which a host that is parked at an address may go on.
type call struct {
	at   time.Time
	addr netip.Addr
}

// isOwn reports whether an address has no pace of its own.
func (f *frontier) isOwn(addr netip.Addr) bool {
	addr = addr.Unmap()
	return slices.ContainsFunc(f.limits.own, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// maxPlaces is how many addresses are known until those are forgotten that nothing is
// owed to any more.
const maxPlaces = 10_000

// placeAt returns what is known of an address. An address that was not asked by this process
// may have been asked just before it started.
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

// joinPlace takes over what a host knows of its address.
func (f *frontier) joinPlace(h *host) {
	addr, known := h.pace.At()
	if addr.IsValid() && !known.Past(&f.limits.manners, f.began) {
		f.placeAt(addr).Join(&known)
	}
}

// beginAt notes that a request of a host to an address starts, if it may.
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

// callAt has the next host that is parked at an address go on, now or when the address may
// be asked, if there is room for it.
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

// callParked has the hosts go on whose addresses may be asked by now.
func (f *frontier) callParked(now time.Time) {
	for len(f.calls) > 0 && !f.calls[0].at.After(now) {
		c := heap.Pop(&f.calls).(call)
		delete(f.called, c.addr)
		f.callAt(c.addr)
	}
}

// A callHeap has calls by their times.
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
