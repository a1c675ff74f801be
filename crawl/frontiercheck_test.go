package crawl

import (
	"fmt"
	"net/netip"
	"sync"
)

// CheckFrontiers checks every frontier of the process after each step, and panics if the
// invariant of [frontier] does not hold.
func CheckFrontiers() {
	var steps sync.Map // *frontier → *int: steps since the last full check; guarded by f.mu
	afterStep = func(f *frontier, h *host) {
		count, _ := steps.LoadOrStore(f, new(int))
		n := count.(*int)
		err := f.checkHost(h)
		// The cost of a full check grows with the number of hosts.
		if *n++; err == nil && *n > len(f.hosts)+len(f.committing) {
			*n = 0
			err = f.check()
		}
		if err != nil {
			panic("frontier: " + err.Error())
		}
		if f.finished {
			steps.Delete(f)
		}
	}
}

// check returns an error if the invariant of the frontier does not hold. f.mu must be held.
func (f *frontier) check() error {
	places, offers := make(map[netip.Addr]int), make(map[netip.Addr]int)
	n := make(map[hostState]int)
	for origin, h := range f.hosts {
		if h.origin != origin {
			return fmt.Errorf("%s is kept as %s", h.origin, origin)
		}
		if h.state == hostIdle {
			return fmt.Errorf("%s is idle, and has something to do", origin)
		}
		if err := f.checkHost(h); err != nil {
			return err
		}
		n[h.state]++
		if h.place.IsValid() {
			places[h.place]++
		}
		if h.offered.IsValid() {
			offers[h.offered]++
		}
	}
	for origin, h := range f.committing {
		if h.origin != origin || h.state != hostIdle || h.commits <= 0 {
			return fmt.Errorf("%s, in state %d with %d commits, waits for commits as %s", h.origin, h.state, h.commits, origin)
		}
		if err := f.checkHost(h); err != nil {
			return err
		}
	}
	if n[hostDue] != len(f.due) || n[hostLeased] != len(f.leases) || n[hostAwaiting] != len(f.awaiting) {
		return fmt.Errorf("%d hosts are due, %d leased and %d awaiting, but %d, %d and %d in the lists",
			n[hostDue], n[hostLeased], n[hostAwaiting], len(f.due), len(f.leases), len(f.awaiting))
	}
	if err := f.checkHops(); err != nil {
		return err
	}
	for i := range f.due {
		if parent := (i - 1) / 2; i > 0 && f.due[i].at.Before(f.due[parent].at) {
			return fmt.Errorf("%s is due before %s, and below it in the heap", f.due[i].origin, f.due[parent].origin)
		}
	}
	return f.checkAddresses(n[hostParked], places, offers)
}

// checkHops is check for hops: each hop is in the queue of one host, unless a worker has it.
func (f *frontier) checkHops() error {
	queued := make(map[*hop]bool)
	for _, h := range f.hosts {
		for _, p := range h.hops {
			if p.at != h.origin || p.of.hop != p || queued[p] {
				return fmt.Errorf("a hop of %s at %s is in the queue of %s, or there twice", p.of.origin, p.at, h.origin)
			}
			queued[p] = true
		}
	}
	leased := 0
	for _, h := range f.hosts {
		if h.hop != nil && !queued[h.hop] {
			leased++
		}
	}
	if leased > len(f.leases) {
		return fmt.Errorf("%d hops are in no queue, and %d hosts leased", leased, len(f.leases))
	}
	return nil
}

// checkAddresses is check for addresses, given the number of parked hosts, and the places and
// offers of hosts at each address.
func (f *frontier) checkAddresses(parked int, places, offers map[netip.Addr]int) error {
	waiting := 0
	for addr, hosts := range f.parked {
		if len(hosts) == 0 {
			return fmt.Errorf("the list of %v is empty", addr)
		}
		waiting += len(hosts)
		for _, h := range hosts {
			if h.state != hostParked || h.waiting != addr {
				return fmt.Errorf("%s, in state %d, is in the list of %v", h.origin, h.state, addr)
			}
		}
		if f.open[addr] < f.maxOpen() && !f.called[addr] && offers[addr] == 0 {
			return fmt.Errorf("%d hosts are parked at %v, and nothing calls them", len(hosts), addr)
		}
	}
	if waiting != parked {
		return fmt.Errorf("%d hosts are parked, but %d in the lists", parked, waiting)
	}
	for addr, open := range f.open {
		if open <= 0 || open > f.maxOpen() || places[addr] != open {
			return fmt.Errorf("%d requests are open to %v, where hosts have %d places of %d", open, addr, places[addr], f.maxOpen())
		}
		delete(places, addr)
	}
	if len(places) > 0 {
		return fmt.Errorf("hosts have places that are not counted: %v", places)
	}
	if len(f.calls) != len(f.called) {
		return fmt.Errorf("%d calls, %d addresses that are called", len(f.calls), len(f.called))
	}
	for _, c := range f.calls {
		if !f.called[c.addr] {
			return fmt.Errorf("a call of %v, which is not called", c.addr)
		}
	}
	if f.uncommitted < 0 {
		return fmt.Errorf("%d visits are not committed", f.uncommitted)
	}
	return nil
}

// checkHost returns an error if a host is not in exactly one state. Its cost does not depend
// on the number of hosts, unless the host is parked. f.mu must be held.
func (f *frontier) checkHost(h *host) error {
	if h == nil {
		return nil
	}
	wrong := func(what string) error {
		return fmt.Errorf("%s, in state %d: %s: %+v", h.origin, h.state, what, *h)
	}
	_, leased := f.leases[h]
	pending := len(h.hops) > 0 || h.answer != nil
	inHeap := h.index >= 0 && h.index < len(f.due) && f.due[h.index] == h
	known := f.hosts[h.origin] == h
	committing := f.committing[h.origin] == h
	switch {
	case known != (h.state != hostIdle):
		return wrong("it is among the hosts with something to do, or missing there")
	case leased != (h.state == hostLeased):
		return wrong("it is leased, or missing there")
	case inHeap != (h.state == hostDue), inHeap != (h.index >= 0):
		return wrong("it is in the heap, or missing there")
	case h.waiting.IsValid() != (h.state == hostParked):
		return wrong("it waits for an address, or for none")
	case committing != (h.state == hostIdle && h.commits > 0):
		return wrong("it waits for commits, or is missing there")
	case h.place.IsValid() && h.state != hostLeased:
		return wrong("it has a place, and no lease")
	case h.offered.IsValid() && h.state != hostLeased && h.state != hostDue:
		return wrong("it has an offer, and nobody is going to pass it on")
	case f.awaiting[h] != (h.state == hostAwaiting):
		return wrong("it awaits a hop, or is missing there")
	case h.state == hostAwaiting && (h.hop == nil || pending):
		return wrong("it awaits no hop, or has something else to do")
	case h.state == hostIdle && (h.hop != nil || pending):
		return wrong("it is idle, and has hops")
	case h.state == hostDue && h.hop != nil && !pending && !h.offered.IsValid():
		return wrong("it is due, and awaits a hop")
	case h.hop != nil && h.answer != nil:
		return wrong("it has the answer, and awaits a hop")
	case h.more && h.state != hostLeased:
		return wrong("something was found during its lease, and it has none")
	case h.queued < 0, h.commits < 0:
		return wrong("it counts less than nothing")
	}
	if inHeap {
		for _, child := range []int{2*h.index + 1, 2*h.index + 2} {
			if child < len(f.due) && f.due[child].at.Before(h.at) {
				return wrong(f.due[child].origin + " is due before, and below it in the heap")
			}
		}
		if parent := (h.index - 1) / 2; h.index > 0 && h.at.Before(f.due[parent].at) {
			return wrong(f.due[parent].origin + " is due after, and above it in the heap")
		}
	}
	return nil
}
