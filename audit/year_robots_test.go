package audit_test

import (
	"fmt"
	"math"
	"net/netip"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A yearRobot is a robot of a year.
type yearRobot struct {
	agent    string
	obeys    bool  // it obeys the copy of robots.txt that it has
	keeps    int64 // how long it keeps its copies; 0 if it never reads robots.txt
	pause    int64 // about how long a process pauses between two visits
	banned   bool  // some hosts refuse it robots.txt at times
	bursts   bool  // it once sends 150 requests in a second
	fetchers []*yearFetcher
}

// obedient reports whether a robot does what RFC 9309 says.
func (r *yearRobot) obedient() bool { return r.obeys && 0 < r.keeps && r.keeps <= day }

// A yearFetcher is a process of a robot, with its copies of robots.txt.
type yearFetcher struct {
	clients []netip.Addr
	copies  map[*yearHost]*yearCopy
	free    int64 // when its last visit has ended
}

// A yearCopy is what a process has of the robots.txt of a host.
type yearCopy struct {
	policy  *robots.Policy // nil if it never read one
	version int            // of policy, or -1
	read    int64          // when it last read policy, or a status 304 confirmed policy
	// when the process found robots.txt unreachable for the first time since, in the last outage;
	// never if it did not
	failed int64
	last   int64 // when the process last found so
}

// addRobots makes up the robots. Each behaviour of the table in AUDIT.md, section 3, has several
// robots.
func (y *year) addRobots() {
	for n := range 100 {
		r := &yearRobot{
			agent: fmt.Sprintf("Mozilla/5.0 (compatible; simbot%d/1.0; +https://simbot.example/)", n),
			obeys: true, keeps: day,
			pause: one(y, int64(hour), 2*hour, 3*hour, 6*hour, day),
		}
		processes, oneAddress := 1, false
		switch n % 12 {
		case 0, 1: // as RFC 9309 says
		case 2:
			r.keeps = 6 * hour
		case 3:
			r.keeps = hour
		case 4: // many processes, each with its address
			processes, r.pause = 20, 2*day
		case 5: // many behind one address
			processes, oneAddress, r.pause = 20, true, 2*day
		case 6:
			r.banned = true
		case 7:
			r.obeys, r.keeps = false, 0
		case 8:
			r.obeys, r.keeps = false, 6*hour
		case 9:
			r.keeps = 10 * day
		case 10:
			r.obeys, r.keeps, r.banned, r.bursts = false, day, true, n == 10
		case 11:
			r.keeps = 0
		}
		if n < len(smallAgents)-1 {
			r.agent = smallAgents[n]
		}
		if n == 6 { // a verified robot that disobeys
			r.obeys, r.keeps, r.pause = false, hour, hour
		}
		for p := range processes {
			f := &yearFetcher{copies: map[*yearHost]*yearCopy{}}
			for range 1 + n%3 {
				f.clients = append(f.clients, addr(fmt.Sprintf(one(y, "192.0.2.%d", "2001:db8::%d"), 20+y.roll(20))))
			}
			switch {
			case oneAddress:
				f.clients = f.clients[:1]
				f.clients[0] = addr(fmt.Sprintf("198.51.100.%d", n))
			case processes > 1:
				f.clients = []netip.Addr{netip.AddrFrom4([4]byte{198, 18, byte(n), byte(p)})}
			case n == 8: // under a browser's name
				r.pause, f.clients = hour, f.clients[:1]
			case n == 6:
				f.clients = []netip.Addr{addr("192.0.2.1")} // verified
			case n == 2:
				f.clients = append(f.clients, addr("192.0.2.1"), addr("2001:db8::1")) // verified
			}
			r.fetchers = append(r.fetchers, f)
		}
		y.robots = append(y.robots, r)
		y.truth.expect(r)
	}
	for _, n := range []int{2, 5, 6} { // forgers read what the robots read, and take everything
		forger := &yearRobot{agent: smallAgents[n], keeps: 6 * hour, pause: 3 * hour}
		forger.fetchers = []*yearFetcher{{clients: []netip.Addr{addr("192.0.2.9")}, copies: map[*yearHost]*yearCopy{}}}
		y.robots = append(y.robots, forger)
	}
}

func (y *year) run() {
	for _, r := range y.robots {
		for _, f := range r.fetchers {
			for at := y.from + y.random.Int64N(2*r.pause); at < y.to; at = max(f.free, at+
				1+y.random.Int64N(2*r.pause)) {
				y.visit(r, f, y.hosts[one(y, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 8)], at)
			}
		}
		if r.bursts {
			v := visit{at: y.from + day, client: r.fetchers[0].clients[0], method: "GET", status: 200, bytes: 100,
				agent: r.agent}
			for n := 0; v.path == "" || hashOf(v) > math.MaxUint64/200; n++ { // a request that the sample of a year has
				v.path = fmt.Sprint("/d?", n)
			}
			for range 150 {
				y.log(y.hosts[4], v, 0)
			}
		}
	}
	y.addPeople()
}

// read lets a process request robots.txt once. It reports whether the process knows then what the
// robot may do.
func (y *year) read(r *yearRobot, f *yearFetcher, h *yearHost, at int64) bool {
	c := f.copies[h]
	a := y.serve(h, at, r, c.version)
	method := "GET"
	if y.roll(12) == 0 { // an answer to HEAD says nothing
		method, a.text = "HEAD", nil
	}
	if !h.edge {
		y.log(h, visit{at: at, client: one(y, f.clients...), method: method, path: "/robots.txt", status: a.status,
			bytes: int64(len(a.text)), agent: r.agent}, 0)
	}
	switch {
	case method == "HEAD":
		return false
	case a.status == 200:
		*c = yearCopy{robots.Parse(a.text), a.version, at, never, never}
	case a.status == 304:
		c.read, c.failed, c.last = at, never, never
	case a.status == 429, a.status >= 500:
		if y.outage(c.failed) != y.outage(at) { // it could be read in between, though this process did not try
			c.failed = at
		}
		c.last = at
		return false
	case a.status >= 400 && a.status != 499:
		*c = yearCopy{robots.AllowAll(), -1, at, never, never}
	default:
		return false
	}
	return true
}

// copyOf returns what a process goes by at a time, or nil if it may request nothing, and the time
// afterwards.
//
// A copy that is too old is read again before each request. While robots.txt is unreachable, a
// robot goes by a copy that was not too old when that began, and requests nothing without one (RFC
// 9309, sections 2.3.1.4 and 2.4).
func (y *year) copyOf(r *yearRobot, f *yearFetcher, h *yearHost, at int64) (*robots.Policy, int64) {
	c := f.copies[h]
	if c == nil {
		c = &yearCopy{version: -1, read: always, failed: never, last: never}
		f.copies[h] = c
	}
	if r.keeps == 0 {
		return robots.AllowAll(), at
	}
	for range 4 {
		if c.policy != nil && at <= c.read+r.keeps {
			return c.policy, at
		}
		if y.read(r, f, h, at) {
			return c.policy, at + one(y, int64(0), 1, 2, minute)
		}
		if c.last == at {
			break
		}
		at++
	}
	const longestFailure = 50 * hour
	kept := c.last == at && c.failed <= c.read+day && at < c.failed+longestFailure
	if r.obedient() && (c.policy == nil || at > c.read+day && !kept) {
		return nil, at
	}
	if c.policy == nil {
		return robots.AllowAll(), at
	}
	return c.policy, at
}

// visit lets a process visit a host.
func (y *year) visit(r *yearRobot, f *yearFetcher, h *yearHost, at int64) {
	defer func() { f.free = at }()
	pages := 1 + y.roll(3)
	if !r.obeys {
		pages *= 3
	}
	for range pages {
		var policy *robots.Policy
		for range 3 { // a later time to visit may need another copy, which has other times
			if policy, at = y.copyOf(r, f, h, at); policy == nil {
				return
			}
			from := at
			if r.obeys {
				from = visitFrom(agent.Group(policy, r.agent), at)
			}
			if from == at {
				break
			}
			at, policy = from, nil
		}
		if policy == nil || at >= y.to {
			return
		}
		group := agent.Group(policy, r.agent)
		v := visit{
			at: at, client: one(y, f.clients...), agent: r.agent,
			method: one(y, "GET", "GET", "HEAD", "POST"),
			path:   one(y, "/", "/a", "/a/1.html", "/b", "/b2", "/c/x", "/d?q=1", "/d", "//a/c/x", ""),
			status: one(y, 200, 200, 200, 301, 404, 403, 500, 429, 101, 999),
			bytes:  one(y, int64(1000), 0, -1, 123456),
		}
		took := int64(0)
		if h.slow {
			took = one(y, int64(0), 0, 2, 8*minute)
		}
		if v.path == "" || !r.obeys || group.Allowed(anyHost+v.path) {
			y.log(h, v, took)
		}
		if r.obeys {
			at += pauseOf(group)
		}
		at += one(y, int64(0), 1, 3, 29, 30)
	}
}

// visitFrom returns the first hour from a second on at which a group lets a robot visit, or the
// second.
func visitFrom(g *robots.Group, at int64) int64 {
	times := g.VisitTimes()
	for wait := range int64(24) {
		for _, v := range times {
			if v.Window.Contains(stamp(at + wait*hour)) {
				return at + wait*hour
			}
		}
	}
	return at
}

// pauseOf returns how many seconds a group asks robots to pause at any time of the day.
func pauseOf(g *robots.Group) (pause int64) {
	delay, _ := g.CrawlDelay()
	pause = int64(math.Ceil(delay.Delay.Seconds()))
	for _, r := range g.RequestRates() {
		pause = max(pause, int64(math.Ceil(r.Delay().Seconds())))
	}
	return pause
}

// addPeople lets people read pages, and robots that do not say so behave like robots under a
// browser's name.
func (y *year) addPeople() {
	page := func(client string, at int64, path, referrer, header string) {
		y.log(y.hosts[0], visit{at: at, client: addr(client), method: "GET", path: path, status: 200, bytes: 500,
			agent: header, referrer: referrer}, 0)
	}
	begin := func() int64 { return y.from + y.random.Int64N(y.to-y.from-2*day) }
	for n := range 40 {
		client := fmt.Sprintf("203.0.113.%d", 1+n)
		for range 3 {
			at := begin()
			for range 5 {
				path := fmt.Sprintf("/story-%c", 'a'+y.roll(26))
				page(client, at, path, "https://example.com/", firefox)
				page(client, at+1, "/style.css", "https://example.com"+path, firefox)
				page(client, at+1, "/a.png", "https://example.com"+path, firefox)
				at += 20 + y.random.Int64N(500)
			}
		}
	}
	disguised := func(name string) string { y.truth.disguised[name] = true; return name }

	client, at := disguised("203.0.113.101"), begin()
	page(client, at, "/robots.txt", "", firefox)
	for n := range int64(40) { // pages only, by no link
		page(client, at+n*n*7, fmt.Sprintf("/story-%c", 'a'+n%26), "", firefox)
	}
	disguised("2001:db8:1:2::/64")
	at = begin()
	for n := range int64(130) { // one after the other, and a network of IPv6
		page(fmt.Sprintf("2001:db8:1:2::%x", 1+n%9), at+n*60, fmt.Sprintf("/item/%d", n), "", firefox)
	}
	client, at = disguised("203.0.113.103"), begin()/minute*minute
	for n := range int64(310) { // very fast
		page(client, at+n/6, fmt.Sprintf("/story-%c", 'a'+n%7), "https://example.com/", firefox)
	}
	client, at = disguised("203.0.113.104"), begin()
	for n := range int64(60) { // a feed, day and night
		page(client, at+n*1800, "/feed.xml", "", "Mozilla/5.0 (X11; Linux x86_64; rv:99.0) Gecko/20100101 Firefox/99.0")
	}
	at = begin()
	for n := range int64(45) { // one header at many addresses
		page(fmt.Sprintf("203.0.113.%d", 120+n), at+n*n*40, fmt.Sprintf("/story-%c", 'a'+n%26), "",
			disguised(oldFirefox))
	}
	for range 5 { // nobody
		page("203.0.113.100", begin(), "/a", "", "")
	}
}

const oldFirefox = "Mozilla/5.0 (Windows NT 6.1; rv:25.0) Gecko/20100101 Firefox/25.0"
