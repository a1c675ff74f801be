package crawl

import (
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
)

// idleHosts are the hosts with nothing to do. The store has their state. While changes of the
// state of an idle host are not committed, the host stays in memory, because the older state in
// the store may ask for a shorter pause.
//
// # Invariant
//
//   - A host is in committing if and only if its state is hostIdle and host.commits is not 0.
//   - host.commits counts the changes of its state that are queued for the journal.
//
// All of this belongs to a frontier, which guards it with its lock.
type idleHosts struct {
	pauses *pace.Pauses
	// stored returns a host in its stored state, or a new host.
	stored func(origin string, partition uint8) (*host, error)

	committing map[string]*host
	tenures    *tenures
	suspect    time.Time // when the memo was found damaged, or zero
}

// get returns an idle host. The caller must hold [frontier.applying]: otherwise the store may
// have a change of the host's queue that [frontier.found] is about to add.
func (i *idleHosts) get(origin string, partition uint8) (*host, error) {
	if h := i.committing[origin]; h != nil {
		return h, nil
	}
	h, err := i.stored(origin, partition)
	if err != nil {
		return h, err
	}
	i.tenures.begin(h)
	if !i.suspect.IsZero() {
		h.pace.Interrupt(i.pauses, i.suspect) // the memo has lost its last answer
	}
	return h, err
}

// put makes a host idle.
func (i *idleHosts) put(h *host) {
	h.state = hostIdle
	if h.commits > 0 {
		i.committing[h.origin] = h
	}
}

// remove takes a host that is about to get another state.
func (i *idleHosts) remove(h *host) { delete(i.committing, h.origin) }

// save counts a change of the state of a host, idle or not, that is queued for the journal.
func (i *idleHosts) save(h *host) {
	if h.commits++; h.state == hostIdle {
		i.committing[h.origin] = h
	}
}

// saved uncounts a change that is committed.
func (i *idleHosts) saved(h *host) {
	if h.commits--; h.commits == 0 && i.committing[h.origin] == h {
		delete(i.committing, h.origin)
	}
}
