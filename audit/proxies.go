package audit

import (
	"maps"
	"math/bits"
	"net/netip"
	"slices"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/edge"
)

// senders are the addresses that sent the requests of a log, while they are few: a log of a server
// behind a proxy has the addresses of the proxy, each with people and robots. A log of a server
// that clients reach has thousands, and is forgotten. Both depend only on the set of requests.
type senders struct {
	byAddress map[netip.Addr]*sender
	many      bool             // more than maxSenders
	recent    [64]recentSender // by senderPlace

	// own are the senders of loop-back, which are never forgotten: 127.0.0.1 and ::1, each for all
	// addresses of loop-back of its family.
	own map[netip.Addr]*sender

	robots    int64 // requests of robots with an address
	people    int64 // requests of people with an address
	published int64 // of robots, those from published ranges of networks
}

// The addresses for all of loop-back.
var (
	loopback4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	loopback6 = netip.IPv6Loopback()
)

// senderOf returns the address by which a client is a sender.
func senderOf(client netip.Addr) netip.Addr {
	switch {
	case !client.IsLoopback():
		return client
	case client.Unmap().Is4():
		return loopback4
	}
	return loopback6
}

// A sender is what an address sent. Its names are stored in parts.
type sender struct {
	Robots, People  int64
	Names, Browsers uint64 // a bit for the hash of each robot, and of each header of people
}

// A recentSender is the sender of a client that has just been looked up, so that most requests need
// no map. It is nil if there are too many.
type recentSender struct {
	client netip.Addr
	of     *sender
}

// senderPlace returns the place of a client in senders.recent.
func senderPlace(client netip.Addr) uint64 {
	upper, lower := halves(client)
	return (upper ^ lower) * 0x9e3779b97f4a7c15 >> 58
}

// The limits of proxies. A network has dozens or hundreds of addresses for one site, a server that
// clients reach has more visitors. Ten requests of people with three browsers are more than one
// visitor who crawls in an evening, and nine tenths leave room for what does not pass the proxy,
// such as checks of the provider. But a client with people behind it, such as a gateway of a firm,
// is a proxy of the log only if nearly all people come from there.
const (
	maxSenders   = 1024
	leastPeople  = 10
	leastHeaders = 3
	nearlyAll    = 0.9
)

// add counts a request of a robot, of a program or of a person, who is no robot: nil.
func (s *senders) add(r *accesslog.Request, robot *robotTally, header uint64) {
	isRobot := robot != nil && robot.key.kind == agent.Robot
	if !r.Client.IsValid() || !isRobot && (robot != nil || r.UserAgent == nil) {
		return
	}
	if isRobot {
		s.robots++
		if edge.Published(r.Client) {
			s.published++
		}
	} else {
		s.people++
	}
	if s.many && !r.Client.IsLoopback() {
		return
	}
	recent := &s.recent[senderPlace(r.Client)]
	if r.Client != recent.client {
		of := s.of(senderOf(r.Client)) // which may forget all recent ones
		*recent = recentSender{r.Client, of}
	}
	switch of := recent.of; {
	case of == nil:
	case isRobot:
		of.Robots++
		of.Names |= robot.nameBit
	default:
		of.People++
		of.Browsers |= 1 << (header & 63)
	}
}

// of returns the sender with an address, or nil if there are too many.
func (s *senders) of(client netip.Addr) *sender {
	if client.IsLoopback() {
		if s.own == nil {
			s.own = map[netip.Addr]*sender{}
		}
		if s.own[client] == nil {
			s.own[client] = &sender{}
		}
		return s.own[client]
	}
	if of := s.byAddress[client]; of != nil || s.many {
		return of
	}
	if len(s.byAddress) == maxSenders {
		s.many, s.byAddress, s.recent = true, nil, [64]recentSender{}
		return nil
	}
	if s.byAddress == nil {
		s.byAddress = map[netip.Addr]*sender{}
	}
	of := &sender{}
	s.byAddress[client] = of
	return of
}

// join adds other senders.
func (s *senders) join(other *senders) {
	s.robots += other.robots
	s.people += other.people
	s.published += other.published
	if other.many {
		s.many, s.byAddress, s.recent = true, nil, [64]recentSender{}
	}
	for client, of := range other.all {
		if mine := s.of(client); mine != nil {
			mine.Robots += of.Robots
			mine.People += of.People
			mine.Names |= of.Names
			mine.Browsers |= of.Browsers
		}
	}
}

// all yields the senders that are not forgotten.
func (s *senders) all(yield func(netip.Addr, *sender) bool) {
	for _, list := range [...]map[netip.Addr]*sender{s.own, s.byAddress} {
		for client, of := range list {
			if !yield(client, of) {
				return
			}
		}
	}
}

// proxies returns the addresses of the proxy behind which a log was written, or nil: nearly all
// robots and nearly all people came from them, without the site's own software.
func (s *senders) proxies() proxyView {
	var proxiedRobots, proxiedPeople, ownRobots, ownPeople int64
	found := proxyView{}
	for client, of := range s.all {
		if of.People >= leastPeople && bits.OnesCount64(of.Browsers) >= leastHeaders {
			found[client] = true
			proxiedRobots += of.Robots
			proxiedPeople += of.People
		} else if client.IsLoopback() {
			ownRobots += of.Robots
			ownPeople += of.People
		}
	}
	if proxiedRobots == 0 || !areNearly(proxiedRobots, s.robots-ownRobots) ||
		!areNearly(proxiedPeople, s.people-ownPeople) {
		return nil
	}
	return found
}

// areNearly reports whether some requests are nearly all.
func areNearly(some, all int64) bool { return float64(some) >= nearlyAll*float64(all) }

// wholeProxies is proxies for a log that is whole. Loop-back is a proxy there already if nearly all
// came from it, people among them, or if nobody came from elsewhere. If others came as well, the
// software of the site asks itself.
func (s *senders) wholeProxies() proxyView {
	if found := s.proxies(); found != nil {
		return found
	}
	var robots, people int64
	found := proxyView{}
	for client, of := range s.own {
		robots += of.Robots
		people += of.People
		found[client] = true
	}
	if robots == 0 || !areNearly(robots, s.robots) || !areNearly(people, s.people) ||
		people == 0 && robots < s.robots {
		return nil
	}
	return found
}

// A proxyView says which clients of some requests are proxies.
type proxyView map[netip.Addr]bool

// has reports whether an address is that of a proxy, which identifies nobody.
func (p proxyView) has(client netip.Addr) bool { return p[senderOf(client)] || edge.Published(client) }

// isOwn reports whether a client is the software of the site itself, which asks by loop-back.
func (p proxyView) isOwn(client netip.Addr) bool { return client.IsLoopback() && !p.has(client) }

// identity returns an identity, which is not forged if a proxy stood before the server.
func (p proxyView) identity(identity agent.Result) agent.Result {
	if len(p) > 0 && identity == agent.Forged {
		return agent.Unverifiable
	}
	return identity
}

// rows returns the rows of a robot at a place. Where a proxy stood before the server, no request is
// forged, and where the proxy asks by loop-back, none is of the site's own software.
func (p proxyView) rows(rows [identities]*row) [identities]*row {
	if len(p) == 0 {
		return rows
	}
	joined := []agent.Result{agent.Forged}
	if p[loopback4] || p[loopback6] {
		joined = append(joined, ownSoftware)
	}
	for _, identity := range joined {
		if w := rows[identity]; w != nil {
			all := &row{}
			if u := rows[agent.Unverifiable]; u != nil {
				all.addCounts(&u.rowCounts)
				all.join(u)
			}
			all.addCounts(&w.rowCounts)
			all.join(w)
			rows[agent.Unverifiable], rows[identity] = all, nil
		}
	}
	return rows
}

// addProxies says whether the log was written behind a proxy.
func (r *reporter) addProxies() {
	s := &r.senders
	for client, of := range s.all {
		if r.proxies.has(client) && of.Robots > 0 {
			r.report.Proxies = append(r.report.Proxies, client.String())
			if !edge.Published(client) {
				r.report.Proxied += of.Robots
			}
		}
	}
	r.report.Proxied += s.published
	if len(r.proxies) == 0 && 2*s.published < s.robots {
		r.report.Proxied, r.report.Proxies = 0, nil
	}
	slices.Sort(r.report.Proxies)
	r.report.Proxies = r.report.Proxies[:min(len(r.report.Proxies), maxAddresses)]
}

// storedSenders are the senders of a part.
type storedSenders struct {
	Robots    int64              `json:"robots"`
	People    int64              `json:"people"`
	Published int64              `json:"published"`
	Many      bool               `json:"many,omitempty"`
	Addresses map[string]*sender `json:"addresses,omitempty"`
}

func (s *senders) stored() *storedSenders {
	out := &storedSenders{Robots: s.robots, People: s.people, Published: s.published, Many: s.many,
		Addresses: map[string]*sender{}}
	for client, of := range s.all {
		out.Addresses[client.String()] = of
	}
	return out
}

func (s *senders) restore(from *storedSenders) error {
	s.robots, s.people, s.published, s.many = from.Robots, from.People, from.Published, from.Many
	for _, text := range slices.Sorted(maps.Keys(from.Addresses)) {
		client, err := netip.ParseAddr(text)
		if err != nil || from.Addresses[text] == nil || senderOf(client) != client {
			return errDamaged
		}
		of := s.of(client)
		if of == nil {
			return errDamaged
		}
		*of = *from.Addresses[text]
	}
	return nil
}
