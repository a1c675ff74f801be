package monitor

import (
	"container/heap"
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"
)

const (
	defaultEvery = 10 * time.Minute
	soonAfter    = time.Minute            // the time after which an uncertain finding is confirmed
	firstGap     = 200 * time.Millisecond // between the first looks at sites, at most
	addressGap   = 250 * time.Millisecond // between two looks at one IP address
)

// A visit is a site in the schedule.
type visit struct {
	site    *Site
	due     time.Time // of the next look
	planned time.Time // of the next look, had no look been late
	addr    netip.Addr
}

// A schedule says which site is due. Only the goroutine of run uses it.
type schedule struct {
	heap    visits
	once    bool
	busy    map[netip.Addr]bool // addresses with a look under way
	resting map[netip.Addr]time.Time
}

// newSchedule returns the schedule of the first looks. Their order depends on the sites alone and mixes them, so that
// neighbours in a list, which often share a server, are apart.
func newSchedule(sites []Site, now time.Time) *schedule {
	s := &schedule{busy: make(map[netip.Addr]bool), resting: make(map[netip.Addr]time.Time)}
	for i := range sites {
		s.heap = append(s.heap, &visit{site: &sites[i]})
	}
	slices.SortFunc(s.heap, func(a, b *visit) int {
		x, y := sha256.Sum256([]byte(a.site.URL)), sha256.Sum256([]byte(b.site.URL))
		return slices.Compare(x[:], y[:])
	})
	for i, v := range s.heap {
		gap := min(firstGap, v.every()/time.Duration(len(sites)))
		v.due = now.Add(time.Duration(i) * gap)
		v.planned = v.due
	}
	heap.Init(&s.heap)
	return s
}

// every returns the interval between the looks at a site.
func (v *visit) every() time.Duration {
	if v.site.Every > 0 {
		return v.site.Every
	}
	return defaultEvery
}

// A looked is a visit that is over.
type looked struct {
	visit *visit
	addr  netip.Addr
	soon  bool
}

// run calls look for each site that is due, for so many at a time, until ctx is done, or each site was looked at once.
func (s *schedule) run(ctx context.Context, concurrency int, look func(context.Context, *Site) (netip.Addr, bool)) {
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
				addr, soon := look(ctx, v.site)
				results <- looked{v, addr, soon}
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
		case <-timer.C:
		case <-done:
		}
	}
}

// next takes the site that is due, or returns how long none will be.
func (s *schedule) next(now time.Time) (v *visit, wait time.Duration) {
	for len(s.heap) > 0 {
		v := s.heap[0]
		if v.due.After(now) && !s.once {
			return nil, v.due.Sub(now)
		}
		if at := s.free(v.addr, now); at.After(now) {
			v.due = at
			heap.Fix(&s.heap, 0)
			continue
		}
		heap.Pop(&s.heap)
		if v.addr.IsValid() {
			s.busy[v.addr] = true
		}
		return v, 0
	}
	return nil, never
}

// free returns when an address may be asked again.
func (s *schedule) free(addr netip.Addr, now time.Time) time.Time {
	if s.busy[addr] {
		return now.Add(addressGap)
	}
	return s.resting[addr]
}

// finish puts a site back into the schedule after a look.
func (s *schedule) finish(r looked, now time.Time) {
	v := r.visit
	if v.addr.IsValid() {
		delete(s.busy, v.addr)
	}
	if r.addr.IsValid() {
		v.addr = r.addr
	}
	if v.addr.IsValid() {
		s.rest(v.addr, now)
	}
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
	heap.Push(&s.heap, v)
}

// rest notes a look at an address, and forgets the addresses that have rested.
func (s *schedule) rest(addr netip.Addr, now time.Time) {
	s.resting[addr] = now.Add(addressGap)
	if len(s.resting) > 1000 {
		for a, until := range s.resting {
			if until.Before(now) {
				delete(s.resting, a)
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
