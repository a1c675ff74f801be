package crawl

import (
	"container/heap"
	"net/netip"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
)

// addresses decide when hosts may make requests to IP addresses. Hosts at one address share a
// pace and a maximum of open requests, because one machine may serve any number of hosts. A host
// that may not make its request yet is parked, and no worker waits with it.
//
// A leased host takes a place at its address for its request, from enter to leave. Parked hosts
// wait in a queue at their address. The first of them gets an offer when a place is free and the
// pace of the address allows a request: then the host is due, and its worker tries to take the
// place. An offer is not a place: another host may take the place first. A host that does not
// need its offer passes the offer on.
//
// Each address with parked hosts has a call if only its pace is in the way: the time at which the
// first host gets an offer.
//
// # Invariant
//
//   - As long as hosts are parked at an address, the address has the maximum of open requests, a
//     call, a host with an offer, or no slot of this worker. Each of these makes the next call or
//     offer when it ends.
//   - A host is in one queue if it is parked, at host.waiting, and otherwise in none.
//   - Only leased hosts have places, and only due and leased hosts have offers.
//   - open counts the places at each address, which are never more than the maximum.
//
// In a crawl that several workers share, the limits of an address are divided among them: a host
// also needs a slot of this worker (package fleet), and the pace of this worker at an address is a
// part of that of the address. While no slot is free, no offer is made; the next slot makes one.
//
// All of this belongs to a frontier, which guards it with its lock.
type addresses struct {
	shared sharedLimits // nil if the crawl is alone
	limits *frontierLimits
	began  time.Time // start of the process
	due    *dueHosts // for hosts with an offer

	parked map[netip.Addr][]*host
	open   map[netip.Addr]int           // number of places taken
	paces  map[netip.Addr]*pace.Address // by pace.PlaceOf
	calls  callHeap
	called map[netip.Addr]bool // addresses in calls
}

func newAddresses(limits *frontierLimits, due *dueHosts) *addresses {
	return &addresses{
		limits: limits, began: time.Now(), due: due, parked: make(map[netip.Addr][]*host),
		open:  make(map[netip.Addr]int),
		paces: make(map[netip.Addr]*pace.Address), called: make(map[netip.Addr]bool),
	}
}

// sharedLimits are the limits of addresses over all workers: see [fleet.Limits].
type sharedLimits interface {
	Enter(place netip.Addr) bool
	May(place netip.Addr) bool
	Leave(place netip.Addr)
	Gap(place netip.Addr) time.Duration
	Slots(place netip.Addr) int
}

// enter gives a leased host a place at an address until it leaves. It reports false if no place
// is free or the address may not be requested yet: then the caller must park the host, as the
// first if the host had the offer.
func (a *addresses) enter(h *host, addr netip.Addr) (ok, first bool) {
	if h.place == addr {
		return true, false // the place is unused: its request was not needed
	}
	a.leave(h)
	before := h.offered
	if h.offered = (netip.Addr{}); before.IsValid() && before != addr {
		a.call(before)
	}
	// At an address with a pace, parked hosts come first. Otherwise new hosts could keep them
	// waiting forever.
	waits := len(a.parked[addr]) > 0 && before != addr && !a.isOwn(addr)
	return !waits && a.occupy(h, addr), before == addr
}

// occupy gives a host a place at an address, if a place is free and the pace of the address
// allows a request now.
func (a *addresses) occupy(h *host, addr netip.Addr) bool {
	if a.open[addr] >= a.maxOpen() || a.wait(addr, time.Now()).After(time.Now()) ||
		a.shared != nil && !a.shared.Enter(pace.PlaceOf(addr)) {
		return false
	}
	a.begin(h, addr)
	a.open[addr]++
	h.place = addr
	if !a.isOwn(addr) {
		a.call(addr) // the next host continues when the pace of the address allows
	}
	return true
}

// begin records the start of a host's request to an address.
func (a *addresses) begin(h *host, addr netip.Addr) {
	if !a.isOwn(addr) {
		p := a.pace(addr)
		p.Begin(time.Now())
		h.pace.Visit(pace.PlaceOf(addr), p)
	}
}

// wait returns when the pace of an address allows a request.
func (a *addresses) wait(addr netip.Addr, now time.Time) (at time.Time) {
	if a.isOwn(addr) {
		return at
	}
	return a.paceWait(addr, now).At
}

// paceWait returns the wait for the pace of an address.
func (a *addresses) paceWait(addr netip.Addr, now time.Time) pace.Wait {
	pauses := a.limits.pauses
	if a.shared != nil && pauses.AddressGap >= 0 {
		pauses.AddressGap = a.shared.Gap(pace.PlaceOf(addr))
	}
	return a.pace(addr).Wait(&pauses, now)
}

// leave frees the place of a host at an address, if it has one.
func (a *addresses) leave(h *host) {
	addr := h.place
	if !addr.IsValid() {
		return
	}
	h.place = netip.Addr{}
	if a.open[addr]--; a.open[addr] <= 0 {
		delete(a.open, addr)
	}
	if a.shared != nil {
		a.shared.Leave(pace.PlaceOf(addr))
		a.callPlace(pace.PlaceOf(addr))
	}
	a.call(addr)
}

// callPlace calls the addresses that share a pace and slots.
func (a *addresses) callPlace(place netip.Addr) {
	if place.Is4() {
		a.call(place)
		a.call(netip.AddrFrom16(place.As16()))
		return
	}
	for addr := range a.parked {
		if pace.PlaceOf(addr) == place {
			a.call(addr)
		}
	}
}

// park puts a host into the queue at an address, at the front or the back.
func (a *addresses) park(h *host, addr netip.Addr, first bool) {
	h.state, h.waiting = hostParked, addr
	if first {
		a.parked[addr] = slices.Insert(a.parked[addr], 0, h)
	} else {
		a.parked[addr] = append(a.parked[addr], h)
	}
	a.call(addr)
}

// offer offers a place at an address to the next host parked there.
func (a *addresses) offer(addr netip.Addr) {
	waiting := a.parked[addr]
	if len(waiting) == 0 {
		return
	}
	h := waiting[0]
	if waiting[0] = nil; len(waiting) == 1 {
		delete(a.parked, addr)
	} else {
		a.parked[addr] = waiting[1:]
	}
	h.waiting, h.offered = netip.Addr{}, addr
	a.due.push(h, time.Now())
}

// passOffer passes the offer of a host, if it has one, on to another host parked at that address.
func (a *addresses) passOffer(h *host) {
	if addr := h.offered; addr.IsValid() {
		h.offered = netip.Addr{}
		a.call(addr)
	}
}

// call offers a place to the next host at an address, now or when the address may be requested,
// if the limit of open requests allows.
func (a *addresses) call(addr netip.Addr) {
	if len(a.parked[addr]) == 0 || a.open[addr] >= a.maxOpen() || a.called[addr] {
		return
	}
	now := time.Now()
	at := a.wait(addr, now)
	if !at.After(now) {
		if a.shared != nil && !a.shared.May(pace.PlaceOf(addr)) {
			return // the next slot calls
		}
		a.offer(addr)
		return
	}
	a.called[addr] = true
	heap.Push(&a.calls, call{at, addr})
	a.due.wakeOne()
}

// callDue handles the calls that are due.
func (a *addresses) callDue(now time.Time) {
	for len(a.calls) > 0 && !a.calls[0].at.After(now) {
		c := heap.Pop(&a.calls).(call)
		delete(a.called, c.addr)
		a.call(c.addr)
	}
}

// isOwn reports whether an address has no pace of its own.
func (a *addresses) isOwn(addr netip.Addr) bool {
	addr = addr.Unmap()
	return slices.ContainsFunc(a.limits.own, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// maxOpen returns the maximum number of open requests to an address.
func (a *addresses) maxOpen() int {
	if a.limits.perAddress <= 0 {
		return 8
	}
	return a.limits.perAddress
}

// maxPaces is the number of paces from which on those whose pauses are over are dropped.
const maxPaces = 10_000

// pace returns the pace of an address. An address without one counts as requested when the
// process started: the previous process may have made a request just then.
func (a *addresses) pace(addr netip.Addr) *pace.Address {
	place := pace.PlaceOf(addr)
	p := a.paces[place]
	if p == nil {
		if n := len(a.paces); n >= maxPaces && n&(n-1) == 0 {
			now := time.Now()
			for addr, p := range a.paces {
				if p.Past(&a.limits.pauses, now) {
					delete(a.paces, addr)
				}
			}
		}
		p = new(pace.Address)
		p.Resume(a.began)
		a.paces[place] = p
	}
	return p
}

// join merges the pace of a host's address, as stored with the host, into the pace of the address.
func (a *addresses) join(h *host) {
	addr, known := h.pace.At()
	if addr.IsValid() && !known.Past(&a.limits.pauses, a.began) {
		a.pace(addr).Join(&known)
	}
}

// waiting returns the number of parked hosts.
func (a *addresses) waiting() (n int) {
	for _, hosts := range a.parked {
		n += len(hosts)
	}
	return n
}

// why says why the hosts parked at an address wait.
func (a *addresses) why(addr netip.Addr) string {
	if open := a.open[addr]; open >= a.maxOpen() || a.isOwn(addr) {
		return "its address " + addr.String() + " is busy: " + plural(open, "request is", "requests are") +
			" under way there"
	}
	if a.shared != nil && a.open[addr] >= a.shared.Slots(pace.PlaceOf(addr)) {
		return "its address " + addr.String() + " is asked by other workers, which have all or most of its requests"
	}
	// Hosts parked earlier go first, one at a time.
	w := a.paceWait(addr, time.Now())
	return "its address " + addr.String() + " has a pace of its own, for " +
		plural(len(a.parked[addr]), "host that waits", "hosts that wait") + " there: " + w.String()
}

// A call is the time at which the first host parked at an address gets an offer.
type call struct {
	at   time.Time
	addr netip.Addr
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
