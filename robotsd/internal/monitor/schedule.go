package monitor

import (
	"container/heap"
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

const (
	defaultEvery = 10 * time.Minute
	soonAfter    = time.Minute            // the time after which an uncertain finding is confirmed
	firstGap     = 200 * time.Millisecond // between the first looks at sites, at most
	addressGap   = 250 * time.Millisecond // between two looks at one IP address
	maxAddrs     = 32                     // of a site; a name may have thousands
)

// A visit is a site in the schedule.
type visit struct {
	site    *Site
	due     time.Time // of the next look
	planned time.Time // of the next look, had no look been late

	addrs  []netip.Addr // to which a look may connect
	part   int          // of the site
	last   netip.Addr   // to which the last look connected
	found  bool         // the name was looked up, and the last look connected to one of addrs
	queued bool         // due is a place in the queue of an address
}

// A schedule says which site is due. Only the goroutine of run uses it.
type schedule struct {
	heap    visits
	once    bool
	busy    map[netip.Addr]bool      // addresses with a look under way
	resting map[netip.Addr]time.Time // until when an address rests
	queues  map[netip.Addr]time.Time // the first free place in the queue of an address
	plan    func(*Site, time.Time)   // called when the next look at a site is due at another time, unless it is nil

	// If the sites are shared among instances, and else nil.
	away    map[int][]*visit // by part, the sites of other instances
	here    map[int]bool     // the parts of this instance
	firstAt time.Time        // when the next site of a part that comes is due
	gap     time.Duration    // between the first looks at them
}

// A move is a part of the sites that becomes this instance's, or another's.
type move struct {
	part int
	here bool
}

// newSchedule returns the schedule of the first looks: over some time, or all now for once. Their
// order depends on the sites alone and mixes them, so that neighbours in a list, which often share
// a server, are apart.
func newSchedule(sites []Site, now time.Time, once bool) *schedule {
	s := &schedule{once: once, busy: make(map[netip.Addr]bool), resting: make(map[netip.Addr]time.Time),
		queues: make(map[netip.Addr]time.Time)}
	for i := range sites {
		part := 0
		if origin, err := fetch.Origin(sites[i].URL); err == nil {
			part, _ = placeOf(origin)
		}
		s.heap = append(s.heap, &visit{site: &sites[i], part: part})
	}
	slices.SortFunc(s.heap, func(a, b *visit) int {
		x, y := sha256.Sum256([]byte(a.site.URL)), sha256.Sum256([]byte(b.site.URL))
		return slices.Compare(x[:], y[:])
	})
	for i, v := range s.heap {
		gap := min(firstGap, v.every()/time.Duration(len(sites)))
		if once {
			gap = 0
		}
		v.due = now.Add(time.Duration(i) * gap)
		v.planned = v.due
	}
	heap.Init(&s.heap)
	return s
}

// share takes all sites out of the schedule, until their parts come.
func (s *schedule) share() {
	s.away, s.here, s.gap = make(map[int][]*visit), make(map[int]bool), firstGap
	for _, v := range s.heap {
		s.away[v.part] = append(s.away[v.part], v)
		s.gap = min(s.gap, v.every()/time.Duration(len(s.heap)))
	}
	s.heap = nil
}

// move puts the sites of a part into the schedule, or takes them out. The first looks are soon,
// because the instance that had the part may have been dead for some time, and are spread like
// those of a start.
func (s *schedule) move(m move, now time.Time) {
	s.here[m.part] = m.here
	if m.here {
		for _, v := range s.away[m.part] {
			s.firstAt = later(now, s.firstAt)
			v.due, v.planned, v.queued = s.firstAt, s.firstAt, false
			s.firstAt = s.firstAt.Add(s.gap)
			s.planned(v)
			heap.Push(&s.heap, v)
		}
		delete(s.away, m.part)
		return
	}
	s.heap = slices.DeleteFunc(s.heap, func(v *visit) bool {
		leaves := v.part == m.part
		if leaves {
			s.away[m.part] = append(s.away[m.part], v)
		}
		return leaves
	})
	heap.Init(&s.heap)
}

// tell tells when each site is due.
func (s *schedule) tell() {
	for _, v := range s.heap {
		s.planned(v)
	}
}

// planned tells when a site is due.
func (s *schedule) planned(v *visit) {
	if s.plan != nil {
		s.plan(v.site, v.due)
	}
}

// every returns the interval between the looks at a site.
func (v *visit) every() time.Duration {
	if v.site.Every > 0 {
		return v.site.Every
	}
	return defaultEvery
}

// A worker does the work of a schedule. Its methods are called by several goroutines.
type worker interface {
	// find returns the addresses of a site, or none if they cannot be found.
	find(context.Context, *Site) []netip.Addr
	// look looks at a site.
	look(context.Context, *Site) looked
}

// A looked is a look that is over, or a lookup of addresses.
type looked struct {
	visit  *visit
	lookup bool
	addrs  []netip.Addr // that were found
	addr   netip.Addr   // that answered a look

	soon      bool      // look again soon
	notBefore time.Time // the site asks for no look before
}

// run has w look at each site that is due, at so many at a time, until ctx is done, or each site
// was looked at once. Moves come until ctx is done.
func (s *schedule) run(ctx context.Context, concurrency int, w worker, moves <-chan move) {
	results := make(chan looked)
	running := 0
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil || running > 0 {
		wait := never
		for running < concurrency && ctx.Err() == nil {
			var v *visit
			if v, wait = s.next(time.Now()); v == nil {
				break
			}
			running++
			go func() {
				var r looked
				if v.found {
					r = w.look(ctx, v.site)
				} else {
					r = looked{lookup: true, addrs: w.find(ctx, v.site)}
				}
				r.visit = v
				results <- r
			}()
		}
		if s.once && running == 0 && len(s.heap) == 0 {
			return
		}
		timer.Reset(wait)
		done := ctx.Done()
		if ctx.Err() != nil {
			done = nil // wait for the looks under way
		}
		select {
		case r := <-results:
			running--
			s.finish(r, time.Now())
		case m := <-moves:
			s.move(m, time.Now())
		case <-timer.C:
		case <-done:
		}
	}
}

// next takes the site that is due, or returns how long none will be. A site whose addresses are not
// known is to be looked up first. A site at an address that is busy or rests gets a place in the
// queue of the address: with 10,000 sites at one address, moving all of them for each look would
// take quadratic time.
func (s *schedule) next(now time.Time) (v *visit, wait time.Duration) {
	for len(s.heap) > 0 {
		v := s.heap[0]
		if v.due.After(now) {
			return nil, v.due.Sub(now)
		}
		if v.found {
			if at := s.free(v, now); at.After(now) {
				s.enqueue(v, at)
				continue
			}
			for _, addr := range v.addrs {
				s.busy[addr] = true
			}
			v.queued = false
		}
		heap.Pop(&s.heap)
		return v, 0
	}
	return nil, never
}

// free returns when all addresses of a site may be asked. A site without a place in a queue comes
// after those that have one.
func (s *schedule) free(v *visit, now time.Time) (at time.Time) {
	for _, addr := range v.addrs {
		at = later(at, s.resting[addr])
		if s.busy[addr] {
			at = later(at, now.Add(addressGap))
		}
		if !v.queued {
			at = later(at, s.queues[addr])
		}
	}
	return at
}

// enqueue gives the first site of the heap a place in the queues of its addresses, at a time or
// later.
func (s *schedule) enqueue(v *visit, at time.Time) {
	for _, addr := range v.addrs {
		at = later(at, s.queues[addr])
	}
	for _, addr := range v.addrs {
		s.queues[addr] = at.Add(addressGap)
	}
	v.due, v.queued = at, true
	s.planned(v)
	heap.Fix(&s.heap, 0)
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// finish puts a site back into the schedule.
func (s *schedule) finish(r looked, now time.Time) {
	v := r.visit
	if r.lookup {
		v.addrs, v.found = slices.Clone(r.addrs[:min(len(r.addrs), maxAddrs)]), true
		if v.last.IsValid() && !slices.Contains(v.addrs, v.last) {
			v.addrs = append(v.addrs, v.last) // such as that of a proxy
		}
		s.put(v)
		return
	}
	for _, addr := range v.addrs {
		delete(s.busy, addr)
	}
	if r.addr.IsValid() {
		v.last = r.addr
		if !slices.Contains(v.addrs, r.addr) {
			v.addrs, v.found = append(v.addrs, r.addr), false // the name has other addresses now
		}
	}
	s.rest(v.addrs, now)
	if s.once {
		return
	}
	every := v.every()
	v.planned = v.planned.Add(every)
	if v.planned.Before(now) {
		v.planned = now.Add(every) // late by a whole interval: do not hurry afterwards
	}
	v.due = v.planned.Add(rand.N(every/10+1) - every/20)
	if soon := now.Add(soonAfter); r.soon && soon.Before(v.due) {
		v.due, v.planned = soon, v.planned.Add(-every)
	}
	if r.notBefore.After(v.due) {
		// with the monotonic clock of now: a clock that is set back makes no site wait
		at := now.Add(r.notBefore.Sub(now))
		v.due, v.planned = at, at
	}
	s.put(v)
}

// isPause reports whether a site that asked for time still has some of it. No site gets more than a
// day, and clocks of instances may differ: what is longer than two was stored before the clock was
// set back.
func isPause(left time.Duration) bool { return left > 0 && left <= 48*time.Hour }

// put puts a site back, unless its part has moved away meanwhile.
func (s *schedule) put(v *visit) {
	if s.away != nil && !s.here[v.part] {
		s.away[v.part] = append(s.away[v.part], v)
		return
	}
	s.planned(v)
	heap.Push(&s.heap, v)
}

// rest notes a look at some addresses, and forgets the addresses that have rested.
func (s *schedule) rest(addrs []netip.Addr, now time.Time) {
	for _, addr := range addrs {
		s.resting[addr] = now.Add(addressGap)
	}
	for _, times := range []map[netip.Addr]time.Time{s.resting, s.queues} {
		if len(times) > 1000 {
			for a, until := range times {
				if until.Before(now) {
					delete(times, a)
				}
			}
		}
	}
}

// visits is a heap of visits by the time at which they are due.
type visits []*visit

func (h visits) Len() int           { return len(h) }
func (h visits) Less(i, j int) bool { return h[i].due.Before(h[j].due) }
func (h visits) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *visits) Push(x any) { *h = append(*h, x.(*visit)) }

// Pop implements heap.Interface.
func (h *visits) Pop() any {
	last := len(*h) - 1
	v := (*h)[last]
	*h = (*h)[:last]
	return v
}
