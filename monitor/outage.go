package monitor

import (
	"slices"
	"sync"

	"github.com/robotsexclusion/robots/fetch"
)

// An outage recognises that the network of the watch itself is down: of the last sites that were looked at, most do not answer.
// Without it, a cable that is pulled out would be an incident of each site.
type outage struct {
	mu   sync.Mutex
	last []outageLook // of distinct sites, the oldest first
}

type outageLook struct {
	origin     string
	unanswered bool
}

const (
	outageSites = 20 // the number of sites that are remembered
	outageLeast = 10 // with fewer sites nothing can be said
)

// see adds a look, and reports whether its failure must not count.
func (o *outage) see(origin string, unanswered bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = slices.DeleteFunc(o.last, func(l outageLook) bool { return l.origin == origin })
	o.last = append(o.last, outageLook{origin, unanswered})
	if len(o.last) > outageSites {
		o.last = o.last[1:]
	}
	failing := 0
	for _, l := range o.last {
		if l.unanswered {
			failing++
		}
	}
	return unanswered && len(o.last) >= outageLeast && 2*failing > len(o.last)
}

// unanswered reports whether a look got no answer at all. A server that shows a certificate, even a bad one, has answered: the operator of sites with
// certificates that nobody trusts must hear of them.
func unanswered(o *Observation) bool {
	return o.File.State == fetch.Unreachable && o.File.Status == 0 &&
		!slices.ContainsFunc(o.Findings, func(f Finding) bool { return f.Kind == Certificate })
}
