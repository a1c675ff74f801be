package audit

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

// A Live judges requests while servers write the logs, by the earlier requests. Its judgements are
// those of a [Judge] of a part with the requests so far, but milder in some cases:
//
//   - A request whose line names a host is judged only by versions of this host, not by those of
//     host "".
//   - A request whose time states no zone is at most InGrace if Options.Zone is nil, and in the
//     hour that the end of daylight saving repeats: an answer that matters may come later.
//   - A request is not judged, for the reason "late", if it is an hour or more before the last one:
//     because its line came late, or because its case waited for Judge too long.
//   - Requests over loopback count as those of the site's own software, until nearly all people
//     come over loopback too, at least ten with three browsers: then a proxy sends them.
//   - A robot's client that also has two browsers counts as a proxy, until ten people with three
//     browsers came from addresses that no robot has.
//   - Limits of memory: only the answers to 200,000 addresses of robots can make a request
//     Informed. If more than 131,072 robots failed to read robots.txt when they last asked, a month
//     ago or longer, some are forgotten: requests of unknown robots are then at most InGrace.
//
// Later lines of the log can acquit a request, but a Live knows only the lines before the
// judgement. So a caller of several logs waits a little between Add and Judge.
//
// Its memory does not grow with time: it forgets data that no later request can need. It is used by
// one goroutine.
type Live struct {
	tally  *tally // finds robots, places and identities; it counts nothing that is reported
	hosts  map[string]*liveHost
	robots map[liveKey]*liveRobot
	latest int64 // the last second of requests, but not after the clock of this machine

	clients   int   // in all liveRobots
	forgotten int64 // the latest at the last call of forget
	added     int   // answers since then
	lost      bool  // robots were forgotten whose last answer failed: there were too many

	seen, next int64 // requests, and when proxies are looked for again
	direct     bool  // people came from addresses that are not a proxy's
}

// A liveKey is a robot at a host. Unlike a robotTally and a place, it outlives Renew.
type liveKey struct {
	robot robotKey
	host  string
}

// A Case is a request that may be disallowed or forged, and has to be judged.
type Case struct {
	judgement Judgement
	key       liveKey
	agent     agent.Agent
	client    netip.Addr
	second    int64
	zoned     bool
	path      string // "" if no version that matters disallows it
}

// lateness is by how many seconds a request may come after later ones.
const lateness = 60 * 60

// Live returns a Live that has seen no request.
func (a *Auditor) Live() *Live {
	return &Live{tally: newTally(a), hosts: map[string]*liveHost{}, robots: map[liveKey]*liveRobot{}, latest: always,
		forgotten: always}
}

// Renew replaces the versions, as Options.Sites has them, and asks Options.Identify again from now
// on.
func (l *Live) Renew(sites map[string][]Version) error {
	o := l.tally.auditor.options
	o.Sites = sites
	a, err := New(o)
	if err != nil {
		return err
	}
	senders, proxies := l.tally.senders, l.tally.proxies
	l.tally = newTally(a)
	l.tally.senders, l.tally.proxies = senders, proxies
	for _, h := range l.hosts {
		h.timeline = nil
	}
	return nil
}

// Add adds a request. The case is nil if the judgement is final: no version that matters disallows
// the request, or the request is not judged, and it is not forged.
func (l *Live) Add(r *accesslog.Request) (Judgement, *Case) {
	t := l.tally
	second := r.Time.Unix()
	l.latest = max(l.latest, min(second, time.Now().Unix()))
	if l.latest >= l.forgotten+lateness/4 || l.added >= maxLiveClients {
		l.forget()
	}
	place := t.place(r.Host)
	judged := place.site != nil && place.number <= len(t.auditor.sites)
	robotsTxt := isRobotsTxt(r.Path)
	var value uint64
	answered := false
	if robotsTxt && judged {
		if value, answered = valueOfAnswer(r); answered {
			h := l.host(place.site.host)
			h.answers, h.timeline = insertHit(h.answers, hit{second: second, value: value, count: 1}), nil
			l.added++
		}
	}
	header, number := t.header(r.UserAgent)
	robot, device := t.robotOf(number)
	l.addSender(r, robot, header.stored)
	if robot == nil {
		return Judgement{Unjudged: "person"}, nil
	}
	out, byRules := t.judgement(robot, device, r, judged)
	newCase := func(path string) *Case {
		c := &Case{judgement: out, key: liveKey{robot: robot.key}, agent: robot.agent, client: r.Client,
			second: second, zoned: r.Zoned, path: path}
		if place.site != nil {
			c.key.host = place.site.host
		}
		return c
	}
	final := func() (Judgement, *Case) {
		if out.Identity == agent.Forged {
			return out, newCase("") // a proxy may show later
		}
		return out, nil
	}
	switch {
	case robotsTxt:
		if answered && !robot.dropped && out.Identity != agent.Forged && out.Identity != agent.Device {
			l.addAnswer(liveKey{robot.key, place.site.host}, hit{client: r.Client, second: second, value: value,
				count: 1})
		}
		return final()
	case out.Unjudged == "" && second < l.latest-lateness:
		out.Unjudged = "late"
		return out, nil
	case !byRules:
		return final()
	}
	t.finding = t.rulesOf(robot, place).appendFinding(t.finding[:0], text(r.Path), second)
	if len(t.finding) == 0 {
		return final()
	}
	return out, newCase(strings.Clone(text(r.Path)))
}

// addSender counts the sender of a request. What stands before the server is looked for again after
// each hundredth of the requests.
func (l *Live) addSender(r *accesslog.Request, robot *robotTally, header uint64) {
	t := l.tally
	t.senders.add(r, robot, header)
	if l.seen++; l.seen >= l.next {
		l.next = l.seen + max(1, l.seen/100)
		t.proxies, l.direct = t.senders.proxies(), t.senders.isDirect()
	}
}

// isProxy reports whether a client is a proxy, or may be one: people with different browsers came
// by it, and not enough by other ways.
func (l *Live) isProxy(client netip.Addr) bool {
	return l.tally.proxies.has(client) || !l.direct && l.tally.senders.isShared(client)
}

// Judge judges a case by all requests added so far.
func (l *Live) Judge(c *Case) Judgement {
	out := c.judgement
	t := l.tally
	out.Proxy = l.isProxy(c.client)
	if out.Identity == agent.Forged && (out.Proxy || t.proxies.is()) {
		out.Identity = agent.Unverifiable
		if out.Unjudged == "forged" {
			out.Unjudged = ""
		}
	}
	if c.path == "" {
		return out
	}
	if t.proxies.isOwn(c.client) {
		out.Unjudged = "own" // it was taken for a proxy
		return out
	}
	place := t.places[t.auditor.placeOf(c.key.host)]
	robot := t.robots[c.key.robot]
	if robot == nil {
		robot = t.addRobot(c.key.robot, c.agent)
	}
	if place.site == nil || place.number > len(t.auditor.sites) || robot.dropped {
		out.Unjudged = "host"
		if robot.dropped {
			out.Unjudged = "others"
		}
		return out
	}
	if c.second < l.forgotten-lateness && out.Unjudged == "" {
		out.Unjudged = "late" // its answers are forgotten
		return out
	}
	b := judge{timeline: l.timeline(place.site), rules: t.rulesOf(robot, place)}
	seen := l.robots[c.key]
	if seen == nil {
		b.hold(func(func(hit) bool) {})
	} else {
		b.hold(slices.Values(seen.answers))
	}
	if out.Unjudged == "" && b.everyoneAt(c.second) {
		out.Unjudged = "everyone"
		return out
	}
	classes := b.classifier(b.rules.appendFinding(nil, c.path, c.second))
	if classes.disallow(&out, c.second) {
		out.Class = classes.live(c, seen)
		if seen == nil && l.lost {
			out.Class = InGrace
		}
	}
	return out
}

// live returns the class of a disallowed request. seen has the answers to the robot, or is nil if
// there were none.
func (t *classifier) live(c *Case, seen *liveRobot) Class {
	var value uint64 = zonedTime
	if !c.zoned {
		value = unzonedTime
		if t.zone == nil {
			return InGrace
		}
		if _, ok := t.repeated(c.second); ok {
			return InGrace
		}
	}
	switch {
	case t.certain(c.second, value):
		return Certain
	case seen == nil:
		return InGrace
	}
	return t.informedOrGrace(seen.byClient[c.client], c.second, value)
}
