package crawl

import (
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawl/pace"
	"github.com/robotsexclusion/robots/crawl/store"
)

// A Status is where a crawl is, host by host.
type Status struct {
	Counts  store.Counts     `json:"counts"`
	Pages   int64            `json:"pages"`   // that were fetched by this run
	Octets  int64            `json:"octets"`  // of their bodies
	Elapsed time.Duration    `json:"elapsed"` // of this run, in nanoseconds
	Open    int              `json:"open"`    // hosts that a worker is at
	Waiting int              `json:"waiting"` // hosts with something to do that may not be asked yet
	Reasons map[string]int64 `json:"reasons"` // why URLs were not visited, or came to nothing
	Hosts   []HostStatus     `json:"hosts"`   // that have something to do, the next one first
}

// A HostStatus is where a crawl is at one host.
type HostStatus struct {
	Origin  string           `json:"origin"`
	Queued  int64            `json:"queued"`
	Done    int64            `json:"done"`
	Next    time.Time        `json:"next,omitzero"` // when it is asked next
	Why     string           `json:"why,omitempty"` // it waits until then
	Reasons map[string]int64 `json:"reasons,omitempty"`
}

// Status returns where a crawl is: of hosts that wait as many as asked for. It is nil
// where the crawl does not run.
func (c *Crawler) Status(hosts int) *Status {
	if !c.running.Load() {
		return nil
	}
	s := &Status{Counts: c.store.Counts(), Pages: c.pages.Load(), Octets: c.octets.Load(), Elapsed: time.Since(c.began), Reasons: named(c.tally.all())}
	f := c.frontier
	f.mu.Lock()
	s.Open, s.Waiting = f.leased, len(f.due)
	all := slices.Clone([]*host(f.due))
	slices.SortFunc(all, func(a, b *host) int { return a.at.Compare(b.at) })
	for _, h := range all[:min(hosts, len(all))] {
		s.Hosts = append(s.Hosts, HostStatus{Origin: h.origin, Queued: h.queued, Next: h.at, Why: because(h)})
	}
	f.mu.Unlock()
	return s
}

// because says why a host waits.
func because(h *host) string {
	if h.at.After(h.reason.At) && h.reason.Reason == pace.Ready {
		return "what is queued is due then"
	}
	return h.reason.String()
}

// named returns those counts that are not zero, by the names of their reasons.
func named(counts [Reasons]int64) map[string]int64 {
	m := make(map[string]int64)
	for i, n := range counts {
		if n > 0 {
			m[Reason(i).String()] = n
		}
	}
	return m
}

// Refused returns how many URLs were not visited, or came to nothing, whatever the
// reason.
func (s *Status) Refused() (n int64) {
	for _, count := range s.Reasons {
		n += count
	}
	return n
}

// Named returns the reasons with their counts, by their names.
func (s *Summary) Named() map[string]int64 { return named(s.Reasons) }

// String returns the status as lines of text.
func (s *Status) String() string {
	var b strings.Builder
	for _, h := range s.Hosts {
		b.WriteString(h.Origin + ": " + h.Why + "\n")
	}
	return b.String()
}
