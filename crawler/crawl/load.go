package crawl

import (
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/fleet"
)

// A loading says whether the hosts of a partition are in a frontier.
type loading struct {
	is     bool
	tenure uint64        // how often the partition was loaded
	since  time.Time     // when it was loaded last, or zero
	lost   bool          // then, the last answers of its hosts were lost
	empty  chan struct{} // closed when no host of a partition that was unloaded is leased, or nil
}

// errForeign is the error of a hop to a host whose partition is not loaded.
var errForeign = errors.New("another worker owns the host")

// tenures says which partitions of a frontier are loaded, and since when. Its methods load
// partitions and unload them, with their hosts.
//
// All of this belongs to the frontier, which guards it with its lock.
type tenures struct {
	of  *frontier
	all [partitions]loading

	// Called with the lock held, if not nil: for each host that is gone, and for each remote hop of
	// another worker that was not made.
	forgotten func(h *host)
	bounced   func(p *hop)
}

// isLoaded reports whether a partition is loaded. The lock must be held.
func (t *tenures) isLoaded(partition uint8) bool { return t.all[partition].is }

// begin prepares a host that was read from the store for the tenure of its partition. The lock must
// be held.
func (t *tenures) begin(h *host) {
	l := &t.all[h.partition]
	h.tenure = l.tenure
	owes := h.owes(l.since)
	if !l.since.IsZero() {
		h.pace.Move(l.since, fleet.Apart)
	}
	switch pauses := &t.of.limits.pauses; {
	case l.since.IsZero():
	case l.lost && !owes:
		h.pace.Interrupt(pauses, l.since)
	default:
		h.pace.Resume(l.since) // the owner before may have asked it just then
	}
}

// owes reports whether the log owed a host silence until after the take-over of its partition, by
// clocks that differ. Then the owner before, who was killed, has not asked it since
// its last record, so no answer is lost.
func (h *host) owes(since time.Time) bool {
	return h.pace.Silent().After(since.Add(fleet.Apart))
}

// owns reports whether a host is of a partition that is loaded, and not of an earlier tenure. The
// lock must be held.
func (t *tenures) owns(h *host) bool {
	l := &t.all[h.partition]
	return l.is && l.tenure == h.tenure
}

// open begins a tenure of a partition: its hosts may be loaded, and found. If their last answers
// were lost, which may have asked for pauses, each host gets a first pause.
func (t *tenures) open(partition uint8, now time.Time, lost bool) (tenure uint64) {
	t.of.mu.Lock()
	defer t.of.unlock(nil)
	l := &t.all[partition]
	*l = loading{is: true, tenure: l.tenure + 1, since: now, lost: lost}
	return l.tenure
}

// unload ends the tenure of a partition: none of its hosts is leased any more, and all that are not
// leased are gone. The others are gone when their leases end; then the channel is closed.
func (t *tenures) unload(partition uint8) (empty <-chan struct{}) {
	t.of.mu.Lock()
	defer t.of.unlock(nil)
	l := &t.all[partition]
	if l.is {
		l.is, l.empty = false, make(chan struct{})
		for _, h := range t.of.hosts {
			if h.partition == partition && h.state != hostLeased {
				t.forget(h)
			}
		}
		for _, h := range t.of.idle.committing {
			if h.partition == partition {
				t.forget(h)
			}
		}
		t.checkEmpty(partition)
		t.of.due.wakeOne()
	}
	if l.empty == nil {
		never := make(chan struct{})
		close(never)
		return never
	}
	return l.empty
}

// checkEmpty closes the channel of a partition that was unloaded if none of its hosts is leased.
// The lock must be held.
func (t *tenures) checkEmpty(partition uint8) {
	l := &t.all[partition]
	if l.is || l.empty == nil {
		return
	}
	for h := range t.of.leases {
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

// forget makes a host gone that is not leased any more, in whatever state it is. The lock must be
// held.
func (t *tenures) forget(h *host) {
	switch h.state {
	case hostIdle:
		t.of.idle.remove(h)
	case hostDue:
		t.of.due.remove(h)
		t.of.addresses.passOffer(h)
	case hostParked:
		t.of.addresses.unpark(h)
	case hostAwaiting:
		delete(t.of.awaiting, h)
	}
	if t.of.hosts[h.origin] == h {
		delete(t.of.hosts, h.origin)
	}
	h.state, h.more = hostGone, false
	hops, hop := h.hops, h.hop
	h.hops, h.hop, h.answer = nil, nil, nil
	for _, p := range hops {
		if p.remote == nil {
			t.restart(p.of)
		} else if t.bounced != nil {
			t.bounced(p)
		}
	}
	if hop != nil {
		t.withdraw(hop)
	}
	if t.forgotten != nil {
		t.forgotten(h)
	}
	t.checkEmpty(h.partition)
}

// restart makes a host fetch its robots.txt again, because its hop is lost. The lock
// must be held.
func (t *tenures) restart(h *host) {
	h.hop = nil
	if h.state == hostAwaiting && h.hasQueue() {
		delete(t.of.awaiting, h)
		h.reason = h.pace.Wait(&t.of.limits.pauses, time.Now())
		t.of.due.push(h, h.reason.At)
		return
	}
	t.settle(h)
}

// withdraw removes a hop from the queue of its host, unless a worker has it. The lock must be held.
func (t *tenures) withdraw(p *hop) {
	h := t.of.hosts[p.at]
	if h == nil {
		return
	}
	if i := slices.Index(h.hops, p); i >= 0 {
		h.hops = slices.Delete(h.hops, i, i+1)
		t.settle(h)
	}
}

// settle makes a host that has lost a hop idle or awaiting, if it has nothing else to do. The lock
// must be held.
func (t *tenures) settle(h *host) {
	awaits := h.hop != nil && len(h.hops) == 0 && h.answer == nil
	if !h.isDone() && !awaits {
		return
	}
	switch h.state {
	case hostDue:
		t.of.due.remove(h)
	case hostParked:
		t.of.addresses.unpark(h)
	case hostAwaiting:
		delete(t.of.awaiting, h)
	default:
		return // the worker with its lease finds out
	}
	if awaits {
		h.state = hostAwaiting
		t.of.awaiting[h] = true
	} else {
		t.of.dismiss(h)
	}
	t.of.addresses.passOffer(h)
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
