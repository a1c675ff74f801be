package crawl

import (
	"errors"
	"net/netip"
	"slices"
	"time"
)

// A loading says whether the hosts of a partition are in a frontier.
type loading struct {
	is     bool
	tenure uint64        // how often the partition was loaded
	since  time.Time     // when it was loaded last, or zero
	empty  chan struct{} // closed when no host of a partition that was unloaded is leased, or nil
}

// errForeign is the error of a hop to a host whose partition is not loaded.
var errForeign = errors.New("another worker owns the host")

// owns reports whether a host is of a partition that is loaded, and not of an earlier tenure. f.mu
// must be held.
func (f *frontier) owns(h *host) bool {
	l := &f.loaded[h.partition]
	return l.is && l.tenure == h.tenure
}

// open begins a tenure of a partition: its hosts may be loaded, and found.
func (f *frontier) open(partition uint8, now time.Time) (tenure uint64) {
	f.mu.Lock()
	defer f.unlock(nil)
	l := &f.loaded[partition]
	*l = loading{is: true, tenure: l.tenure + 1, since: now}
	return l.tenure
}

// tenureOf returns the tenure of a partition that is loaded.
func (f *frontier) tenureOf(partition uint8) (tenure uint64, loaded bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.loaded[partition].tenure, f.loaded[partition].is
}

// unload ends the tenure of a partition: none of its hosts is leased any more, and all that are not
// leased are gone. The others are gone when their leases end; then the channel is closed.
func (f *frontier) unload(partition uint8) (empty <-chan struct{}) {
	f.mu.Lock()
	defer f.unlock(nil)
	l := &f.loaded[partition]
	if l.is {
		l.is, l.empty = false, make(chan struct{})
		for _, h := range f.hosts {
			if h.partition == partition && h.state != hostLeased {
				f.forget(h)
			}
		}
		for _, h := range f.idle.committing {
			if h.partition == partition {
				f.forget(h)
			}
		}
		f.checkEmpty(partition)
		f.due.wakeOne()
	}
	if l.empty == nil {
		never := make(chan struct{})
		close(never)
		return never
	}
	return l.empty
}

// checkEmpty closes the channel of a partition that was unloaded if none of its hosts is leased.
// f.mu must be held.
func (f *frontier) checkEmpty(partition uint8) {
	l := &f.loaded[partition]
	if l.is || l.empty == nil {
		return
	}
	for h := range f.leases {
		if h.partition == partition {
			return
		}
	}
	select {
	case <-l.empty:
	default:
		close(l.empty)
	}
}

// forget makes a host gone that is not leased any more, in whatever state it is. f.mu must be held.
func (f *frontier) forget(h *host) {
	switch h.state {
	case hostIdle:
		f.idle.remove(h)
	case hostDue:
		f.due.remove(h)
		f.addresses.passOffer(h)
	case hostParked:
		f.addresses.unpark(h)
	case hostAwaiting:
		delete(f.awaiting, h)
	}
	if f.hosts[h.origin] == h {
		delete(f.hosts, h.origin)
	}
	h.state, h.more = hostGone, false
	hops, hop := h.hops, h.hop
	h.hops, h.hop, h.answer = nil, nil, nil
	for _, p := range hops {
		if p.remote == nil {
			f.restart(p.of)
		} else if f.bounced != nil {
			f.bounced(p)
		}
	}
	if hop != nil {
		f.withdraw(hop)
	}
	if f.forgotten != nil {
		f.forgotten(h)
	}
	f.checkEmpty(h.partition)
}

// restart makes a host fetch its robots.txt anew, because its hop is lost. f.mu must be held.
func (f *frontier) restart(h *host) {
	h.hop = nil
	if h.state == hostAwaiting && h.hasQueue() {
		delete(f.awaiting, h)
		h.reason = h.pace.Wait(&f.limits.pauses, time.Now())
		f.due.push(h, h.reason.At)
		return
	}
	f.settle(h)
}

// withdraw removes a hop from the queue of the host that it is in, unless a worker has it. f.mu must
// be held.
func (f *frontier) withdraw(p *hop) {
	h := f.hosts[p.at]
	if h == nil {
		return
	}
	if i := slices.Index(h.hops, p); i >= 0 {
		h.hops = slices.Delete(h.hops, i, i+1)
		f.settle(h)
	}
}

// settle makes a host that has lost a hop idle or awaiting, if it has nothing else to do. f.mu must
// be held.
func (f *frontier) settle(h *host) {
	awaits := h.hop != nil && len(h.hops) == 0 && h.answer == nil
	if !h.isDone() && !awaits {
		return
	}
	switch h.state {
	case hostDue:
		f.due.remove(h)
	case hostParked:
		f.addresses.unpark(h)
	case hostAwaiting:
		delete(f.awaiting, h)
	default:
		return // the worker with its lease finds out
	}
	if awaits {
		h.state = hostAwaiting
		f.awaiting[h] = true
	} else {
		f.dismiss(h)
	}
	f.addresses.passOffer(h)
}

// unpark takes a parked host out of the queue at its address.
func (a *addresses) unpark(h *host) {
	addr := h.waiting
	h.waiting = netip.Addr{}
	all := a.parked[addr]
	if i := slices.Index(all, h); len(all) == 1 {
		delete(a.parked, addr)
	} else if i >= 0 {
		a.parked[addr] = slices.Delete(all, i, i+1)
	}
}
