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
	many      bool // more than maxSenders
	last      netip.Addr
	lastOf    *sender

	robots    int64 // requests of robots with an address
	published int64 // of robots, those from published ranges of networks
}

// A sender is what an address sent. Its names are stored in parts.
type sender struct {
	Robots, People  int64
	Names, Browsers uint64 // a bit for the hash of each robot, and of each header of people
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
	}
	if s.many {
		return
	}
	if r.Client != s.last {
		s.last, s.lastOf = r.Client, s.of(r.Client)
	}
	switch of := s.lastOf; {
	case of == nil:
	case isRobot:
		of.Robots++
		of.Names |= 1 << (hashName(robot.key.token) & 63)
	default:
		of.People++
		of.Browsers |= 1 << (header & 63)
	}
}

// of returns the sender with an address, or nil if there are too many.
func (s *senders) of(client netip.Addr) *sender {
	if of := s.byAddress[client]; of != nil || s.many {
		return of
	}
	if len(s.byAddress) == maxSenders {
		s.many, s.byAddress, s.last, s.lastOf = true, nil, netip.Addr{}, nil
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
	s.published += other.published
	if other.many {
		s.many, s.byAddress, s.last, s.lastOf = true, nil, netip.Addr{}, nil
	}
	for client, of := range other.byAddress {
		if mine := s.of(client); mine != nil {
			mine.Robots += of.Robots
			mine.People += of.People
			mine.Names |= of.Names
			mine.Browsers |= of.Browsers
		}
	}
}

// proxies returns the addresses of the proxy behind which a log was written, or nil: nearly all
// robots and nearly all people came from them.
func (s *senders) proxies() map[netip.Addr]bool {
	var robots, people, proxiedRobots, proxiedPeople int64
	found := map[netip.Addr]bool{}
	for client, of := range s.byAddress {
		robots += of.Robots
		people += of.People
		if of.People >= leastPeople && bits.OnesCount64(of.Browsers) >= leastHeaders {
			found[client] = true
			proxiedRobots += of.Robots
			proxiedPeople += of.People
		}
	}
	if proxiedRobots == 0 || float64(proxiedRobots) < nearlyAll*float64(robots) ||
		float64(proxiedPeople) < nearlyAll*float64(people) {
		return nil
	}
	return found
}

// A proxyView says which clients of some requests are proxies.
type proxyView map[netip.Addr]bool

// has reports whether an address is that of a proxy, which identifies nobody.
func (p proxyView) has(client netip.Addr) bool { return p[client] || edge.Published(client) }

// identity returns an identity, which is not forged if a proxy stood before the server.
func (p proxyView) identity(identity agent.Result) agent.Result {
	if len(p) > 0 && identity == agent.Forged {
		return agent.Unverifiable
	}
	return identity
}

// rows returns the rows of a robot at a place. Where a proxy stood before the server, no request is
// forged.
func (p proxyView) rows(rows [identities]*row) [identities]*row {
	if len(p) == 0 || rows[agent.Forged] == nil {
		return rows
	}
	all := &row{}
	for _, identity := range [...]agent.Result{agent.Unverifiable, agent.Forged} {
		if w := rows[identity]; w != nil {
			all.addCounts(&w.rowCounts)
			all.join(w)
		}
	}
	rows[agent.Unverifiable], rows[agent.Forged] = all, nil
	return rows
}

// addProxies says whether the log was written behind a proxy.
func (r *reporter) addProxies() {
	s := &r.senders
	for client, of := range s.byAddress {
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
	Published int64              `json:"published"`
	Many      bool               `json:"many,omitempty"`
	Addresses map[string]*sender `json:"addresses,omitempty"`
}

func (s *senders) stored() *storedSenders {
	out := &storedSenders{Robots: s.robots, Published: s.published, Many: s.many, Addresses: map[string]*sender{}}
	for client, of := range s.byAddress {
		out.Addresses[client.String()] = of
	}
	return out
}

func (s *senders) restore(from *storedSenders) error {
	if len(from.Addresses) > maxSenders || from.Many && len(from.Addresses) > 0 {
		return errDamaged
	}
	s.robots, s.published, s.many = from.Robots, from.Published, from.Many
	for _, text := range slices.Sorted(maps.Keys(from.Addresses)) {
		client, err := netip.ParseAddr(text)
		if err != nil || from.Addresses[text] == nil {
			return errDamaged
		}
		*s.of(client) = *from.Addresses[text]
	}
	return nil
}
