package crawl

import (
	"container/heap"
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawl/internal/pace"
	"github.com/robotsexclusion/robots/crawl/internal/store"
)

// A frontier decides which host is asked next. It has all hosts with something to do.
// A worker leases a host, makes one request at most, and releases the host.
//
// # The states of a host
//
// Each host is in one state. All states change under f.mu.
//
//	idle      The host has nothing to do. It is in f.committing while a change of its state is
//	          not committed, and then forgotten: the store has all of it.
//	due       The host is in the heap f.due, to be leased at host.at.
//	leased    A worker owns the host. It is in f.leases.
//	parked    The host waits for a place at an IP address. It is in f.parked at host.waiting.
//	awaiting  A redirect of its robots.txt leads elsewhere. It is in f.awaiting until the hop,
//	          which another host has in its queue, is made.
//
// A host that is not idle is in f.hosts too. The changes:
//
//	from       to        by        when
//	the store  due       load      the crawl starts, and the host has a queue
//	idle       due       found     items were committed to its queue
//	idle       due       queueHop  a robots.txt leads to it
//	due        leased    lease     its time has come, or markLast chose it
//	due        idle      found     the last items of its queue were committed
//	leased     due       release   it has work: an answer, hops, or a queue
//	leased     awaiting  release   it awaits a hop, and has no work but its queue
//	leased     idle      release   it has no work
//	leased     parked    park      there is no place at its address
//	parked     due       unpark    there is a place: it has an offer of one until it is leased
//	awaiting   due       answer    the fetch of its robots.txt is over
//	awaiting   due       queueHop  another robots.txt leads to it
//
// A host that awaits a hop still makes the hops of others, or else two hosts whose robots.txt
// lead to each other would wait for ever. So the host is due, leased or parked while it has
// hops to make.
//
// A leased host has a place at an address from park to release. An offer is no place: another
// host may take the place first. A host that does not need its offer passes the offer on.
type frontier struct {
	limits frontierLimits
	// stored returns a host in the state of the store, or a new one.
	stored func(origin string, partition uint8) (*host, error)
	wake   chan struct{} // wakes one worker: something may be due sooner than it knows

	// settling is held from the change of the store that a batch makes until the hosts have
	// it too. A host that was read from the store in between would count the batch twice.
	settling sync.Mutex

	mu          sync.Mutex
	hosts       map[string]*host // all that are not idle
	committing  map[string]*host // idle, with changes that are not committed
	due         hostHeap
	leases      map[*host]time.Time // when each was leased
	awaiting    map[*host]bool
	parked      map[netip.Addr][]*host
	open        map[netip.Addr]int // places that are taken
	places      map[netip.Addr]*pace.Address
	calls       callHeap // addresses that hosts are parked at, by when one of them may go on
	called      map[netip.Addr]bool
	began       time.Time
	uncommitted int // visits that may find more
	finished    bool
	suspect     time.Time // when the memo turned out to be damaged, or zero
}

// frontierLimits are the limits of a frontier.
type frontierLimits struct {
	manners    pace.Manners
	perAddress int            // most requests under way to an address; 0 means 8
	own        []netip.Prefix // networks whose addresses have no pace of their own
	revisits   bool           // the crawl has no end
}

// A hostState is what the frontier does with a host: see [frontier].
type hostState uint8

const (
	hostIdle hostState = iota
	hostDue
	hostLeased
	hostParked
	hostAwaiting
)

// A host is a host with something to do. The worker that has leased it owns all fields that
// are not the frontier's.
type host struct {
	origin    string
	partition uint8

	pace    pace.Host
	counts  counts
	group   *robots.Group
	long    bool          // the robots.txt of group is too long to stay in memory while the host waits
	fresh   time.Time     // until when group is
	queue   []store.Entry // taken from the store ahead
	filled  time.Time     // when that was
	yields  yields        // what pages that repeat others led to
	similar []uint64      // digests of its last pages
	forms   []uint64      // and their forms
	endless endless       // what it was asked for
	logged  uint64        // a bit for each reason for which a URL of it was logged

	// The fields below are the frontier's, under its lock.
	state   hostState
	at      time.Time     // when it is due
	reason  pace.Wait     // why it waits
	index   int           // in the heap, or -1
	queued  int64         // committed items of the store's queue
	commits int           // changes of its state that are not committed
	more    bool          // items were found while it was leased
	waiting netip.Addr    // where it is parked
	place   netip.Addr    // where it has a place
	offered netip.Addr    // where a place was free when its turn came
	hops    []*hop        // to be made here
	hopped  bool          // a hop was made here since the last turn with a URL of its own
	hop     *hop          // the next request for its robots.txt, in the queue of a host
	answer  *robotsAnswer // of the last hop
	last    bool          // it is to be given up, if it is dead
	spared  time.Time     // the value of at with which it was not given up
}

func newFrontier(limits frontierLimits, stored func(origin string, partition uint8) (*host, error)) *frontier {
	return &frontier{
		limits: limits, stored: stored, wake: make(chan struct{}, 1), hosts: make(map[string]*host), committing: make(map[string]*host),
		parked: make(map[netip.Addr][]*host), open: make(map[netip.Addr]int), leases: make(map[*host]time.Time), awaiting: make(map[*host]bool),
		places: make(map[netip.Addr]*pace.Address), called: make(map[netip.Addr]bool), began: time.Now(),
	}
}

// afterStep is set by tests: it checks a frontier after each step that changed a host, or
// something else where the host is nil. f.mu is held.
var afterStep func(f *frontier, h *host)

// unlock ends a step that began with f.mu.Lock and changed h, which may be nil.
func (f *frontier) unlock(h *host) {
	if afterStep != nil {
		afterStep(f, h)
	}
	f.mu.Unlock()
}

// setDue makes a host due at host.at. f.mu must be held.
func (f *frontier) setDue(h *host) {
	if h.state == hostIdle {
		f.hosts[h.origin] = h
	}
	h.state = hostDue
	heap.Push(&f.due, h)
}

// setLeased leases a host. f.mu must be held.
func (f *frontier) setLeased(h *host, now time.Time) {
	if h.state == hostIdle {
		f.hosts[h.origin] = h
	}
	h.state = hostLeased
	f.leases[h] = now
}

// load makes a host due that has a queue since the crawl was stopped. The robot may have been
// killed, so that a request to the host may just have ended.
func (f *frontier) load(h *host, firstDue, now time.Time) {
	f.mu.Lock()
	defer f.unlock(h)
	h.pace.Resume(now)
	f.joinPlace(h)
	h.reason = h.pace.Wait(&f.limits.manners, now)
	h.at = later(h.reason.At, firstDue)
	f.setDue(h)
}

// recalled returns a host with the politeness that a memo has.
func (f *frontier) recalled(o *owed) (*host, error) {
	h := f.hosts[o.origin]
	if h == nil {
		var err error
		if h, err = f.fromStore(o.origin, o.partition); err != nil {
			return nil, err
		}
	}
	err := o.tell(h)
	f.mu.Lock()
	defer f.unlock(h)
	f.joinPlace(h)
	return h, err
}

// reconsider moves a host in the heap after its pace has changed.
func (f *frontier) reconsider(h *host, now time.Time) {
	f.mu.Lock()
	defer f.unlock(h)
	h.reason = h.pace.Wait(&f.limits.manners, now)
	if h.index >= 0 {
		h.at = later(h.reason.At, h.at)
		heap.Fix(&f.due, h.index)
	}
}

// idle returns a host that f.hosts does not have, with the changes that are not committed
// yet. f.mu and f.settling must be held.
func (f *frontier) idle(origin string, partition uint8) (*host, error) {
	if h := f.committing[origin]; h != nil {
		return h, nil
	}
	return f.fromStore(origin, partition)
}

// fromStore returns a host in the state of the store.
func (f *frontier) fromStore(origin string, partition uint8) (*host, error) {
	h, err := f.stored(origin, partition)
	if err == nil && !f.suspect.IsZero() {
		h.pace.Interrupt(&f.limits.manners, f.suspect)
	}
	return h, err
}

// interruptAll leaves all hosts alone for a first pause: the last answers of the hosts, which
// may have asked for longer ones, are lost.
func (f *frontier) interruptAll(now time.Time) {
	f.mu.Lock()
	defer f.unlock(nil)
	f.suspect = now
	for _, h := range f.hosts {
		h.pace.Interrupt(&f.limits.manners, now)
		h.reason = h.pace.Wait(&f.limits.manners, now)
		h.at = later(h.reason.At, h.at)
	}
	heap.Init(&f.due)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// lease waits for a host that may be asked, and leases it. It returns nil if the crawl has
// ended. The caller must release or park the host.
func (f *frontier) lease(ctx context.Context) *host {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		f.mu.Lock()
		now := time.Now()
		if f.finished || ctx.Err() != nil {
			f.unlock(nil)
			f.rouse()
			return nil
		}
		f.callParked(now)
		if len(f.due) > 0 && (!f.due[0].at.After(now) || f.markLast()) {
			h := heap.Pop(&f.due).(*host)
			f.setLeased(h, now)
			more := len(f.due) > 0 && !f.due[0].at.After(now)
			f.unlock(h)
			if more {
				f.rouse() // one worker wakes the next
			}
			return h
		}
		if len(f.hosts) == 0 && f.uncommitted == 0 && !f.limits.revisits {
			f.finished = true
			f.unlock(nil)
			continue
		}
		wait := time.Hour
		if len(f.due) > 0 {
			wait = f.due[0].at.Sub(now)
		}
		if len(f.calls) > 0 {
			wait = min(wait, f.calls[0].at.Sub(now))
		}
		f.unlock(nil)
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-f.wake:
		case <-timer.C:
		}
	}
}

// rouse wakes a worker that waits in lease.
func (f *frontier) rouse() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// release ends the lease of a host. The host is due at a time if it has a queue, and at the end
// of its wait if items were found during the lease or hops are to be made. An answer needs no
// request, and so no wait.
func (f *frontier) release(h *host, at time.Time, w pace.Wait) {
	f.mu.Lock()
	f.releaseLocked(h, at, w)
	f.unlock(h)
	f.rouse()
}

// releaseLocked is release. f.mu must be held.
func (f *frontier) releaseLocked(h *host, at time.Time, w pace.Wait) {
	delete(f.leases, h)
	f.leave(h)
	f.passOffer(h)
	h.at, h.reason = at, w
	if h.more || len(h.hops) > 0 {
		h.at = w.At
	}
	h.more = false
	switch {
	case h.answer != nil:
		h.at = time.Now()
		f.setDue(h)
	case len(h.hops) > 0, h.hop == nil && h.hasQueue():
		f.setDue(h)
	case h.hop != nil:
		h.state = hostAwaiting
		f.awaiting[h] = true
	default:
		f.dismiss(h)
	}
}

// passOffer passes the offer of a host on to another host that is parked there. f.mu must be
// held.
func (f *frontier) passOffer(h *host) {
	if addr := h.offered; addr.IsValid() {
		h.offered = netip.Addr{}
		f.callAt(addr)
	}
}

// isDone reports whether a host has nothing to do.
func (h *host) isDone() bool {
	return !h.hasQueue() && len(h.hops) == 0 && h.hop == nil && h.answer == nil
}

// hasQueue reports whether a host has items, in the store or taken ahead.
func (h *host) hasQueue() bool { return h.queued > 0 || len(h.queue) > 0 }

// dismiss makes a host idle. The frontier forgets it once the store has its state: the state
// that the store has until then may ask for less of a pause. f.mu must be held.
func (f *frontier) dismiss(h *host) {
	h.state = hostIdle
	delete(f.hosts, h.origin)
	if h.commits > 0 {
		f.committing[h.origin] = h
	}
}

// save notes that a change of the state of a host is queued for the journal. saved notes the
// hosts of visits that are committed.
func (f *frontier) save(h *host) {
	f.mu.Lock()
	defer f.unlock(h)
	if h.commits++; h.state == hostIdle {
		f.committing[h.origin] = h
	}
}

func (f *frontier) saved(batch []*outcome) {
	f.mu.Lock()
	defer f.unlock(nil)
	for _, v := range batch {
		if v.host == nil {
			continue
		}
		if v.host.commits--; v.host.commits == 0 && f.committing[v.host.origin] == v.host {
			delete(f.committing, v.host.origin)
		}
	}
}

// park parks a leased host at an address that has as many requests as it may have, or may not
// be asked yet. Otherwise the host gets a place there until it is released, or keeps the one
// that it has, and park returns false.
func (f *frontier) park(h *host, addr netip.Addr) bool {
	f.mu.Lock()
	defer f.unlock(h)
	if h.place == addr {
		return false // for a request that was not necessary
	}
	f.leave(h)
	before := h.offered
	if h.offered = (netip.Addr{}); before.IsValid() && before != addr {
		f.callAt(before)
	}
	// At an address with a pace, the hosts that are parked there come first. Otherwise they
	// would wait for as long as others come.
	waits := len(f.parked[addr]) > 0 && before != addr && !f.isOwn(addr)
	if !waits && f.occupy(h, addr) {
		return false
	}
	f.setParked(h, addr, before == addr)
	f.callAt(addr)
	return true
}

// setParked parks a leased host, as the first or the last at its address. f.mu must be held.
func (f *frontier) setParked(h *host, addr netip.Addr, first bool) {
	delete(f.leases, h)
	h.state, h.waiting = hostParked, addr
	h.more = false // its next turn finds them
	if first {
		f.parked[addr] = slices.Insert(f.parked[addr], 0, h)
	} else {
		f.parked[addr] = append(f.parked[addr], h)
	}
}

// occupy gives a host a place at an address, if one is free and the address may be asked now.
// f.mu must be held.
func (f *frontier) occupy(h *host, addr netip.Addr) bool {
	if f.open[addr] >= f.maxOpen() || !f.beginAt(h, addr) {
		return false
	}
	f.open[addr]++
	h.place = addr
	if !f.isOwn(addr) {
		f.callAt(addr) // the next one goes on when the address may be asked again
	}
	return true
}

// maxOpen returns how many requests may be under way to an address.
func (f *frontier) maxOpen() int {
	if f.limits.perAddress <= 0 {
		return 8
	}
	return f.limits.perAddress
}

// leave gives up the place of a host at an address, if it has one. f.mu must be held.
func (f *frontier) leave(h *host) {
	addr := h.place
	if !addr.IsValid() {
		return
	}
	h.place = netip.Addr{}
	if f.open[addr]--; f.open[addr] <= 0 {
		delete(f.open, addr)
	}
	f.callAt(addr)
}

// unpark offers a place at an address to the next host that is parked there. f.mu must be
// held.
func (f *frontier) unpark(addr netip.Addr) {
	waiting := f.parked[addr]
	if len(waiting) == 0 {
		return
	}
	h := waiting[0]
	if waiting[0] = nil; len(waiting) == 1 {
		delete(f.parked, addr)
	} else {
		f.parked[addr] = waiting[1:]
	}
	h.waiting, h.offered = netip.Addr{}, addr
	h.at = time.Now()
	f.setDue(h)
	f.rouse()
}

// found takes over a committed change of the queue of a host: how many items more or fewer
// there are, and if some were put there, when the first of them is due.
func (f *frontier) found(origin string, partition uint8, more int64, put bool, due time.Time) (err error) {
	f.mu.Lock()
	h := f.hosts[origin]
	defer func() { f.unlock(h) }()
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
		if at := later(h.reason.At, due); put && at.Before(h.at) {
			h.at = at
			heap.Fix(&f.due, h.index)
			f.rouse()
		}
		if h.isDone() {
			heap.Remove(&f.due, h.index)
			f.dismiss(h)
			f.passOffer(h)
			f.rouse()
		}
	}
	return nil
}

// foundIdle is found for an idle host, which becomes due. f.mu must be held.
func (f *frontier) foundIdle(origin string, partition uint8, more int64, due time.Time) (*host, error) {
	h, err := f.idle(origin, partition)
	if err != nil {
		return nil, err
	}
	if h.commits > 0 {
		h.queued += more // otherwise the store has counted them
	}
	if h.queued <= 0 {
		return h, nil
	}
	delete(f.committing, origin)
	h.reason = h.pace.Wait(&f.limits.manners, time.Now())
	h.at = later(h.reason.At, due)
	f.setDue(h)
	f.rouse()
	return h, nil
}

// begin and end count visits that are not committed yet.
func (f *frontier) begin() {
	f.mu.Lock()
	f.uncommitted++
	f.unlock(nil)
}

func (f *frontier) end(n int) {
	f.mu.Lock()
	f.uncommitted -= n
	f.unlock(nil)
	f.rouse()
}

func (f *frontier) isFinished() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.finished
}

// A hostHeap is a heap of hosts, by the time at which they are due.
type hostHeap []*host

func (q hostHeap) Len() int           { return len(q) }
func (q hostHeap) Less(i, j int) bool { return q[i].at.Before(q[j].at) }

func (q hostHeap) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *hostHeap) Push(h any) {
	h.(*host).index = len(*q)
	*q = append(*q, h.(*host))
}

func (q *hostHeap) Pop() any {
	last := len(*q) - 1
	h := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	h.index = -1
	return h
}
