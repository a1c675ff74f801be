package crawl

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
)

// A frontier decides which host gets the next request. It has all hosts with something to do.
// A worker leases a host, makes one request at most, and releases the host.
//
// # The states of a host
//
// Each host is in one state. All states change under f.mu.
//
//	idle      The host has nothing to do. While a change of its state is not committed, it is in
//	          f.idle. Then it is forgotten, because the store has its state.
//	due       The host is in the heap f.due, to be leased at host.at.
//	leased    A worker owns the host. It is in f.leases.
//	parked    The host waits for a place at an IP address. It is in f.addresses.
//	awaiting  A redirect of its robots.txt leads elsewhere. It is in f.awaiting until the hop
//	          is made, which is in the queue of another host.
//	gone      Its partition was unloaded. It is nowhere, and never comes back: if the partition
//	          is loaded again, the host is read from the store again.
//
// A host that is neither idle nor gone is in f.hosts too. The changes:
//
//	from       to        by        when
//	the store  due       load      the crawl starts or gets its partition, and the host has a queue
//	idle       due       found     items were committed to its queue
//	idle       due       queueHop  a robots.txt redirects to it
//	due        leased    lease     host.at has come, or markLast chose it
//	due        idle      found     the last items of its queue were committed
//	leased     due       release   it has work: an answer, hops, or a queue
//	leased     awaiting  release   it awaits a hop, and has no work but its queue
//	leased     idle      release   it has no work
//	leased     parked    park      no place is free at its address
//	parked     due       offer     a place is free: the host has an offer until it is leased
//	awaiting   due       answer    the fetch of its robots.txt is over
//	awaiting   due       queueHop  another robots.txt redirects to it
//	awaiting   due       unload    the hop is at a host of a partition that is unloaded: the host
//	                               starts the fetch of its robots.txt again
//	awaiting   idle      unload    the same, and the host has no queue
//	due        idle      unload    its last hop was for a host of a partition that is unloaded
//	any other  gone      unload    its partition is unloaded, and the host is not leased
//	leased     gone      release,  its partition was unloaded during the lease
//	                     park
//
// A host that awaits a hop still makes the hops of other hosts. Otherwise two hosts whose
// robots.txt redirect to each other would wait forever. So a host is due, leased or parked
// while it has hops to make.
//
// # Invariant
//
// A host is in the part of the frontier that belongs to its state, and in no other; each part has
// its own invariant. The crawl is finished when all hosts are idle and all visits are committed,
// unless it shares its partitions with others, who may find more. A host that is neither leased nor
// gone is of a partition that is loaded, and was read since the partition was loaded last.
type frontier struct {
	limits frontierLimits

	// applying is held from a batch's change of the store until the hosts have the change too.
	// Otherwise a host read from the store in between would count the batch twice.
	applying sync.Mutex

	mu          sync.Mutex
	hosts       map[string]*host // all hosts that are not idle
	idle        *idleHosts
	due         *dueHosts
	leases      map[*host]time.Time // start of each lease
	addresses   *addresses
	awaiting    map[*host]bool
	uncommitted int // uncommitted visits, which may add items
	finished    bool
	tenures     *tenures
}

// frontierLimits are the limits of a frontier.
type frontierLimits struct {
	pauses     pace.Pauses
	perAddress int            // maximum open requests to an address; 0 means 8
	own        []netip.Prefix // networks whose addresses have no pace
	revisits   bool           // the crawl is continuous
	shared     bool           // no partition is loaded at the start, and the crawl never finishes
}

func newFrontier(limits frontierLimits, stored func(origin string, partition uint8) (*host, error)) *frontier {
	f := &frontier{limits: limits, hosts: make(map[string]*host), leases: make(map[*host]time.Time),
		awaiting: make(map[*host]bool)}
	f.tenures = &tenures{of: f}
	for p := range f.tenures.all {
		f.tenures.all[p].is = !limits.shared
	}
	f.idle = &idleHosts{pauses: &f.limits.pauses, stored: stored, committing: make(map[string]*host),
		tenures: f.tenures}
	f.due = newDueHosts()
	f.addresses = newAddresses(&f.limits, f.due)
	return f
}

// afterStep is set by tests. It checks a frontier after each step. h is the changed host, or
// nil after other changes. f.mu is held.
var afterStep func(f *frontier, h *host)

// unlock ends a step that began with f.mu.Lock and changed h, which may be nil.
func (f *frontier) unlock(h *host) {
	if afterStep != nil {
		afterStep(f, h)
	}
	f.mu.Unlock()
}

// setDue makes a host due that is not due already. f.mu must be held.
func (f *frontier) setDue(h *host, at time.Time) {
	switch h.state {
	case hostIdle:
		f.idle.remove(h)
		f.hosts[h.origin] = h
	case hostAwaiting:
		delete(f.awaiting, h)
	}
	f.due.push(h, at)
}

// setLeased leases a due host. f.mu must be held.
func (f *frontier) setLeased(h *host, now time.Time) {
	f.due.remove(h)
	h.state = hostLeased
	f.leases[h] = now
}

// dismiss makes a host idle. f.mu must be held.
func (f *frontier) dismiss(h *host) {
	delete(f.hosts, h.origin)
	f.idle.put(h)
}

// load makes a host with a queue due when a crawl resumes. The previous process may have been
// killed, so a request to the host may have ended just now. If the last answers of its partition
// are lost, load returns an outcome with the pause that the host gets, which counts as sent: the
// next owner of the partition has to keep that pause, and may follow soon.
func (f *frontier) load(h *host, firstDue, now time.Time) (o *outcome) {
	f.mu.Lock()
	defer func() { f.unlock(h) }()
	if known := f.idle.committing[h.origin]; known != nil {
		h = known
	} else if f.tenures.begin(h); !f.idle.suspect.IsZero() {
		h.pace.Interrupt(&f.limits.pauses, f.idle.suspect) // the memo is damaged
	}
	h.pace.Resume(now)
	f.addresses.join(h)
	h.reason = h.pace.Wait(&f.limits.pauses, now)
	f.setDue(h, later(h.reason.At, firstDue))
	if f.tenures.all[h.partition].lost {
		f.idle.save(h)
		o = &outcome{host: h, blob: h.appendState(nil)}
	}
	return o
}

// recalled returns a host with the pauses from the memo.
func (f *frontier) recalled(o *memoHost) (*host, error) {
	f.mu.Lock()
	h := f.hosts[o.origin]
	defer func() { f.unlock(h) }()
	if h == nil {
		idle, err := f.idle.get(o.origin, o.partition)
		if err != nil {
			return nil, err
		}
		h = idle
	}
	err := o.restore(h)
	f.addresses.join(h)
	return h, err
}

// reconsider moves a host in the heap after its pace has changed.
func (f *frontier) reconsider(h *host, now time.Time) {
	f.mu.Lock()
	defer f.unlock(h)
	h.reason = h.pace.Wait(&f.limits.pauses, now)
	if h.state == hostDue {
		f.due.delay(h, h.reason.At)
	}
}

// interruptAll gives all hosts a first pause: the memo has lost their last answers, which may
// have asked for longer pauses.
func (f *frontier) interruptAll(now time.Time) {
	f.mu.Lock()
	defer f.unlock(nil)
	f.idle.suspect = now
	for _, h := range f.hosts {
		h.pace.Interrupt(&f.limits.pauses, now)
		h.reason = h.pace.Wait(&f.limits.pauses, now)
		if h.state == hostDue {
			f.due.delay(h, h.reason.At)
		}
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// lease waits until a host is due and leases it. It returns nil if the crawl has ended. The
// caller must release or park the host.
func (f *frontier) lease(ctx context.Context) *host {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		f.mu.Lock()
		now := time.Now()
		if f.finished || ctx.Err() != nil {
			f.unlock(nil)
			f.due.wakeOne()
			return nil
		}
		f.addresses.callDue(now)
		if f.due.hasDue(now) || f.markLast() {
			h := f.due.first()
			f.setLeased(h, now)
			more := f.due.first() != nil || len(f.addresses.calls) > 0
			f.unlock(h)
			if more {
				f.due.wakeOne() // another worker waits for the next host, whose time this worker knew
			}
			return h
		}
		if len(f.hosts) == 0 && f.uncommitted == 0 && !f.limits.revisits && !f.limits.shared {
			f.finished = true
			f.unlock(nil)
			continue
		}
		wait := time.Hour
		if h := f.due.first(); h != nil {
			wait = h.at.Sub(now)
		}
		if calls := f.addresses.calls; len(calls) > 0 {
			wait = min(wait, calls[0].at.Sub(now))
		}
		f.unlock(nil)
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-f.due.wake:
		case <-timer.C:
		}
	}
}

// release ends the lease of a host. A host with a queue is due at the given time. If the lease
// found items or the host has hops to make, the host is due at the end of its wait. A host
// with an answer is due at once, because the turn needs no request.
func (f *frontier) release(h *host, at time.Time, w pace.Wait) {
	f.mu.Lock()
	delete(f.leases, h)
	f.addresses.leave(h)
	f.addresses.passOffer(h)
	if !f.tenures.owns(h) {
		f.tenures.forget(h)
		f.unlock(h)
		f.due.wakeOne()
		return
	}
	h.reason = w
	if h.more || len(h.hops) > 0 {
		at = w.At
	}
	h.more = false
	switch {
	case h.answer != nil:
		f.setDue(h, time.Now())
	case len(h.hops) > 0, h.hop == nil && h.hasQueue():
		f.setDue(h, at)
	case h.hop != nil:
		h.state = hostAwaiting
		f.awaiting[h] = true
	default:
		f.dismiss(h)
	}
	f.unlock(h)
	f.due.wakeOne() // the crawl may be finished
}

// park parks a leased host if its address has no free place or may not be requested yet.
// Otherwise the host gets a place until its release, or keeps its place, and park returns
// false. A host of a partition that was unloaded gets no place, and is gone.
func (f *frontier) park(h *host, addr netip.Addr) bool {
	f.mu.Lock()
	defer f.unlock(h)
	if !f.tenures.owns(h) {
		delete(f.leases, h)
		f.addresses.leave(h)
		f.addresses.passOffer(h)
		f.tenures.forget(h)
		return true
	}
	ok, first := f.addresses.enter(h, addr)
	if ok {
		return false
	}
	delete(f.leases, h)
	h.more = false // its next turn finds the items
	f.addresses.park(h, addr, first)
	return true
}

// found applies a committed change of a host's queue: more is the change in the number of
// items, put whether items were added, and due when the first of them is due. The caller must
// hold f.applying. Nothing happens if the partition is not loaded.
func (f *frontier) found(origin string, partition uint8, more int64, put bool, due time.Time) (err error) {
	f.mu.Lock()
	h := f.hosts[origin]
	defer func() { f.unlock(h) }()
	if !f.tenures.isLoaded(partition) {
		h = nil
		return nil
	}
	if h == nil {
		if put {
			h, err = f.foundIdle(origin, partition, more, due)
		}
		return err
	}
	h.queued += more
	switch h.state {
	case hostLeased:
		h.more = h.more || put
	case hostDue:
		if put {
			f.due.hurry(h, later(h.reason.At, due))
		}
		if h.isDone() {
			f.due.remove(h)
			f.dismiss(h)
			f.addresses.passOffer(h)
			f.due.wakeOne() // the crawl may be finished
		}
	}
	return nil
}

// foundIdle is found for an idle host. The host becomes due if it has items. f.mu must be
// held.
func (f *frontier) foundIdle(origin string, partition uint8, more int64, due time.Time) (*host, error) {
	h, err := f.idle.get(origin, partition)
	if err != nil {
		return nil, err
	}
	if h.commits > 0 {
		h.queued += more // otherwise h comes from the store, which has counted them
	}
	if h.queued <= 0 {
		return h, nil
	}
	h.reason = h.pace.Wait(&f.limits.pauses, time.Now())
	f.setDue(h, later(h.reason.At, due))
	return h, nil
}

// save counts a change of a host's state that is queued for the journal. saved uncounts the
// changes of committed visits.
func (f *frontier) save(h *host) {
	f.mu.Lock()
	defer f.unlock(h)
	f.idle.save(h)
}

func (f *frontier) saved(batch []*outcome) {
	f.mu.Lock()
	defer f.unlock(nil)
	for _, o := range batch {
		if o.host != nil {
			f.idle.saved(o.host)
		}
	}
}

// begin and end count uncommitted visits.
func (f *frontier) begin() {
	f.mu.Lock()
	f.uncommitted++
	f.unlock(nil)
}

func (f *frontier) end(n int) {
	f.mu.Lock()
	f.uncommitted -= n
	f.unlock(nil)
	f.due.wakeOne() // the crawl may be finished
}

// join is begin for a caller from outside of the crawl. It reports false if the crawl is finished
// already.
func (f *frontier) join() bool {
	f.mu.Lock()
	defer f.unlock(nil)
	if !f.finished {
		f.uncommitted++
	}
	return !f.finished
}

func (f *frontier) isFinished() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.finished
}
