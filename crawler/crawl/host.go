package crawl

import (
	"net/netip"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// A hostState is the state of a host in the frontier: see [frontier].
type hostState uint8

const (
	hostIdle hostState = iota
	hostDue
	hostLeased
	hostParked
	hostAwaiting
	hostGone
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
	asked   bool          // group is from the host's last request, and no page was visited since
	queue   []store.Entry // items already read from the store
	filled  time.Time     // when queue was read
	yields  yields        // the yield of links from pages that repeat others
	similar []uint64      // text digests of its last pages
	forms   []uint64      // form digests of its last pages
	endless endless       // endless spaces among its URLs
	row     row           // requests for its pages that failed
	proof   string        // why robots.txt is ignored, notProven, or "" if this was not asked yet
	told    bool          // OnTrouble got it
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
	tenure  uint64        // of its partition, when it was read from the store
	spared  time.Time     // the value of at when lastTurn kept the host
}

// newHost returns a host in its stored state.
func newHost(s store.Host) (*host, error) {
	h := &host{origin: s.Origin, partition: s.Partition, index: -1, queued: s.Queued}
	if len(s.State) == 0 {
		return h, nil
	}
	return h, h.read(s.State)
}

// isDone reports whether a host has nothing to do.
func (h *host) isDone() bool {
	return !h.hasQueue() && len(h.hops) == 0 && h.hop == nil && h.answer == nil
}

// hasQueue reports whether a host has items, in the store or in h.queue.
func (h *host) hasQueue() bool { return h.queued > 0 || len(h.queue) > 0 }
