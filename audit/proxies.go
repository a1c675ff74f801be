package audit

import (
	"maps"
	"math/bits"
	"net/netip"
	"slices"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/audit/internal/edge"
)

// senders are the addresses that sent the requests of a log: a log of a server behind a proxy has
// the addresses of the proxy, each with people and robots. Of more than maxSenders addresses those
// with the smallest hashes are counted, as a sample. All depends only on the set of requests.
type senders struct {
	byAddress map[netip.Addr]*sender
	halved    uint8            // the first bits of the hashes of the counted addresses are 0: how many
	recent    [64]recentSender // by the last bits of the hash

	// own are the senders of loop-back, which are always counted: 127.0.0.1 and ::1, each for all
	// addresses of loop-back of its family.
	own map[netip.Addr]*sender

	robots int64 // requests of robots with an address
	people int64 // requests of people with an address
	edges  int64 // of robots, those from addresses that are known to be a proxy's, or nobody's
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

// A sender is what an address sent. The names of its fields are stored in parts.
type sender struct {
	Robots, People int64
	Browsers       uint64 // a bit for the hash of each header of people
}

// A recentSender is the sender of a client that was looked up, so that most requests need no map.
type recentSender struct {
	client netip.Addr
	of     *sender
}

// The limits of proxies. A network has dozens or hundreds of addresses for one site, a server that
// clients reach has more visitors. Ten requests of people with three browsers are more than one
// visitor who crawls in an evening, and nine tenths leave room for what does not pass the proxy,
// such as checks of the provider. But a client with people behind it, such as a gateway of a firm,
// is a proxy of the log only if nearly all people come from there.
//
// A small site has fewer requests by each address of its network. Robots have addresses of their
// own, so five addresses that bring both, and nearly all robots, are a proxy's if they have one in
// ten of the people: the others came by addresses that happened to bring no robot.
const (
	maxSenders   = 4096
	leastPeople  = 10
	leastHeaders = 3
	nearlyAll    = 0.9
	leastMixed   = 5
	mixedShare   = 10
)

// add counts a request of a robot, of a program or of a person, who is not a robot: nil.
func (s *senders) add(r *accesslog.Request, robot *robotTally, header uint64) {
	isRobot := robot != nil && (robot.key.kind == agent.Robot || robot.dropped)
	if !r.Client.IsValid() || !isRobot && (robot != nil || r.UserAgent == nil) {
		return
	}
	if isRobot {
		s.robots++
		if isEdge(r.Client) {
			s.edges++
		}
	} else {
		s.people++
	}
	switch of := s.ofClient(r.Client); {
	case of == nil:
	case isRobot:
		of.Robots++
	default:
		of.People++
		of.Browsers |= 1 << (header & 63)
	}
}

// ofClient is of for a client. A client that the sample lacks costs no more than its hash.
func (s *senders) ofClient(client netip.Addr) *sender {
	hash := hashSender(client)
	if !s.samples(hash) && !client.IsLoopback() {
		return nil
	}
	recent := &s.recent[hash%64]
	if client != recent.client {
		of := s.of(senderOf(client)) // which may forget all recent ones
		*recent = recentSender{client, of}
	}
	return recent.of
}

// of returns the sender with an address, or nil if the sample lacks it.
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
	if !s.samples(hashSender(client)) {
		return nil
	}
	if of := s.byAddress[client]; of != nil {
		return of
	}
	if s.byAddress == nil {
		s.byAddress = map[netip.Addr]*sender{}
	}
	s.byAddress[client] = &sender{}
	s.shrink(s.halved)
	return s.byAddress[client]
}

// hashSender returns the hash of an address, by which samples knows it.
func hashSender(client netip.Addr) uint64 { return mix(halves(client)) }

// samples reports whether the sample has an address with a hash, if a request came from it.
func (s *senders) samples(hash uint64) bool { return bits.LeadingZeros64(hash) >= int(s.halved) }

// shrink halves the sample so often at least, and until it is small enough.
func (s *senders) shrink(halved uint8) {
	for len(s.byAddress) > maxSenders || s.halved < halved {
		s.halved++
		s.recent = [64]recentSender{}
		maps.DeleteFunc(s.byAddress, func(client netip.Addr, _ *sender) bool {
			return !s.samples(hashSender(client))
		})
	}
}

// join adds other senders.
func (s *senders) join(other *senders) {
	s.robots += other.robots
	s.people += other.people
	s.edges += other.edges
	s.shrink(other.halved)
	for client, of := range other.all {
		if mine := s.of(client); mine != nil {
			mine.add(of)
		}
	}
}

// add adds what another sender sent.
func (s *sender) add(other *sender) {
	s.Robots += other.Robots
	s.People += other.People
	s.Browsers |= other.Browsers
}

// all yields the senders that are counted.
func (s *senders) all(yield func(netip.Addr, *sender) bool) {
	for _, list := range [...]map[netip.Addr]*sender{s.own, s.byAddress} {
		for client, of := range list {
			if !yield(client, of) {
				return
			}
		}
	}
}

// manyPeople reports whether a sender brought more people than one visitor is.
func (s *sender) manyPeople() bool {
	return s.People >= leastPeople && bits.OnesCount64(s.Browsers) >= leastHeaders
}

// proxies returns the addresses of the proxy behind which a log was written, if there is one.
func (s *senders) proxies() proxyView {
	if found := s.busyProxies(); found.is() {
		return found
	}
	return s.quietProxies()
}

// busyProxies returns the addresses with many people, if nearly all robots and nearly all people
// came from them, without the site's own software.
func (s *senders) busyProxies() proxyView {
	var proxied, own, proxiedOwn, sampled sender
	found := proxyView{addresses: map[netip.Addr]bool{}, all: s.halved > 0}
	for client, of := range s.all {
		isProxy := of.manyPeople()
		if isProxy {
			found.addresses[client] = true
		}
		switch {
		case !client.IsLoopback():
			sampled.add(of)
			if isProxy {
				proxied.add(of)
			}
		case isProxy:
			proxiedOwn.add(of)
		default:
			own.add(of)
		}
	}
	isNearly := func(all, proxied, sampled, proxiedOwn, own int64) bool {
		some := float64(proxiedOwn)
		if sampled > 0 {
			some += float64(all-proxiedOwn-own) / float64(sampled) * float64(proxied)
		}
		return some >= nearlyAll*float64(all-own)
	}
	if proxied.Robots+proxiedOwn.Robots == 0 ||
		!isNearly(s.robots, proxied.Robots, sampled.Robots, proxiedOwn.Robots, own.Robots) ||
		!isNearly(s.people, proxied.People, sampled.People, proxiedOwn.People, own.People) {
		return proxyView{}
	}
	return found
}

// quietProxies returns the addresses that brought both robots and people, if they brought nearly
// all robots and enough people.
func (s *senders) quietProxies() proxyView {
	var mixed, sampled sender
	found := proxyView{addresses: map[netip.Addr]bool{}, all: true}
	for client, of := range s.byAddress {
		sampled.add(of)
		if of.Robots > 0 && of.People > 0 {
			found.addresses[client] = true
			mixed.add(of)
		}
	}
	if len(found.addresses) < leastMixed || !mixed.manyPeople() || !areNearly(mixed.Robots, sampled.Robots) ||
		mixed.People*mixedShare < sampled.People {
		return proxyView{}
	}
	return found
}

// areNearly reports whether some requests are nearly all.
func areNearly(some, all int64) bool { return float64(some) >= nearlyAll*float64(all) }

// wholeProxies is proxies for a log that is whole. Loop-back is a proxy there already if nearly all
// came from it, people among them, or if nobody came from elsewhere. If others came as well, the
// software of the site asks itself.
func (s *senders) wholeProxies() proxyView {
	if found := s.proxies(); found.is() {
		return found
	}
	var robots, people int64
	found := proxyView{addresses: map[netip.Addr]bool{}}
	for client, of := range s.own {
		robots += of.Robots
		people += of.People
		found.addresses[client] = true
	}
	if robots == 0 || !areNearly(robots, s.robots) || !areNearly(people, s.people) ||
		people == 0 && robots < s.robots {
		return proxyView{}
	}
	return found
}

// isDirect reports whether people came from addresses that are not a proxy's: those that brought no
// robot.
func (s *senders) isDirect() bool {
	var people sender
	for _, of := range s.byAddress {
		if of.Robots == 0 {
			people.add(of)
		}
	}
	return people.manyPeople()
}

// isShared reports whether an address brought people with different browsers.
func (s *senders) isShared(client netip.Addr) bool {
	of := s.byAddress[client]
	return of != nil && bits.OnesCount64(of.Browsers) > 1
}

// isEdge reports whether an address identifies nobody: networks publish it as theirs, or nobody on
// the Internet has it. Loop-back is known by what comes from there.
func isEdge(client netip.Addr) bool { return !client.IsLoopback() && edge.Proxy(client) }

// A proxyView says which clients of some requests are proxies.
type proxyView struct {
	addresses map[netip.Addr]bool // as senderOf has them; none if no proxy stood before the server
	all       bool                // also others but loop-back: they are not known one by one
}

// is reports whether a proxy stood before the server.
func (p proxyView) is() bool { return len(p.addresses) > 0 }

// has reports whether an address is that of a proxy, or nobody's on the Internet: it identifies
// nobody.
func (p proxyView) has(client netip.Addr) bool {
	return p.addresses[senderOf(client)] || p.is() && p.all && client.IsValid() && !client.IsLoopback() ||
		isEdge(client)
}

// isOwn reports whether a client is the software of the site itself, which asks by loop-back.
func (p proxyView) isOwn(client netip.Addr) bool { return client.IsLoopback() && !p.has(client) }

// identity returns an identity, which is not forged if a proxy stood before the server.
func (p proxyView) identity(identity agent.Result) agent.Result {
	if p.is() && identity == agent.Forged {
		return agent.Unverifiable
	}
	return identity
}

// rows returns the rows of a robot at a place. Where a proxy stood before the server, no request is
// forged, and where the proxy asks by loop-back, none is of the site's own software.
func (p proxyView) rows(rows [identities]*row) [identities]*row {
	if !p.is() {
		return rows
	}
	joined := []agent.Result{agent.Forged}
	if p.addresses[loopback4] || p.addresses[loopback6] {
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
	if !r.proxies.is() && 2*s.edges < s.robots {
		return
	}
	r.report.Proxied = s.edges
	own := int64(0)
	for client, of := range s.all {
		switch {
		case of.Robots == 0:
		case r.proxies.has(client):
			r.report.Proxies = append(r.report.Proxies, client.String())
			if !isEdge(client) {
				r.report.Proxied += of.Robots
			}
		default:
			own += of.Robots // by loop-back, where the view has all
		}
	}
	if r.proxies.is() && r.proxies.all {
		r.report.Proxied = s.robots - own
	}
	slices.Sort(r.report.Proxies)
	r.report.Proxies = r.report.Proxies[:min(len(r.report.Proxies), maxAddresses)]
}

// storedSenders are the senders of a part.
type storedSenders struct {
	Robots    int64              `json:"robots"`
	People    int64              `json:"people"`
	Edges     int64              `json:"edges"`
	Halved    uint8              `json:"halved,omitempty"`
	Addresses map[string]*sender `json:"addresses,omitempty"`
}

func (s *senders) stored() *storedSenders {
	out := &storedSenders{Robots: s.robots, People: s.people, Edges: s.edges, Halved: s.halved,
		Addresses: map[string]*sender{}}
	for client, of := range s.all {
		out.Addresses[client.String()] = of
	}
	return out
}

func (s *senders) restore(from *storedSenders) error {
	s.robots, s.people, s.edges, s.halved = from.Robots, from.People, from.Edges, from.Halved
	for text, stored := range from.Addresses {
		client, err := netip.ParseAddr(text)
		if err != nil || stored == nil || senderOf(client) != client {
			return errDamaged
		}
		of := s.of(client)
		if of == nil || s.halved != from.Halved {
			return errDamaged
		}
		*of = *stored
	}
	return nil
}
