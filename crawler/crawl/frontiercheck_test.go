package crawl

import (
	"fmt"
	"net/netip"
	"sync"
	"time"
	"weak"
)

// CheckFrontiers checks every frontier of the process after each step, and panics if the
// invariant of [frontier] does not hold.
func CheckFrontiers() {
	// Steps since the last full check, by frontier; f.mu guards each. A frontier that is kept
	// here keeps its whole crawl in memory, so the keys are weak.
	var steps sync.Map // weak.Pointer[frontier] → *int
	afterStep = func(f *frontier, h *host) {
		count, _ := steps.LoadOrStore(weak.Make(f), new(int))
		n := count.(*int)
		err := f.checkHost(h)
		// The cost of a full check grows with the number of hosts.
		if *n++; err == nil && *n > len(f.hosts)+len(f.idle.committing) {
			*n = 0
			err = f.check()
		}
		if err != nil {
			panic("frontier: " + err.Error())
		}
		if f.finished {
			steps.Delete(weak.Make(f))
		}
	}
}

// check returns an error if the invariant of the frontier or of a part does not hold. f.mu must
// be held.
func (f *frontier) check() error {
	n := make(map[hostState]int)
	for origin, h := range f.hosts {
		if h.origin != origin {
			return fmt.Errorf("%s is kept as %s", h.origin, origin)
		}
		if h.state == hostIdle || h.state == hostGone {
			return fmt.Errorf("%s is idle or gone, and has something to do", origin)
		}
		if h.state != hostLeased && !f.tenures.owns(h) {
			return fmt.Errorf("%s, in state %d, is of a partition that is not loaded", origin, h.state)
		}
		if err := f.checkHost(h); err != nil {
			return err
		}
		n[h.state]++
	}
	if n[hostLeased] != len(f.leases) || n[hostAwaiting] != len(f.awaiting) {
		return fmt.Errorf("%d hosts are leased and %d awaiting, but %d and %d in the lists", n[hostLeased],
			n[hostAwaiting], len(f.leases), len(f.awaiting))
	}
	if err := f.checkLoaded(); err != nil {
		return err
	}
	if f.uncommitted < 0 {
		return fmt.Errorf("%d visits are not committed", f.uncommitted)
	}
	if err := f.checkHops(); err != nil {
		return err
	}
	if err := f.idle.check(); err != nil {
		return err
	}
	if err := f.due.check(n[hostDue]); err != nil {
		return err
	}
	if err := f.addresses.check(f.hosts, n[hostParked]); err != nil {
		return err
	}
	return (&frontierReport{f, time.Now()}).check()
}

// checkLoaded is check for partitions that were unloaded: the channel is closed when none of their
// hosts is leased.
func (f *frontier) checkLoaded() error {
	leased := make(map[uint8]int)
	for h := range f.leases {
		leased[h.partition]++
	}
	for p := range f.tenures.all {
		l := &f.tenures.all[p]
		if l.is || l.empty == nil {
			continue
		}
		empty := false
		select {
		case <-l.empty:
			empty = true
		default:
		}
		if empty != (leased[uint8(p)] == 0) {
			return fmt.Errorf("partition %d was unloaded, %d of its hosts are leased, and it is empty: %v", p,
				leased[uint8(p)], empty)
		}
	}
	return nil
}

// check is check for idle hosts.
func (i *idleHosts) check() error {
	for origin, h := range i.committing {
		if h.origin != origin {
			return fmt.Errorf("%s waits for commits as %s", h.origin, origin)
		}
		if err := i.checkHost(h); err != nil {
			return err
		}
	}
	return nil
}

// check is check for the heap, given the number of hosts whose state is hostDue.
func (d *dueHosts) check(due int) error {
	if due != len(d.heap) {
		return fmt.Errorf("%d hosts are due, but %d in the heap", due, len(d.heap))
	}
	for _, h := range d.heap {
		if err := d.checkHost(h); err != nil {
			return err
		}
	}
	return nil
}

// check is check for addresses, given the hosts that are not idle, and the number of those that
// are parked.
func (a *addresses) check(hosts map[string]*host, parked int) error {
	places, offers := make(map[netip.Addr]int), make(map[netip.Addr]int)
	for _, h := range hosts {
		if h.place.IsValid() {
			places[h.place]++
		}
		if h.offered.IsValid() {
			offers[h.offered]++
		}
	}
	if n := a.waiting(); n != parked {
		return fmt.Errorf("%d hosts are parked, but %d in the queues", parked, n)
	}
	for addr, hosts := range a.parked {
		if len(hosts) == 0 {
			return fmt.Errorf("the queue of %v is empty", addr)
		}
		for _, h := range hosts {
			if h.state != hostParked || h.waiting != addr {
				return fmt.Errorf("%s, in state %d, is in the queue of %v", h.origin, h.state, addr)
			}
		}
		if a.shared == nil && a.open[addr] < a.maxOpen() && !a.called[addr] && offers[addr] == 0 {
			return fmt.Errorf("%d hosts are parked at %v, and nothing calls them", len(hosts), addr)
		}
	}
	for addr, open := range a.open {
		if open <= 0 || open > a.maxOpen() || places[addr] != open {
			return fmt.Errorf("%d requests are open to %v, where hosts have %d places of %d", open, addr, places[addr],
				a.maxOpen())
		}
		delete(places, addr)
	}
	if len(places) > 0 {
		return fmt.Errorf("hosts have places that are not counted: %v", places)
	}
	if len(a.calls) != len(a.called) {
		return fmt.Errorf("%d calls, %d addresses that are called", len(a.calls), len(a.called))
	}
	for i, c := range a.calls {
		if !a.called[c.addr] {
			return fmt.Errorf("a call of %v, which is not called", c.addr)
		}
		if parent := (i - 1) / 2; i > 0 && c.at.Before(a.calls[parent].at) {
			return fmt.Errorf("%v is called before %v, and below it in the heap", c.addr, a.calls[parent].addr)
		}
	}
	return nil
}

// check is check for the report: each host is counted once.
func (r *frontierReport) check() error {
	s := &Status{Waits: make(map[string]int64)}
	r.count(s)
	waits := int64(0)
	for _, n := range s.Waits {
		waits += n
	}
	if n := len(r.of.hosts); s.Busy+s.Waiting != n || waits != int64(n) {
		return fmt.Errorf("the report has %d hosts that are busy, %d that wait, and %v, of %d hosts", s.Busy, s.Waiting,
			s.Waits, n)
	}
	return nil
}

// checkHops is check for hops: each hop is in the queue of one host, unless a worker has it.
func (f *frontier) checkHops() error {
	queued := make(map[*hop]bool)
	for _, h := range f.hosts {
		for _, p := range h.hops {
			if p.at != h.origin || p.of.hop != p || queued[p] {
				return fmt.Errorf("a hop of %s at %s is in the queue of %s, or there twice", p.of.origin, p.at,
					h.origin)
			}
			queued[p] = true
		}
	}
	leased := 0
	for _, h := range f.hosts {
		if h.hop != nil && !queued[h.hop] && h.hop.remote == nil {
			leased++
		}
	}
	if leased > len(f.leases) {
		return fmt.Errorf("%d hops are in no queue, and %d hosts leased", leased, len(f.leases))
	}
	return nil
}

// wrong returns an error about a host.
func wrong(h *host, what string) error {
	return fmt.Errorf("%s, in state %d: %s: %+v", h.origin, h.state, what, *h)
}

// checkHost returns an error if a host is not in exactly one state, and in the part of that state
// alone. Its cost does not depend on the number of hosts. f.mu must be held.
func (f *frontier) checkHost(h *host) error {
	if h == nil {
		return nil
	}
	_, leased := f.leases[h]
	pending := len(h.hops) > 0 || h.answer != nil
	known := f.hosts[h.origin] == h
	switch {
	case known != (h.state != hostIdle && h.state != hostGone):
		return wrong(h, "it is among the hosts with something to do, or missing there")
	case leased != (h.state == hostLeased):
		return wrong(h, "it is leased, or missing there")
	case f.awaiting[h] != (h.state == hostAwaiting):
		return wrong(h, "it awaits a hop, or is missing there")
	case h.state == hostAwaiting && (h.hop == nil || pending):
		return wrong(h, "it awaits no hop, or has something else to do")
	case (h.state == hostIdle || h.state == hostGone) && (h.hop != nil || pending):
		return wrong(h, "it is idle or gone, and has hops")
	case h.state == hostDue && h.hop != nil && !pending && !h.offered.IsValid():
		return wrong(h, "it is due, and awaits a hop")
	case h.state == hostDue && h.isDone() && !h.offered.IsValid():
		return wrong(h, "it is due, and has nothing to do")
	case h.hop != nil && h.answer != nil:
		return wrong(h, "it has the answer, and awaits a hop")
	case h.more && h.state != hostLeased:
		return wrong(h, "something was found during its lease, and it has none")
	case h.queued < 0:
		return wrong(h, "it counts less than nothing")
	}
	if err := f.idle.checkHost(h); err != nil {
		return err
	}
	if err := f.due.checkHost(h); err != nil {
		return err
	}
	return f.addresses.checkHost(h)
}

func (i *idleHosts) checkHost(h *host) error {
	switch committing := i.committing[h.origin] == h; {
	case h.commits < 0:
		return wrong(h, "it counts less than nothing")
	case committing != (h.state == hostIdle && h.commits > 0):
		return wrong(h, "it waits for commits, or is missing there")
	}
	return nil
}

func (d *dueHosts) checkHost(h *host) error {
	inHeap := h.index >= 0 && h.index < len(d.heap) && d.heap[h.index] == h
	if inHeap != (h.state == hostDue) || inHeap != (h.index >= 0) {
		return wrong(h, "it is in the heap, or missing there")
	}
	if !inHeap {
		return nil
	}
	for _, child := range []int{2*h.index + 1, 2*h.index + 2} {
		if child < len(d.heap) && d.heap[child].at.Before(h.at) {
			return wrong(h, d.heap[child].origin+" is due before, and below it in the heap")
		}
	}
	if parent := (h.index - 1) / 2; h.index > 0 && h.at.Before(d.heap[parent].at) {
		return wrong(h, d.heap[parent].origin+" is due after, and above it in the heap")
	}
	return nil
}

func (a *addresses) checkHost(h *host) error {
	switch {
	case h.waiting.IsValid() != (h.state == hostParked):
		return wrong(h, "it waits for an address, or for none")
	case h.place.IsValid() && h.state != hostLeased:
		return wrong(h, "it has a place, and no lease")
	case h.offered.IsValid() && h.state != hostLeased && h.state != hostDue:
		return wrong(h, "it has an offer, and nobody is going to pass it on")
	}
	return nil
}
