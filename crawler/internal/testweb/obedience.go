package testweb

import (
	"fmt"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// A news is the time at which a robot has learned an edition of a robots.txt.
type news struct {
	at      time.Duration
	edition edition
}

// An edition is a version of a robots.txt.
type edition struct {
	host    int32
	version int16 // everything if there is no file, and all is allowed
}

const everything = -1

// A policy is an edition, parsed for the robot under test.
type policy struct {
	group *robots.Group // nil: everything is allowed
	delay time.Duration // of Crawl-delay
	rates []robots.RequestRate
	times []robots.VisitTime
}

// maxSize is the part of a robots.txt that every robot has to read, in bytes (RFC 9309,
// section 2.5).
const maxSize = 500 << 10

// policyOf returns an edition, parsed.
func (c *checker) policyOf(e edition) *policy {
	p := c.policies[e]
	if p == nil {
		p = c.web.policyOf(e)
		c.policies[e] = p
	}
	return p
}

func (w *world) policyOf(e edition) *policy {
	if e.version == everything {
		return new(policy)
	}
	text := w.hosts[e.host].robotsFile(int(e.version))
	g := robots.Parse([]byte(text[:min(len(text), maxSize)])).For(w.options.Token)
	p := &policy{group: g, rates: g.RequestRates(), times: g.VisitTimes()}
	if d, ok := g.CrawlDelay(); ok {
		p.delay = d.Delay
	}
	return p
}

// allows reports whether the policy allows a path.
func (p *policy) allows(path string) bool {
	return p.group == nil || p.group.Allowed(urlcheck.OfHost(path))
}

// pause returns the pause that the policy demands between requests at a time of day,
// and the record that demands it.
func (p *policy) pause(now time.Time) (d time.Duration, why string) {
	d, why = p.delay, "Crawl-delay"
	for _, r := range p.rates {
		if (r.Window == nil || r.Window.Contains(now)) && r.Delay() > d {
			d, why = r.Delay(), "Request-rate"
		}
	}
	return d, why
}

// open reports whether the policy admits robots at a time of day.
func (p *policy) open(now time.Time) bool {
	for _, t := range p.times {
		if t.Window.Contains(now) {
			return true
		}
	}
	return p.times == nil
}

// hear records the information about a host in the answer to a request for robots.txt,
// or to one that follows its redirects.
func (c *checker) hear(r *record) {
	h := &c.web.hosts[r.host]
	hops := 0
	switch {
	case r.isRobots():
	case r.isHop():
		if h, hops = c.web.hopOf(r.path); h == nil {
			return
		}
	default:
		return
	}
	if h.kind.closed || !r.is(ended) || r.status == 0 {
		return
	}
	tell := func(version int16) {
		c.news[h.number] = append(c.news[h.number], news{r.end, edition{h.number, version}})
	}
	switch status := r.status; {
	case status == 304 || 200 <= status && status < 300:
		if r.is(enough) {
			tell(int16(r.version))
		}
	case 300 <= status && status < 400:
		// A redirect without a target, and the sixth redirect, count as 404. A redirect
		// to a refused address gives no information.
		if hops == 5 || h.text.says == open && h.text.hops == nil {
			tell(everything)
		}
	case status != 429 && status < 500 && !r.is(aborted):
		tell(everything)
	}
}

// inForce returns the policies that may apply to a request: the last one, and the one
// before if the last is so new that a robot may not know it. It returns none if there
// was none. The age is that of the last one.
func (c *checker) inForce(h *host, at time.Duration) (list []*policy, age time.Duration) {
	news := c.news[h.number]
	n := len(news)
	for n > 0 && news[n-1].at > at {
		n--
	}
	if n == 0 {
		return nil, 0
	}
	list = append(list, c.policyOf(news[n-1].edition))
	age = at - news[n-1].at
	if n > 1 && age < c.options.Slack && h.text.hops != nil {
		list = append(list, c.policyOf(news[n-2].edition))
	}
	return list, age
}

// checkObedience checks the requests to a host against its robots.txt.
func (c *checker) checkObedience(h *host) {
	var last *record // for robots.txt
	for _, i := range c.byHost[h.number] {
		r := &c.records[i]
		if r.isHop() {
			continue
		}
		if r.isRobots() {
			last = r
			continue
		}
		var shown []*record
		if last != nil {
			shown = append(shown, last)
		}
		policies, age := c.inForce(h, r.start)
		if len(policies) == 0 {
			why := "robots.txt was never requested"
			if last != nil {
				why = "robots.txt could not be fetched"
			}
			c.report(BeforeRobots, r.start, r, why, shown...)
			continue
		}
		if age > c.options.RobotsAge && (last == nil || last.end < r.start-c.options.RobotsAge) {
			c.report(BeforeRobots, r.start, r, fmt.Sprintf("robots.txt is %v old", age.Round(time.Millisecond)),
				shown...)
		}
		path := c.web.pathOf(r)
		now := c.web.began.Add(r.start)
		allowed, inTime := false, false
		for _, p := range policies {
			allowed = allowed || p.allows(path)
			inTime = inTime || p.open(now)
		}
		if !allowed {
			c.report(Disallowed, r.start, r, policies[0].group.Match(urlcheck.OfHost(path)).String(), shown...)
		}
		if !inTime {
			c.report(OutOfHours, r.start, r, "Visit-time is "+policies[0].times[0].Window.String(), shown...)
		}
	}
}

// checkPace checks the pauses between requests to a host.
func (c *checker) checkPace(h *host) {
	var last *record    // the last one to end
	var retry *record   // the one with the latest Retry-After
	var backoff *record // the last one that asked for a retry without a time
	for _, i := range c.byHost[h.number] {
		r := &c.records[i]
		if r.isHop() {
			if of, _ := c.web.hopOf(r.path); of == h || !c.options.Hops {
				continue
			}
		}
		if last != nil && r.start < last.end {
			c.report(Overlap, r.start, r, "another request to the host was open", last)
		} else if last != nil {
			need, why := c.options.MinDelay, "the robot's own delay"
			policies, _ := c.inForce(h, r.start)
			for i, p := range policies {
				d, record := p.pause(c.web.began.Add(r.start))
				switch {
				case i > 0: // either of the two suffices
					need = min(need, max(d, c.options.MinDelay))
				case d > need:
					need, why = d, record
				}
			}
			if backoff == last && c.options.Backoff > need {
				need, why = c.options.Backoff, strconv.Itoa(int(last.status))
			}
			if gap := r.start - last.end; gap < need {
				c.report(TooEarly, r.start, r, fmt.Sprintf("%v after the end of the last request, where %s asks for %v",
					gap, why, need), last)
			}
		}
		if retry != nil && r.start < retry.retry {
			c.report(TooEarly, r.start, r, fmt.Sprintf("%v before Retry-After", retry.retry-r.start), retry)
		}
		if last == nil || r.end > last.end {
			last = r
		}
		if !r.is(aborted) && r.is(later) {
			switch {
			case r.retry == 0:
				backoff = r
			case retry == nil || r.retry > retry.retry:
				retry = r
			}
		}
	}
}
