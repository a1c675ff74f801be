package crawl

import (
	"cmp"
	"container/heap"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/pace"
	"github.com/robotsexclusion/robots/crawl/result"
)

// A Status is the progress of a crawl, in total and by host. It is immutable.
type Status struct {
	State   State            `json:"state"`
	At      time.Time        `json:"at"`                   // time of this status
	Began   time.Time        `json:"began,omitzero"`       // start of this run; zero if the crawl does not run
	Counts  Counts           `json:"counts"`               // of all known hosts and URLs
	Pages   int64            `json:"pages"`                // pages fetched by this run
	Bytes   int64            `json:"octets"`               // bytes of their bodies
	Busy    int              `json:"busy"`                 // hosts with an open request
	Waiting int              `json:"waiting"`              // other hosts with something to do
	Waits   map[string]int64 `json:"waits"`                // hosts with something to do, by the reason for their wait: see [HostStatus]
	Reasons map[string]int64 `json:"reasons"`              // URLs not visited or failed, by reason
	Hosts   []HostStatus     `json:"hosts"`                // hosts with something to do: first those with an open request, then the next ones due
	Robot   string           `json:"user_agent,omitempty"` // the robot's UserAgent, if known
}

// A State says whether a crawl runs.
type State string

// The states.
const (
	Running State = "running"
	Stopped State = "stopped" // the crawl can be continued, or has nothing left to do
	Killed  State = "killed"  // the crawl did not stop in order: the status may lack its last second
)

// Counts has the numbers of hosts and URLs.
type Counts struct {
	Hosts  int64 `json:"hosts"`  // known hosts
	Seen   int64 `json:"seen"`   // known URLs
	Queued int64 `json:"queued"` // URLs to visit
	Done   int64 `json:"done"`   // URLs visited; those due again are queued too
}

// MostHosts is the maximum number of hosts that a status lists.
const MostHosts = 10_000

// Elapsed returns the duration of this run so far, or 0 if the crawl does not run.
func (s *Status) Elapsed() time.Duration {
	if s.Began.IsZero() {
		return 0
	}
	return s.At.Sub(s.Began)
}

// Refused returns the number of URLs that were not visited or failed, for any reason.
func (s *Status) Refused() (n int64) {
	for _, count := range s.Reasons {
		n += count
	}
	return n
}

// String returns the status as text, one line for each host with the reason for its wait.
func (s *Status) String() string {
	var b strings.Builder
	for _, h := range s.Hosts {
		b.WriteString(h.Origin + ": " + h.Why + "\n")
	}
	return b.String()
}

// Status returns the progress of a crawl, with up to hosts of the hosts that have something to
// do, and [MostHosts] at most. It returns nil if the crawl does not run. Status may be called
// at any time. It visits all hosts with something to do, at a small cost for each.
func (c *Crawl) Status(hosts int) *Status {
	r := c.current.Load()
	if r == nil {
		return nil
	}
	return r.status(hosts)
}

// status is [Crawl.Status].
func (c *run) status(hosts int) *Status {
	if !c.asks.enter() {
		return nil
	}
	defer c.asks.leave()
	s := &Status{
		State: Running, At: time.Now().UTC(), Began: c.began.UTC(), Counts: Counts(c.store.Counts()), Robot: c.UserAgent,
		Pages: c.visitor.pages.Load(), Bytes: c.visitor.bytes.Load(), Reasons: named(c.tally.all()), Waits: make(map[string]int64),
	}
	c.frontier.report(s, min(hosts, MostHosts))
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if known, ok, err := c.store.Host(h.partition, h.Origin); err == nil && ok {
			h.count(&known)
		}
	}
	return s
}

// report counts the hosts of a frontier by wait, and adds at most the given number of hosts to a
// status.
func (f *frontier) report(s *Status, hosts int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.Busy = len(f.leases)
	if s.Busy > 0 {
		s.Waits[waitAsked] = int64(s.Busy)
	}
	parked := 0
	for _, hosts := range f.parked {
		parked += len(hosts)
	}
	if parked > 0 {
		s.Waits[waitAddress] = int64(parked)
	}
	if n := len(f.awaiting); n > 0 {
		s.Waits[waitRedirect] = int64(n)
	}
	s.Waiting = parked + len(f.awaiting) + len(f.due)
	var waits [waitKinds]int64
	for _, h := range f.due {
		kind, _ := h.waits(s.At)
		waits[kind]++
	}
	for kind, n := range waits {
		if n > 0 {
			s.Waits[waitKind(kind).String()] += n
		}
	}
	if hosts <= 0 {
		return
	}
	list := make([]HostStatus, 0, min(hosts, s.Busy+s.Waiting))
	busy := slices.SortedFunc(maps.Keys(f.leases), func(a, b *host) int {
		return cmp.Or(f.leases[a].Compare(f.leases[b]), strings.Compare(a.origin, b.origin))
	})
	for _, h := range busy[:min(hosts, len(busy))] {
		list = append(list, f.status(h, s.At))
	}
	for _, addr := range slices.SortedFunc(maps.Keys(f.parked), netip.Addr.Compare) {
		for _, h := range f.parked[addr] {
			if len(list) == hosts {
				break
			}
			list = append(list, f.parkedStatus(h, addr))
		}
	}
	awaiting := slices.SortedFunc(maps.Keys(f.awaiting), func(a, b *host) int { return strings.Compare(a.origin, b.origin) })
	for _, h := range awaiting[:min(hosts-len(list), len(awaiting))] {
		list = append(list, f.status(h, s.At))
	}
	for _, h := range f.due.soonest(hosts - len(list)) {
		list = append(list, f.status(h, s.At))
	}
	s.Hosts = list
}

// status returns the status of a host that is not parked. f.mu must be held.
func (f *frontier) status(h *host, now time.Time) HostStatus {
	s := HostStatus{Origin: h.origin, partition: h.partition, Queued: h.queued}
	if h.state == hostLeased {
		s.Wait, s.Since, s.Why = waitAsked, f.leases[h].UTC(), "it is asked now"
		return s
	}
	if h.state == hostAwaiting {
		s.Wait, s.Why = waitRedirect, "its robots.txt leads to "+h.hop.at+", which is asked when its pace allows"
		return s
	}
	s.wait(h, now)
	return s
}

// parkedStatus returns the status of a host that is parked at an address. f.mu must be held.
func (f *frontier) parkedStatus(h *host, addr netip.Addr) HostStatus {
	s := HostStatus{Origin: h.origin, partition: h.partition, Queued: h.queued, Wait: waitAddress}
	if open := f.open[addr]; open >= f.maxOpen() || f.isOwn(addr) {
		s.Why = "its address " + addr.String() + " is busy: " + plural(open, "request is", "requests are") + " under way there"
		return s
	}
	// Hosts parked earlier go first, one at a time.
	w := f.placeAt(addr).Wait(&f.limits.manners, time.Now())
	s.Why = "its address " + addr.String() + " has a pace of its own, for " + plural(len(f.parked[addr]), "host that waits", "hosts that wait") + " there: " + w.String()
	return s
}

// The waits of hosts beside the reasons of package pace.
const (
	waitAsked    = "asked"    // no wait: the host is asked now
	waitAddress  = "address"  // the address has all its requests open, or may not be asked yet
	waitRedirect = "redirect" // another host is asked for the robots.txt of this one
	waitDue      = "due"      // the queue is not due yet
	waitNothing  = "nothing"  // the queue is empty
)

// waits returns the kind and the end of the wait of a host that is neither leased nor parked.
func (h *host) waits(now time.Time) (kind waitKind, until time.Time) {
	switch {
	case !h.at.After(now):
		return waitKind(pace.Ready), time.Time{}
	case h.at.After(h.reason.At):
		return kindDue, h.at
	}
	return waitKind(h.reason.Reason), h.at
}

// A waitKind is a reason of package pace, or kindDue.
type waitKind uint16

const (
	kindDue   waitKind = 1 << 8
	waitKinds          = kindDue + 1
)

func (k waitKind) String() string {
	if k == kindDue {
		return waitDue
	}
	return pace.Reason(k).String()
}

// soonest returns the n hosts of a heap that are due first, in order. It looks at about 2n hosts,
// however large the heap is.
func (q hostHeap) soonest(n int) []*host {
	if n = min(n, len(q)); n <= 0 {
		return nil
	}
	first := make([]*host, 0, n)
	next := &indexHeap{of: q, indexes: []int{0}}
	for len(first) < n {
		i := heap.Pop(next).(int)
		first = append(first, q[i])
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(q) {
				heap.Push(next, child)
			}
		}
	}
	return first
}

// An indexHeap is a heap of indexes of another heap, ordered by the hosts at these indexes.
type indexHeap struct {
	of      hostHeap
	indexes []int
}

func (q *indexHeap) Len() int           { return len(q.indexes) }
func (q *indexHeap) Less(i, j int) bool { return q.of.Less(q.indexes[i], q.indexes[j]) }
func (q *indexHeap) Swap(i, j int)      { q.indexes[i], q.indexes[j] = q.indexes[j], q.indexes[i] }
func (q *indexHeap) Push(i any)         { q.indexes = append(q.indexes, i.(int)) }

func (q *indexHeap) Pop() any {
	last := len(q.indexes) - 1
	i := q.indexes[last]
	q.indexes = q.indexes[:last]
	return i
}

// named returns the counts that are not zero, by the names of their reasons.
func named(counts [result.Reasons]int64) map[string]int64 {
	m := make(map[string]int64)
	for i, n := range counts {
		if n > 0 {
			m[result.Reason(i).String()] = n
		}
	}
	return m
}

// Named returns the counts of the reasons by name.
func (s *Summary) Named() map[string]int64 { return named(s.Reasons) }
