package crawl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A HostStatus is the progress of a crawl at one host. It is immutable.
type HostStatus struct {
	Origin string `json:"origin"`
	Queued int64  `json:"queued"` // URLs to visit
	Done   int64  `json:"done"`   // URLs that were visited

	// Wait is why the host waits, as one word, and Why is the same as a sentence. Wait is "asked"
	// while a request is open, "address" while the host waits for its turn at its IP address,
	// "redirect" while it waits for a host to which its robots.txt redirects, "due" until an item
	// of its queue is due, "nothing" if nothing is queued, or else a reason of package pace, such
	// as "crawl-delay", "retry-after", "unreachable" or "ready".
	Wait  string    `json:"wait"`
	Why   string    `json:"why"`
	Next  time.Time `json:"next,omitzero"`  // no request before this time
	Since time.Time `json:"since,omitzero"` // start of the open request, if there is one

	Reasons map[string]int64 `json:"reasons,omitempty"` // URLs not visited or failed, by reason

	// The fields below are set only by the HostStatus methods.
	Pages    int64         `json:"pages,omitempty"`    // pages fetched
	Bytes    int64         `json:"octets,omitempty"`   // bytes of their bodies
	Failures int           `json:"failures,omitempty"` // failures and refusals in a row; pauses grow with them
	Closed   []ClosedShape `json:"closed,omitempty"`   // closed shapes of its URLs
	Robots   *Obedience    `json:"robots,omitempty"`   // nil if its robots.txt is unknown
	URLs     []Queued      `json:"urls,omitempty"`     // the next URLs of its queue

	partition uint8
}

// Obedience is the state of a host's robots.txt and how the crawl obeys the file.
type Obedience struct {
	State      fetch.State `json:"state"`            // of the last attempt to fetch robots.txt
	Status     int         `json:"status,omitempty"` // HTTP status code
	Cause      string      `json:"cause,omitempty"`  // why State is not OK
	Failures   int         `json:"failures,omitempty"`
	CheckedAt  time.Time   `json:"checked_at"`
	FreshUntil time.Time   `json:"fresh_until"`
	Group      string      `json:"group,omitempty"` // product token of the matching group, or "" if no group matches
	Rules      int         `json:"rules"`           // of that group
	CrawlDelay float64     `json:"crawl_delay,omitempty"`
	Closed     bool        `json:"closed,omitempty"` // nothing is allowed, because robots.txt could not be fetched
}

// A Queued is a URL that waits to be visited.
type Queued struct {
	URL   string    `json:"url"`
	Due   time.Time `json:"due,omitzero"` // not to be visited before
	Depth uint32    `json:"depth"`        // number of links from a seed
	Via   string    `json:"via,omitempty"`
	Tries uint32    `json:"tries,omitempty"` // failed attempts
}

// maxQueued is the maximum number of queued URLs listed for a host.
const maxQueued = 1000

// HostStatus returns the full status of the hosts with a name, such as "example.com" or
// "example.com:8080", or of one origin. Each status lists up to urls URLs of the queue, and
// 1,000 at most. The result is empty if the crawl has not seen such a host. The error
// is [ErrNotRunning] if the crawl does not run. A lookup by a name without a port takes some
// microseconds for each known host.
func (c *Crawl) HostStatus(ctx context.Context, name string, urls int) ([]HostStatus, error) {
	r := c.current.Load()
	if r == nil {
		return nil, ErrNotRunning
	}
	return r.hostStatus(ctx, name, urls)
}

// hostStatus is [Crawl.HostStatus].
func (c *run) hostStatus(ctx context.Context, name string, urls int) ([]HostStatus, error) {
	if !c.asks.enter() {
		return nil, ErrNotRunning
	}
	defer c.asks.leave()
	all, err := hostsNamed(ctx, c.shard.store, name)
	if err != nil {
		return nil, err
	}
	report := &frontierReport{c.shard.frontier, time.Now()}
	var statuses []HostStatus
	for i := range all {
		h := report.host(&all[i], min(urls, maxQueued))
		if err := h.fill(&all[i]); err != nil {
			return nil, err
		}
		if err := h.peek(c.shard.store, min(urls, maxQueued)); err != nil {
			return nil, err
		}
		h.Robots = obedience(ctx, c.visitor.robots.cache, h.Origin, c.tokens)
		statuses = append(statuses, h)
	}
	return statuses, nil
}

// idle returns the status of an idle host.
func idle(known *store.Host) HostStatus {
	return HostStatus{Origin: known.Origin, partition: known.Partition, Wait: waitNothing, Why: "nothing is queued"}
}

// wait sets the reason for the wait of a host that is neither leased nor parked.
func (s *HostStatus) wait(h *host, now time.Time) {
	kind, until := h.waits(now)
	s.Wait = kind.String()
	switch kind {
	case waitKind(pace.Ready):
		s.Why = "it may be asked"
		return
	case kindDue:
		s.Why = "until " + until.UTC().Format(time.RFC3339) + ": nothing that is queued is due before"
	default:
		s.Why = h.reason.String()
	}
	s.Next = until.UTC()
}

// cause adds why robots.txt is unreachable to the reason for the wait.
func (s *HostStatus) cause(ctx context.Context, cache fetch.Cache) {
	if s.Wait != pace.Unreachable.String() {
		return
	}
	if e, err := cache.Get(ctx, s.Origin); err == nil && e.State == fetch.Unreachable && e.Cause != "" {
		s.Why += ": " + printable.Clipped(e.Cause, 300)
	}
}

// count copies the counts of a stored host.
func (s *HostStatus) count(known *store.Host) {
	s.Done = known.Done
	s.Reasons = named(countsOf(known.State).reasons)
}

// fill copies all fields of a stored host.
func (s *HostStatus) fill(known *store.Host) error {
	h, err := newHost(*known)
	if err != nil {
		return fmt.Errorf("%s: %w", known.Origin, err)
	}
	s.Queued, s.Done = known.Queued, known.Done
	s.Pages, s.Bytes, s.Reasons = h.counts.pages, h.counts.bytes, named(h.counts.reasons)
	s.Failures, s.Closed = h.pace.Strikes(), h.yields.all()
	return nil
}

// queue adds a URL, unless it is already listed or the list has most URLs.
func (s *HostStatus) queue(k store.Entry, most int) {
	if len(s.URLs) < most && !slices.ContainsFunc(s.URLs, func(q Queued) bool { return q.URL == k.Item.URL }) {
		s.URLs = append(s.URLs, Queued{k.Item.URL, k.Item.Due.UTC(), k.Item.Depth, k.Item.Via, k.Item.Tries})
	}
}

// peek adds URLs from the stored queue of a host.
func (s *HostStatus) peek(from *store.Store, most int) error {
	items, err := from.Queue(s.partition, s.Origin, most-len(s.URLs))
	for _, k := range items {
		s.queue(k, most)
	}
	return err
}

// obedience returns the state of a host's robots.txt.
func obedience(ctx context.Context, cache fetch.Cache, origin string, tokens []string) *Obedience {
	e, err := cache.Get(ctx, origin)
	if err != nil {
		return nil
	}
	o := &Obedience{State: e.State, Status: e.Status, Cause: e.Cause, Failures: e.Failures, CheckedAt: e.CheckedAt,
		FreshUntil: e.FreshUntil}
	policy := new(robots.Policy)
	switch {
	case e.State != fetch.Unavailable && e.File != nil: // a copy stays in force
		policy = e.File.Policy
	case e.State == fetch.Unreachable:
		o.Closed = true
	}
	if len(tokens) == 0 {
		return o
	}
	g := policy.For(tokens...)
	o.Group = g.Token()
	for range g.Rules() {
		o.Rules++
	}
	if delay, ok := g.CrawlDelay(); ok {
		o.CrawlDelay = delay.Delay.Seconds()
	}
	return o
}

// hostsNamed returns the stored hosts with a name, or the one with an origin.
func hostsNamed(ctx context.Context, s *store.Store, name string) (all []store.Host, err error) {
	origins, rest, err := parseHost(name)
	if err != nil {
		return nil, err
	}
	for _, u := range origins {
		h, ok, err := s.Host(partitionOf(u), u.Origin())
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, h)
		}
	}
	if rest == "" {
		return all, nil
	}
	partition := partitionOf(origins[0])
	err = s.Hosts(func(h store.Host) error {
		if h.Partition == partition {
			if _, authority, _ := strings.Cut(h.Origin, "://"); strings.HasPrefix(authority, rest) {
				all = append(all, h)
			}
		}
		return ctx.Err()
	})
	return all, err
}

// parseHost returns the origins for the name of a host. A name without a port means all ports:
// then the authorities of the other origins begin with rest.
func parseHost(name string) (origins []weburl.URL, rest string, err error) {
	if strings.Contains(name, "://") {
		u, err := weburl.Links.Parse(name)
		return []weburl.URL{u}, "", err
	}
	for _, scheme := range []string{"https://", "http://"} {
		u, err := weburl.Links.Parse(scheme + name)
		if err != nil {
			return nil, "", err
		}
		origins = append(origins, u)
	}
	if origins[0].Port() == "" && origins[1].Port() == "" { // no port was given
		rest = origins[0].Host() + ":"
	}
	return origins, rest, nil
}

// plural returns a number with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
