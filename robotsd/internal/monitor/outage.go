package monitor

import (
	"slices"
	"sync"

	"github.com/robotsexclusion/robots/fetch"
)

// An outage recognises that the network of the watch itself is down: most of the last sites that
// were looked at do not answer, or no other site has answered since a site failed first. Without
// it, a cable that is pulled out would be an incident of each site. The second rule is for watches
// of few sites: within the minute before the second look at a site, which makes its failure sure,
// they look at too few others for the first rule.
type outage struct {
	mu       sync.Mutex
	looks    uint64
	answered uint64       // the number of the last look that was answered
	last     []outageLook // of distinct sites, the oldest first
}

type outageLook struct {
	origin string
	failed uint64 // the number of the first look since which the site has not answered, or 0
}

const (
	outageSites = 20 // the number of sites that are remembered
	outageLeast = 10 // with fewer sites nothing can be said
)

// see adds a look, and reports whether its failure must not count.
func (o *outage) see(origin string, unanswered bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.looks++
	look := outageLook{origin: origin}
	if i := slices.IndexFunc(o.last, func(l outageLook) bool { return l.origin == origin }); i >= 0 {
		look = o.last[i]
		o.last = slices.Delete(o.last, i, i+1)
	}
	switch {
	case !unanswered:
		look.failed, o.answered = 0, o.looks
	case look.failed == 0:
		look.failed = o.looks
	}
	o.last = append(o.last, look)
	if len(o.last) > outageSites {
		o.last = o.last[1:]
	}
	if !unanswered || len(o.last) < outageLeast {
		return false
	}
	failing := 0
	for _, l := range o.last {
		if l.failed > 0 {
			failing++
		}
	}
	again := look.failed < o.looks
	return 2*failing > len(o.last) || again && o.answered < look.failed
}

// unanswered reports whether a look got no answer at all. A server that shows a certificate, even a
// bad one, has answered: the operator of sites with certificates that nobody trusts must hear of
// them.
func unanswered(o *Observation) bool {
	return o.File.State == fetch.Unreachable && o.File.Status == 0 &&
		!slices.ContainsFunc(o.Findings, func(f Finding) bool { return f.Kind == Certificate })
}
