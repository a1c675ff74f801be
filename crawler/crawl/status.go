package crawl

import (
	"context"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/fleet"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/result"
)

// A Status is the progress of a crawl, in total and by host. It is immutable.
type Status struct {
	State   State     `json:"state"`
	At      time.Time `json:"at"`             // time of this status
	Began   time.Time `json:"began,omitzero"` // start of this run; zero if the crawl does not run
	Counts  Counts    `json:"counts"`         // of all known hosts and URLs
	Pages   int64     `json:"pages"`          // pages fetched by this run
	Bytes   int64     `json:"octets"`         // bytes of their bodies
	Busy    int       `json:"busy"`           // hosts with an open request
	Waiting int       `json:"waiting"`        // other hosts with something to do
	// hosts with something to do, by the reason for their wait: see [HostStatus]
	Waits   map[string]int64 `json:"waits"`
	Reasons map[string]int64 `json:"reasons"` // URLs not visited or failed, by reason
	// hosts with something to do: first those with an open request, then the next ones due
	Hosts []HostStatus `json:"hosts"`
	Robot string       `json:"user_agent,omitempty"` // the robot's UserAgent, if known
	// name of the crawl on its NATS server, if the journal is there
	Journal string `json:"journal,omitempty"`
	// number of the worker of a shared crawl, if it does not run, and when it had these counts:
	// others may have gone on with its part since
	Worker string    `json:"worker,omitempty"`
	Known  time.Time `json:"known,omitzero"`
	// workers of a crawl that is shared, if this one runs: see Shared of [Config]
	Workers []fleet.Row `json:"workers,omitempty"`
	// what a worker with an object store has not uploaded yet
	Unstored *unstored `json:"unstored,omitempty"`
	// workers that died before they had uploaded their archives, of partitions that this one got
	Missing []missingWorker `json:"missing,omitempty"`
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

// mostCauses is the maximum number of hosts of which a status has the cause of their wait.
const mostCauses = 100

// maxHosts is the maximum number of hosts that a status lists.
const maxHosts = 10_000

// Status returns the progress of a crawl, with up to hosts of the hosts that have something to
// do, and 10,000 at most. It returns nil if the crawl does not run. Status may be called
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
		State: Running, At: time.Now().UTC(), Began: c.began.UTC(), Counts: c.shard.counts(),
		Robot: c.UserAgent, Journal: c.joiner.home.name(),
		Pages: c.visitor.pages.Load(), Bytes: c.visitor.bytes.Load(), Reasons: named(c.tally.all()),
		Waits: make(map[string]int64),
	}
	s.Unstored, _ = c.depot.left() // a folder that cannot be read is told by others
	if w := c.crew.Load(); w != nil {
		s.Missing = w.searcher.left()
		s.Workers = w.status()
	}
	report := &frontierReport{c.shard.frontier, s.At}
	report.fill(s, min(hosts, maxHosts))
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if known, ok, err := c.shard.store.Host(h.partition, h.Origin); err == nil && ok {
			h.count(&known)
		}
		if i < mostCauses {
			h.cause(context.Background(), c.visitor.robots.cache)
		}
	}
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
