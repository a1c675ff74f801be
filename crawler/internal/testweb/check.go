package testweb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// CheckOptions are the promises of the robot under test, in addition to the demands of
// hosts. The zero value is a robot that crawls everything once.
type CheckOptions struct {
	// MinDelay is the minimum pause between two requests to a host.
	MinDelay time.Duration

	// Backoff is the minimum pause after 429 or 503 without Retry-After. 0 requires
	// only the usual pause.
	Backoff time.Duration

	// MaxOpen limits the open requests to the hosts of one address. 0 means no limit.
	MaxOpen int

	// AddressGap is the promised pause between the starts of two requests to one
	// address. As requests take different times to arrive, MaxOpen of them may come
	// early. 0 disables the check. Gaps begin again after the robot was killed.
	AddressGap time.Duration

	// AddressBudget limits the requests to an address in ten minutes, counted from the
	// first of them. 0 disables the check. Requests that were open when the robot was
	// killed, up to MaxOpen each time, may come on top.
	AddressBudget int

	// Hops applies the pauses and MaxOpen also to requests that follow a redirect of
	// robots.txt to another host. Without it these requests may be made at once.
	Hops bool

	// RobotsAge is how long a robots.txt is valid. 0 means 24 hours (RFC 9309, section
	// 2.4).
	RobotsAge time.Duration

	// Interval is the minimum time before a page is fetched again. 0 means never, as in
	// a crawl without revisits; a negative value disables the check.
	Interval time.Duration

	// Kills are the times at which the robot was killed. It may fetch pages again,
	// once, that it fetched less than Grace before a kill. A Grace of 0 means 1 second.
	Kills []time.Time
	Grace time.Duration

	// MaxTries limits the requests for a page whose answers are broken or ask for a
	// retry. 0 means 10.
	MaxTries int

	// MaxTrapped limits the requests into the trap of one host. 0 means 200.
	MaxTrapped int

	// Slack is how late a server may notice that a client has left: the end of such a
	// request counts that much earlier, and a robots.txt that replaces another counts
	// that much later. 0 means one second.
	Slack time.Duration

	// Whole requires a whole crawl from Seeds: each page that can be reached under the
	// rules is fetched, however long that takes.
	Whole bool

	// Seeds are the start URLs of the robot on the web. Nil means [Web.Seeds].
	Seeds []string

	// Sitemaps means that the robot reads sitemaps. Otherwise it may fetch their pages,
	// but need not.
	Sitemaps bool
}

// maxViolations limits the reported violations of one offence.
const maxViolations = 1000

// Check returns the violations of the rules of a polite robot, in the order of time, at
// most a thousand of each offence. It may be called while the web is served, but a
// whole crawl can be judged only after its end.
func (w *Web) Check(o CheckOptions) []Violation {
	setDefault(&o.RobotsAge, 24*time.Hour)
	setDefault(&o.Grace, time.Second)
	setDefault(&o.MaxTrapped, 200)
	setDefault(&o.MaxTries, 10)
	setDefault(&o.Slack, time.Second)
	c := &checker{web: w, options: o, records: w.log.all(), policies: make(map[edition]*policy), now: w.now()}
	c.check()
	slices.SortStableFunc(c.violations, func(a, b Violation) int { return cmp.Compare(a.At, b.At) })
	return c.violations
}

// A checker checks one log.
type checker struct {
	web     *Web
	options CheckOptions
	now     time.Duration

	records    []record
	byHost     [][]int32 // numbers of records by host, in the order of their starts
	news       [][]news  // of robots.txt, by host
	policies   map[edition]*policy
	violations []Violation
	counts     [Anonymous + 1]int
}

func (c *checker) check() {
	w := c.web
	w.log.mu.Lock()
	agents := slices.Clone(w.log.texts)
	w.log.mu.Unlock()
	token := strings.ToLower(w.options.Token)
	c.byHost = make([][]int32, len(w.hosts))
	c.news = make([][]news, len(w.hosts))
	for i := range c.records {
		r := &c.records[i]
		if !r.is(ended) {
			r.end = c.now // so far; the client may have left already
		}
		if r.is(aborted) || !r.is(ended) {
			r.end = max(r.start, r.end-c.options.Slack)
		}
		if agent := agents[r.agent]; !strings.Contains(strings.ToLower(agent), token) {
			c.report(Anonymous, r.start, r, fmt.Sprintf("User-Agent is %q", agent))
		}
		if int(r.address) >= len(w.addresses) {
			c.report(Refused, r.start, r, "nobody may connect to this address")
		}
		if r.host < 0 {
			c.report(Nobody, r.start, r, "there is no such host on this port")
			continue
		}
		c.byHost[r.host] = append(c.byHost[r.host], int32(i))
		c.hear(r)
	}
	for i := range w.hosts {
		h := &w.hosts[i]
		slices.SortStableFunc(c.byHost[i], func(a, b int32) int {
			return cmp.Compare(c.records[a].start, c.records[b].start)
		})
		slices.SortStableFunc(c.news[i], func(a, b news) int { return cmp.Compare(a.at, b.at) })
		c.checkObedience(h)
		c.checkPace(h)
		c.checkPaths(h)
		c.checkRevisits(h)
	}
	c.checkAddresses()
	c.checkAddressPace()
	c.checkConnections()
	c.checkReach()
}

// report adds a violation with its request, and the requests that prove it.
func (c *checker) report(what Offence, at time.Duration, r *record, why string, before ...*record) {
	if c.counts[what]++; c.counts[what] > maxViolations {
		return
	}
	v := Violation{What: what, At: at, Why: why}
	if r != nil {
		if r.host >= 0 {
			v.Host, v.Path = c.web.hosts[r.host].origin, c.web.pathOf(r)
		} else {
			v.Host = r.path
		}
		before = append(before, r)
	}
	for _, r := range before[max(0, len(before)-10):] {
		v.Requests = append(v.Requests, c.web.request(r))
	}
	c.violations = append(c.violations, v)
}

// isRobots reports whether a request is for the robots.txt of its host.
func (r *record) isRobots() bool { return r.path == "/robots.txt" }

// isUseless reports whether a request got no answer that the robot could read and keep.
func (r *record) isUseless() bool {
	return r.status == 0 || r.is(later|faulty|aborted) || !r.is(ended)
}

// isHop reports whether a request follows a redirect of robots.txt.
func (r *record) isHop() bool { return strings.HasPrefix(r.path, hopPrefix) }

// checkPaths finds requests with side effects, and requests into traps.
func (c *checker) checkPaths(h *host) {
	trapped := 0
	for _, i := range c.byHost[h.number] {
		r := &c.records[i]
		if r.is(otherMethod) {
			c.report(SideEffect, r.start, r, "the method is neither GET nor HEAD")
			continue
		}
		if r.path == "" {
			continue
		}
		switch h.partOf(r.path) {
		case effect:
			c.report(SideEffect, r.start, r, "a visit does something")
		case endless:
			if trapped++; trapped == c.options.MaxTrapped+1 {
				c.report(Trapped, r.start, r, fmt.Sprintf("more than %d requests into a trap", c.options.MaxTrapped))
			}
		}
	}
}

// Doubts is the number of requests in a row without a use after which a robot may ask for the page
// that was answered last again, to see whether the host answers at all. A crawl of a test may have
// as little patience.
const Doubts = 3

// checkRevisits finds pages that were fetched again too early, or unconditionally.
func (c *checker) checkRevisits(h *host) {
	last := make(map[string]*record)
	lastOfTree := make([]*record, h.pages)
	tries := make(map[string]int)
	row := 0             // requests without a use since the last answer
	var answered *record // the last request with an answer
	for _, i := range c.byHost[h.number] {
		r := &c.records[i]
		if r.isRobots() || r.isHop() {
			continue
		}
		var before *record
		if r.path == "" {
			before = lastOfTree[r.page]
		} else {
			before = last[h.key(r.path)]
		}
		if doubted := row >= Doubts && before == answered; before != nil && !doubted {
			early := c.options.Interval == 0 || c.options.Interval > 0 && r.start-before.start < c.options.Interval
			if early && !c.forgiven(before, r) {
				c.report(Twice, r.start, r, "the same page again, before its time", before)
			} else if before.is(tagged) && !r.is(conditional) && !c.forgiven(before, r) {
				c.report(Unconditional, r.start, r, "the answer before had a validator, which was not sent", before)
			}
		}
		// Requests without a complete answer, or with one that asks for a retry, may be
		// repeated.
		if r.isUseless() {
			row++
			path := c.web.pathOf(r)
			if tries[path]++; tries[path] == c.options.MaxTries+1 {
				c.report(Twice, r.start, r, fmt.Sprintf("asked for %d times, though the answers are of no use",
					tries[path]))
			}
			continue
		}
		row, answered = 0, r
		if r.path == "" {
			lastOfTree[r.page] = r
		} else {
			last[h.key(r.path)] = r
		}
	}
}

// forgiven reports whether the robot was killed so soon after a request that it may
// have forgotten the request.
func (c *checker) forgiven(before, again *record) bool {
	for _, kill := range c.options.Kills {
		if at := kill.Sub(c.web.began); c.soonAfter(before, at) && again.start >= at {
			return true
		}
	}
	return false
}

// killedAfter reports whether the robot was killed during a request, or within Grace after it.
func (c *checker) killedAfter(r *record) bool {
	return slices.ContainsFunc(c.options.Kills, func(kill time.Time) bool {
		return c.soonAfter(r, kill.Sub(c.web.began))
	})
}

// soonAfter reports whether a time is within a request, or at most Grace after it.
func (c *checker) soonAfter(r *record, at time.Duration) bool {
	return r.start <= at && at <= r.end+c.options.Grace
}

// checkAddresses finds addresses with too many open requests.
func (c *checker) checkAddresses() {
	if c.options.MaxOpen == 0 {
		return
	}
	type event struct {
		at    time.Duration
		opens bool
		r     *record
	}
	events := make(map[uint16][]event)
	for i := range c.records {
		r := &c.records[i]
		if r.isHop() && !c.options.Hops {
			continue
		}
		events[r.address] = append(events[r.address], event{r.start, true, r}, event{r.end, false, r})
	}
	for _, list := range events {
		slices.SortStableFunc(list, func(a, b event) int {
			if order := cmp.Compare(a.at, b.at); order != 0 || a.opens == b.opens {
				return order
			}
			if a.opens {
				return 1 // an end comes before a start at the same time
			}
			return -1
		})
		var open []*record
		for _, e := range list {
			if !e.opens {
				open = slices.DeleteFunc(open, func(r *record) bool { return r == e.r })
				continue
			}
			if len(open) >= c.options.MaxOpen {
				c.report(Crowd, e.at, e.r, fmt.Sprintf("%d others were open to hosts of this address", len(open)),
					open...)
			}
			if e.r.end > e.at {
				open = append(open, e.r)
			}
		}
	}
}

// checkAddressPace finds addresses that received requests faster than promised: for
// each two requests it counts those between them.
func (c *checker) checkAddressPace() {
	if c.options.AddressGap == 0 && c.options.AddressBudget == 0 {
		return
	}
	const period = 10 * time.Minute
	lists := make(map[uint16][]*record)
	for i := range c.records {
		if r := &c.records[i]; !r.isHop() || c.options.Hops {
			lists[r.address] = append(lists[r.address], r)
		}
	}
	for _, list := range lists {
		slices.SortStableFunc(list, func(a, b *record) int { return cmp.Compare(a.start, b.start) })
		first := 0
		for i, r := range list {
			if r.start-list[first].start >= period {
				first = i
			}
			spare := c.options.MaxOpen * len(c.options.Kills)
			if n := i - first + 1; c.options.AddressBudget > 0 && n == c.options.AddressBudget+spare+1 {
				c.report(Crowd, r.start, r, fmt.Sprintf("%d requests to the address in ten minutes", n), list[first])
			}
			// Checking only this many requests back bounds the work.
			for k := i - 1; k >= max(0, i-1000) && c.options.AddressGap > 0; k-- {
				need := time.Duration(i-k-c.options.MaxOpen) * c.options.AddressGap
				if gap := r.start - list[k].start; gap < need-time.Millisecond {
					c.report(Crowd, r.start, r, fmt.Sprintf("%d requests to the address in %v, with a pause of %v", i-k+
						1, gap, c.options.AddressGap), list[k])
					break
				}
			}
		}
	}
}

// checkConnections finds connections to forbidden addresses.
func (c *checker) checkConnections() {
	c.web.log.mu.Lock()
	wrong := slices.Clone(c.web.log.wrong)
	c.web.log.mu.Unlock()
	for _, conn := range wrong {
		why := fmt.Sprintf("a connection from port %d", conn.port)
		if c.counts[Refused]++; c.counts[Refused] <= maxViolations {
			c.violations = append(c.violations, Violation{What: Refused, At: conn.at, Host: conn.addr.String(),
				Why: why})
		}
	}
}
