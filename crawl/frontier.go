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

// A frontier knows which host is next. It has the hosts with something in their queue,
// by the time at which they may be asked. A worker leases a host, makes one request
// at most, and gives it back.
type frontier struct {
	crawler *run
	wake    chan struct{} // something may be due sooner than was thought

	// settling is held from when a batch changes the store until the hosts have it: one
	// that is taken from the store meanwhile would have it twice.
	settling sync.Mutex

	mu        sync.Mutex
	hosts     map[string]*host // that have something to do, or are leased
	leaving   map[string]*host // that have not, and whose state the store does not have yet
	due       hostHeap         // that are neither leased nor parked
	parked    map[netip.Addr][]*host
	open      map[netip.Addr]int // requests under way
	places    map[netip.Addr]*pace.Address
	calls     callHeap // addresses that hosts are parked at, by when one of them may go on
	called    map[netip.Addr]bool
	began     time.Time
	busy      map[*host]time.Time // that are leased, and since when
	unsettled int                 // visits that are not committed, which may find more
	finished  bool
	suspect   time.Time // when it was found that nobody knows what hosts asked for, or zero
}

// A host is a host with something to do. Who has leased it owns all of it but what the
// frontier says.
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

	// These are the frontier's.
	at     time.Time
	reason pace.Wait // why it waits
	index  int       // in the heap, or -1
	queued int64     // items in the store's queue, as far as they are committed
	saving int       // visits with its state that are not committed
	again  bool      // something was found while it was leased
	// offered is an address that it waited for, and where there is a place now. Who has
	// borrowed the host waits for called instead, and then has the place.
	offered netip.Addr
	called  chan struct{}
	waiting netip.Addr // where it is parked
	last    bool       // it is to be given up, if it is dead
	spared  time.Time  // the value of at with which it was not given up
}

func newFrontier(c *run) *frontier {
	return &frontier{
		crawler: c, wake: make(chan struct{}, 1), hosts: make(map[string]*host), leaving: make(map[string]*host),
		parked: make(map[netip.Addr][]*host), open: make(map[netip.Addr]int), busy: make(map[*host]time.Time),
		places: make(map[netip.Addr]*pace.Address), called: make(map[netip.Addr]bool), began: time.Now(),
	}
}

// load takes the hosts with something to do from the store. The robot may have been
// killed, so that a request to each of them may just have ended.
func (f *frontier) load() error {
	now := time.Now()
	refused := f.crawler.store.Refused()
	f.crawler.tally.addAll(refused[:])
	return f.crawler.store.Hosts(func(s store.Host) error {
		if s.Queued == 0 {
			f.crawler.tally.addAll(countsOf(s.State).reasons[:])
			return nil
		}
		h, err := f.crawler.newHost(s)
		if err != nil {
			return err
		}
		f.crawler.tally.addAll(h.counts.reasons[:])
		h.pace.Resume(now)
		f.joinPlace(h)
		h.reason = h.pace.Wait(&f.crawler.Manners, now)
		h.at = later(h.reason.At, s.FirstDue)
		f.hosts[h.origin] = h
		heap.Push(&f.due, h)
		return nil
	})
}

// recalled returns a host with the politeness that a memo has.
func (f *frontier) recalled(o *owed) (*host, error) {
	h := f.hosts[o.origin]
	if h == nil {
		var err error
		if h, err = f.stored(o.origin, o.partition); err != nil {
			return nil, err
		}
	}
	err := o.tell(h)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.joinPlace(h)
	return h, err
}

// reconsider puts a host where it belongs after its pace has changed.
func (f *frontier) reconsider(h *host, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h.reason = h.pace.Wait(&f.crawler.Manners, now)
	if h.index >= 0 {
		h.at = later(h.reason.At, h.at)
		heap.Fix(&f.due, h.index)
	}
}

// resting returns a host that has nothing to do, for who holds the lock: with what is on its
// way to the store.
func (f *frontier) resting(origin string, partition uint8) (*host, error) {
	if h := f.leaving[origin]; h != nil {
		return h, nil
	}
	return f.stored(origin, partition)
}

// stored returns a host that has nothing to do, in the state that the store has, if
// it has one.
func (f *frontier) stored(origin string, partition uint8) (*host, error) {
	s, ok, err := f.crawler.store.Host(partition, origin)
	if err != nil {
		return nil, err
	}
	if !ok {
		s = store.Host{Origin: origin, Partition: partition}
	}
	h, err := f.crawler.newHost(s)
	if err == nil && !f.suspect.IsZero() {
		h.pace.Interrupt(&f.crawler.Manners, f.suspect)
	}
	return h, err
}

// interruptAll leaves all hosts alone for a first pause, as nobody knows any more what they
// have asked for lately.
func (f *frontier) interruptAll(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.suspect = now
	for _, h := range f.hosts {
		h.pace.Interrupt(&f.crawler.Manners, now)
		h.reason = h.pace.Wait(&f.crawler.Manners, now)
		h.at = later(h.reason.At, h.at)
	}
	heap.Init(&f.due)
}

// newHost returns a host as the store has it, and takes over what its site has cost.
func (c *run) newHost(s store.Host) (*host, error) {
	h, err := newHost(s)
	if err == nil && h.yields.site > 0 {
		if u, err := c.redirects.Parse(s.Origin + "/"); err == nil {
			c.sites.recall(u.Domain(), h.yields.site)
		}
	}
	return h, err
}

// newHost returns a host as the store has it.
func newHost(s store.Host) (*host, error) {
	h := &host{origin: s.Origin, partition: s.Partition, index: -1, queued: s.Queued}
	if len(s.State) == 0 {
		return h, nil
	}
	return h, h.read(s.State)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// lease returns a host that may be asked now, or nil if the crawl has ended. It is to
// be given back with release.
func (f *frontier) lease(ctx context.Context) *host {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		f.mu.Lock()
		now := time.Now()
		if f.finished || ctx.Err() != nil {
			f.mu.Unlock()
			f.rouse()
			return nil
		}
		f.callParked(now)
		if len(f.due) > 0 && (!f.due[0].at.After(now) || f.markLast()) {
			h := heap.Pop(&f.due).(*host)
			f.busy[h] = now
			more := len(f.due) > 0 && !f.due[0].at.After(now)
			f.mu.Unlock()
			if more {
				f.rouse() // one worker wakes the next
			}
			return h
		}
		if len(f.hosts) == 0 && f.unsettled == 0 && f.crawler.Revisits == nil {
			f.finished = true
			f.mu.Unlock()
			continue
		}
		wait := time.Hour
		if len(f.due) > 0 {
			wait = f.due[0].at.Sub(now)
		}
		if len(f.calls) > 0 {
			wait = min(wait, f.calls[0].at.Sub(now))
		}
		f.mu.Unlock()
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-f.wake:
		case <-timer.C:
		}
	}
}

// rouse wakes one worker.
func (f *frontier) rouse() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// release gives a host back. It is asked again when it may be, and something is due.
func (f *frontier) release(h *host, at time.Time, why pace.Wait) {
	f.mu.Lock()
	f.settleHost(h, at, why)
	f.mu.Unlock()
	f.rouse()
}

// settleHost is release for who holds the lock.
func (f *frontier) settleHost(h *host, at time.Time, why pace.Wait) {
	delete(f.busy, h)
	if h.offered.IsValid() {
		f.callAt(h.offered)
		h.offered = netip.Addr{}
	}
	h.at, h.reason = at, why
	if h.again {
		h.again = false
		h.at = why.At // something new may be due at once
	}
	if h.queued <= 0 && len(h.queue) == 0 {
		f.dismiss(h)
		return
	}
	heap.Push(&f.due, h)
}

// dismiss lets go of a host that has nothing to do, for who holds the lock. It is known
// until the store has its state: whoever needs it earlier is not to get an older one,
// with less of a pause.
func (f *frontier) dismiss(h *host) {
	delete(f.hosts, h.origin)
	if h.saving > 0 {
		f.leaving[h.origin] = h
	}
}

// save notes that the state of a host is on its way to the store, and saved that it is
// there.
func (f *frontier) save(h *host) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.saving++; f.hosts[h.origin] != h {
		f.leaving[h.origin] = h
	}
}

func (f *frontier) saved(batch []*visit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, v := range batch {
		if v.host == nil {
			continue
		}
		if v.host.saving--; v.host.saving == 0 && f.leaving[v.host.origin] == v.host {
			delete(f.leaving, v.host.origin)
		}
	}
}

// park leaves a host until one of the requests to an address has ended, if there are as
// many as may be. Else it takes a place there and returns false.
func (f *frontier) park(h *host, addr netip.Addr) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := h.offered
	if h.offered = (netip.Addr{}); before.IsValid() && before != addr {
		f.callAt(before)
	}
	// Where an address has a pace it is the turn of those that wait there, or else they
	// would wait for as long as others come.
	waits := len(f.parked[addr]) > 0 && before != addr && !f.isOwn(addr)
	if !waits && f.occupy(h, addr) {
		return false
	}
	if before == addr {
		f.parked[addr] = append([]*host{h}, f.parked[addr]...)
	} else {
		f.parked[addr] = append(f.parked[addr], h)
	}
	h.waiting = addr
	delete(f.busy, h)
	f.callAt(addr)
	return true
}

// occupy takes a place for a host at an address, if there are not as many requests to it as
// may be and it may be asked now. f.mu must be held.
func (f *frontier) occupy(h *host, addr netip.Addr) bool {
	if f.open[addr] >= f.mostOpen() || !f.beginAt(h, addr) {
		return false
	}
	f.open[addr]++
	if !f.isOwn(addr) {
		f.callAt(addr) // the next one goes on when the address may be asked again
	}
	return true
}

func (f *frontier) mostOpen() int {
	if f.crawler.PerAddress <= 0 {
		return 8
	}
	return f.crawler.PerAddress
}

// unqueue takes a host out of those that wait for an address, for who holds the lock.
func (f *frontier) unqueue(addr netip.Addr, h *host) {
	waiting := f.parked[addr]
	i := slices.Index(waiting, h)
	if i == 0 {
		waiting = waiting[1:] // there may be very many
	} else {
		waiting = slices.Delete(waiting, i, i+1)
	}
	if f.parked[addr] = waiting; len(waiting) == 0 {
		delete(f.parked, addr)
	}
}

// leave gives the place at an address back.
func (f *frontier) leave(addr netip.Addr) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[addr]--; f.open[addr] <= 0 {
		delete(f.open, addr)
	}
	f.callAt(addr)
}

// unpark lets the next host go on that waits for an address, for who holds the lock. If it
// turns out to need no place there, it passes that on when it is released.
func (f *frontier) unpark(addr netip.Addr) {
	waiting := f.parked[addr]
	if len(waiting) == 0 {
		return
	}
	h := waiting[0]
	f.unqueue(addr, h)
	if h.called != nil && !f.occupy(h, addr) {
		// The place was taken since it was offered to another one.
		f.parked[addr] = append([]*host{h}, f.parked[addr]...)
		f.callAt(addr)
		return
	}
	if h.called != nil {
		f.busy[h] = time.Now()
		close(h.called)
		h.called = nil
		return
	}
	h.offered, h.waiting = addr, netip.Addr{}
	h.at = time.Now()
	heap.Push(&f.due, h)
	f.rouse()
}

// found notes what became of the queue of a host, once it is in the store: how many
// items more or fewer there are, and if some were put there, when the first is due.
func (f *frontier) found(origin string, partition uint8, more int64, put bool, due time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.hosts[origin]
	if h == nil {
		if !put {
			return nil
		}
		var err error
		if h, err = f.resting(origin, partition); err != nil {
			return err
		}
		if h.saving > 0 {
			h.queued += more // else the store has counted it
		}
		if h.queued <= 0 {
			return nil
		}
		delete(f.leaving, origin)
		h.reason = h.pace.Wait(&f.crawler.Manners, time.Now())
		h.at = later(h.reason.At, due)
		f.hosts[origin] = h
		heap.Push(&f.due, h)
		f.rouse()
		return nil
	}
	h.queued += more
	switch _, leased := f.busy[h]; {
	case leased:
		h.again = h.again || put
	case h.index >= 0:
		if at := later(h.reason.At, due); put && at.Before(h.at) {
			h.at = at
			heap.Fix(&f.due, h.index)
			f.rouse()
		}
		if h.queued <= 0 && len(h.queue) == 0 {
			heap.Remove(&f.due, h.index)
			f.dismiss(h)
			if h.offered.IsValid() {
				f.callAt(h.offered)
			}
			f.rouse()
		}
	}
	return nil
}

// begin and end count visits that are not committed yet.
func (f *frontier) begin() {
	f.mu.Lock()
	f.unsettled++
	f.mu.Unlock()
}

func (f *frontier) end(n int) {
	f.mu.Lock()
	f.unsettled -= n
	f.mu.Unlock()
	f.rouse()
}

func (f *frontier) isFinished() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.finished
}

// A hostHeap has hosts by the time at which they are due.
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
