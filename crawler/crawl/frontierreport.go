package crawl

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// A frontierReport reports the states of the hosts of a frontier at a time. It changes nothing.
//
// # Invariant
//
// Each host with something to do is counted once, as busy or waiting and by the reason for its
// wait.
type frontierReport struct {
	of  *frontier
	now time.Time
}

// fill counts the hosts by wait in a status, and lists at most the given number of hosts: leased
// hosts first, then those parked, those awaiting hops, and those due next.
func (r *frontierReport) fill(s *Status, hosts int) {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.count(s)
	if hosts > 0 {
		s.Hosts = r.list(min(hosts, s.Busy+s.Waiting))
	}
}

// count counts the hosts by wait. The lock of the frontier must be held.
func (r *frontierReport) count(s *Status) {
	f := r.of
	s.Busy = len(f.leases)
	parked := f.addresses.waiting()
	s.Waiting = parked + len(f.awaiting) + len(f.due.heap)
	for wait, n := range map[string]int{waitAsked: s.Busy, waitAddress: parked, waitRedirect: len(f.awaiting)} {
		if n > 0 {
			s.Waits[wait] = int64(n)
		}
	}
	var waits [waitKinds]int64
	for _, h := range f.due.heap {
		kind, _ := h.waits(r.now)
		waits[kind]++
	}
	for kind, n := range waits {
		if n > 0 {
			s.Waits[waitKind(kind).String()] += n
		}
	}
}

// list returns the status of n hosts. The lock of the frontier must be held.
func (r *frontierReport) list(n int) []HostStatus {
	f := r.of
	list := make([]HostStatus, 0, n)
	add := func(hosts []*host) {
		for _, h := range hosts[:min(n-len(list), len(hosts))] {
			list = append(list, r.status(h))
		}
	}
	byOrigin := func(a, b *host) int { return strings.Compare(a.origin, b.origin) }
	add(slices.SortedFunc(maps.Keys(f.leases), func(a, b *host) int {
		return cmp.Or(f.leases[a].Compare(f.leases[b]), byOrigin(a, b))
	}))
	for _, addr := range slices.SortedFunc(maps.Keys(f.addresses.parked), netip.Addr.Compare) {
		add(f.addresses.parked[addr])
	}
	add(slices.SortedFunc(maps.Keys(f.awaiting), byOrigin))
	add(f.due.heap.soonest(n - len(list)))
	return list
}

// host returns the status of a host, with the part of its queue that is in memory.
func (r *frontierReport) host(known *store.Host, urls int) HostStatus {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	h := r.of.hosts[known.Origin]
	if h == nil {
		return idle(known)
	}
	s := r.status(h)
	if h.state == hostLeased {
		return s // the worker owns h.queue
	}
	for _, k := range h.queue {
		s.queue(k, urls)
	}
	return s
}

// status returns the status of a host that is not idle. The lock of the frontier must be held.
func (r *frontierReport) status(h *host) HostStatus {
	s := HostStatus{Origin: h.origin, partition: h.partition, Queued: h.queued}
	switch h.state {
	case hostLeased:
		s.Wait, s.Since, s.Why = waitAsked, r.of.leases[h].UTC(), "it is asked now"
	case hostParked:
		s.Wait, s.Why = waitAddress, r.of.addresses.why(h.waiting)
	case hostAwaiting:
		s.Wait, s.Why = waitRedirect, "its robots.txt leads to "+h.hop.at+", which is asked when its pace allows"
	default:
		s.wait(h, r.now)
	}
	return s
}
