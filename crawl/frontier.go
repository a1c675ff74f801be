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
//	          not committed. Then it is forgotten, because the store has its state.
//	due       The host is in the heap f.due, to be leased at host.at.
//	leased    A worker owns the host. It is in f.leases.
//	parked    The host waits for a place at an IP address. It is in f.parked at host.waiting.
//	awaiting  A redirect of its robots.txt leads elsewhere. It is in f.awaiting until the hop
//	          is made, which is in the queue of another host.
//
// A host that is not idle is in f.hosts too. The changes:
//
//	from       to        by        when
//	the store  due       load      the crawl starts, and the host has a queue
//	idle       due       found     items were committed to its queue
//	idle       due       queueHop  a robots.txt redirects to it
//	due        leased    lease     host.at has come, or markLast chose it
//	due        idle      found     the last items of its queue were committed
//	leased     due       release   it has work: an answer, hops, or a queue
//	leased     awaiting  release   it awaits a hop, and has no work but its queue
//	leased     idle      release   it has no work
//	leased     parked    park      no place is free at its address
//	parked     due       unpark    a place is free: the host has an offer until it is leased
//	awaiting   due       answer    the fetch of its robots.txt is over
//	awaiting   due       queueHop  another robots.txt redirects to it
//
// A host that awaits a hop still makes the hops of other hosts. Otherwise two hosts whose
// robots.txt redirect to each other would wait forever. So a host is due, leased or parked
// while it has hops to make.
//
// A leased host has a place at an address from park to release. An offer is not a place: another
// host may take the place first. A host that does not need its offer passes the offer on.
type frontier struct {
	limits frontierLimits
	// stored returns a host in its stored state, or a new host.
	stored func(origin string, partition uint8) (*host, error)
	wake   chan struct{} // wakes one worker: a host may be due sooner than the worker's timer

	// settling is held from a batch's change of the store until the hosts have the change too.
	// Otherwise a host read from the store in between would count the batch twice.
	settling sync.Mutex

	mu          sync.Mutex
	hosts       map[string]*host // all hosts that are not idle
	committing  map[string]*host // idle hosts with uncommitted changes
	due         hostHeap
	leases      map[*host]time.Time // start of each lease
	awaiting    map[*host]bool
	parked      map[netip.Addr][]*host
	open        map[netip.Addr]int // number of taken places
	places      map[netip.Addr]*pace.Address
	calls       callHeap // addresses with parked hosts, by the time at which one host may continue
	called      map[netip.Addr]bool
	began       time.Time
	uncommitted int // uncommitted visits, which may add items
	finished    bool
	suspect     time.Time // when the memo was found damaged, or zero
}

// frontierLimits are the limits of a frontier.
type frontierLimits struct {
	manners    pace.Manners
	perAddress int            // maximum open requests to an address; 0 means 8
	own        []netip.Prefix // networks whose addresses have no pace
	revisits   bool           // the crawl is continuous
}

// A hostState is the state of a host in the frontier: see [frontier].
type hostState uint8

const (
	hostIdle hostState = iota
	hostDue
	hostLeased
	hostParked
	hostAwaiting
)

// A host is a host with something to do. The worker with its lease owns all fields except
// those of the frontier.
type host struct {
	origin    string
	partition uint8

	pace    pace.Host
	counts  counts
	group   *robots.Group
	long    bool          // the robots.txt of group is too long to stay in memory while the host waits
	fresh   time.Time     // end of the freshness of group
	queue   []store.Entry // items already read from the store
	filled  time.Time     // when queue was read
	yields  yields        // the yield of links from pages that repeat others
	similar []uint64      // text digests of its last pages
	forms   []uint64      // form digests of its last pages
	endless endless       // endless spaces among its URLs
	logged  uint64        // bit set of the reasons logged for its URLs

	// The fields below belong to the frontier. f.mu guards them.
	state   hostState
	at      time.Time     // when it is due
	reason  pace.Wait     // reason for the wait
	index   int           // index in the heap, or -1
	queued  int64         // committed items in the store's queue
	commits int           // uncommitted changes of its state
	more    bool          // items were found during the lease
	waiting netip.Addr    // address where it is parked
	place   netip.Addr    // address where it has a place
	offered netip.Addr    // address where it has an offer of a place
	hops    []*hop        // hops to make at this host
	hopped  bool          // a hop was made since its last turn with a URL of its own
	hop     *hop          // the next request for its robots.txt, in the queue of its target host
	answer  *robotsAnswer // answer of the last hop
	last    bool          // marked for lastTurn
	spared  time.Time     // the value of at when lastTurn kept the host
}

func newFrontier(limits frontierLimits, stored func(origin string, partition uint8) (*host, error)) *frontier {
	return &frontier{
		limits: limits, stored: stored, wake: make(chan struct{}, 1), hosts: make(map[string]*host), committing: make(map[string]*host),
		parked: make(map[netip.Addr][]*host), open: make(map[netip.Addr]int), leases: make(map[*host]time.Time), awaiting: make(map[*host]bool),
		places: make(map[netip.Addr]*pace.Address), called: make(map[netip.Addr]bool), began: time.Now(),
	}
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

// load makes a host with a queue due when a crawl resumes. The previous process may have been
// killed, so a request to the host may have ended just now.
func (f *frontier) load(h *host, firstDue, now time.Time) {
	f.mu.Lock()
	defer f.unlock(h)
	h.pace.Resume(now)
	f.joinPlace(h)
	h.reason = h.pace.Wait(&f.limits.manners, now)
	h.at = later(h.reason.At, firstDue)
	f.setDue(h)
}

// recalled returns a host with the pauses from the memo.
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

// idle returns a host that is not in f.hosts, with its uncommitted changes. f.mu and
// f.settling must be held.
func (f *frontier) idle(origin string, partition uint8) (*host, error) {
	if h := f.committing[origin]; h != nil {
		return h, nil
	}
	return f.fromStore(origin, partition)
}

// fromStore returns a host in its stored state, with a first pause if the memo was damaged.
func (f *frontier) fromStore(origin string, partition uint8) (*host, error) {
	h, err := f.stored(origin, partition)
	if err == nil && !f.suspect.IsZero() {
		h.pace.Interrupt(&f.limits.manners, f.suspect)
	}
	return h, err
}

// interruptAll gives all hosts a first pause: the memo has lost their last answers, which may
// have asked for longer pauses.
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
			f.rouse()
			return nil
		}
		f.callParked(now)
		if len(f.due) > 0 && (!f.due[0].at.After(now) || f.markLast()) {
			h := heap.Pop(&f.due).(*host)
			f.setLeased(h, now)
			more := len(f.due) > 0 || len(f.calls) > 0
			f.unlock(h)
			if more {
				f.rouse() // another worker waits for the next host, whose time this worker knew
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

// release ends the lease of a host. A host with a queue is due at the given time. If the lease
// found items or the host has hops to make, the host is due at the end of its wait. A host
// with an answer is due at once, because the turn needs no request.
func (f *frontier) release(h *host, at time.Time, w pace.Wait) {
	f.mu.Lock()
	f.releaseLocked(h, at, w)
	f.unlock(h)
	f.rouse()
}

// releaseLocked is release without locking. f.mu must be held.
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

// passOffer passes the offer of a host on to another host parked at that address. f.mu must be
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

// hasQueue reports whether a host has items, in the store or in h.queue.
func (h *host) hasQueue() bool { return h.queued > 0 || len(h.queue) > 0 }

// dismiss makes a host idle. The frontier keeps the host until the store has its state,
// because the older state in the store may ask for a shorter pause. f.mu must be held.
func (f *frontier) dismiss(h *host) {
	h.state = hostIdle
	delete(f.hosts, h.origin)
	if h.commits > 0 {
		f.committing[h.origin] = h
	}
}

// save counts a change of a host's state that is queued for the journal. saved removes the
// changes of committed visits.
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

// park parks a leased host if its address has no free place or may not be requested yet.
// Otherwise the host gets a place until its release, or keeps its place, and park returns
// false.
func (f *frontier) park(h *host, addr netip.Addr) bool {
	f.mu.Lock()
	defer f.unlock(h)
	if h.place == addr {
		return false // the place is unused: its request was not needed
	}
	f.leave(h)
	before := h.offered
	if h.offered = (netip.Addr{}); before.IsValid() && before != addr {
		f.callAt(before)
	}
	// At an address with a pace, parked hosts come first. Otherwise new hosts could keep them
	// waiting forever.
	waits := len(f.parked[addr]) > 0 && before != addr && !f.isOwn(addr)
	if !waits && f.occupy(h, addr) {
		return false
	}
	f.setParked(h, addr, before == addr)
	f.callAt(addr)
	return true
}

// setParked parks a leased host at the front or the back of the queue at its address. f.mu
// must be held.
func (f *frontier) setParked(h *host, addr netip.Addr, first bool) {
	delete(f.leases, h)
	h.state, h.waiting = hostParked, addr
	h.more = false // its next turn finds the items
	if first {
		f.parked[addr] = slices.Insert(f.parked[addr], 0, h)
	} else {
		f.parked[addr] = append(f.parked[addr], h)
	}
}

// occupy gives a host a place at an address, if a place is free and the pace of the address
// allows a request now. f.mu must be held.
func (f *frontier) occupy(h *host, addr netip.Addr) bool {
	if f.open[addr] >= f.maxOpen() || !f.beginAt(h, addr) {
		return false
	}
	f.open[addr]++
	h.place = addr
	if !f.isOwn(addr) {
		f.callAt(addr) // the next host continues when the pace of the address allows
	}
	return true
}

// maxOpen returns the maximum number of open requests to an address.
func (f *frontier) maxOpen() int {
	if f.limits.perAddress <= 0 {
		return 8
	}
	return f.limits.perAddress
}

// leave frees the place of a host at an address, if it has one. f.mu must be held.
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

// unpark offers a place at an address to the next host parked there. f.mu must be held.
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

// found applies a committed change of a host's queue: more is the change in the number of
// items, put whether items were added, and due when the first of them is due.
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

// foundIdle is found for an idle host. The host becomes due if it has items. f.mu must be
// held.
func (f *frontier) foundIdle(origin string, partition uint8, more int64, due time.Time) (*host, error) {
	h, err := f.idle(origin, partition)
	if err != nil {
		return nil, err
	}
	if h.commits > 0 {
		h.queued += more // otherwise h comes from the store, which has counted them
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
	f.rouse()
}

func (f *frontier) isFinished() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.finished
}

// A hostHeap is a heap of hosts, ordered by the time at which they are due.
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
