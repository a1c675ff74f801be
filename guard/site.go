package guard

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

const (
	// maxSites is the maximum number of policies whose sites a guard remembers.
	maxSites = 16
	// headerSlots is the number of User-Agent headers that a site remembers, a power of two. A site
	// with as many headers takes up to 8 MB.
	headerSlots = 1 << 13
	// maxPacings is the maximum number of robots whose pace a site remembers, of the table and of
	// others each.
	maxPacings = 4096
	// maxHeader is the maximum length of a header that a site remembers, in bytes.
	maxHeader = 1024
)

// sites has a site for each of the last policies.
type sites struct {
	list atomic.Pointer[[]*site] // never changed, only replaced
	mu   sync.Mutex              // held while list is replaced
}

// of returns the site of a policy.
func (s *sites) of(p *robots.Policy) *site {
	if list := s.list.Load(); list != nil {
		for _, known := range *list {
			if known.policy == p {
				return known
			}
		}
	}
	return s.add(p)
}

// add adds a site for a policy, in the place of the oldest one if there are too many.
func (s *sites) add(p *robots.Policy) *site {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*site
	if old := s.list.Load(); old != nil {
		list = *old
	}
	if i := slices.IndexFunc(list, func(known *site) bool { return known.policy == p }); i >= 0 {
		return list[i] // another request was faster
	}
	added := newSite(p)
	list = append(slices.Clone(list[max(0, len(list)+1-maxSites):]), added)
	s.list.Store(&list)
	return added
}

// A site is a policy with the rules for the headers that were seen. A header is remembered by a
// hash with a random seed, in the slot that the hash selects; there it replaces the header before.
// So the memory of a site does not depend on the number of clients.
type site struct {
	policy  *robots.Policy
	headers [headerSlots]atomic.Pointer[headerRules]

	known   sync.Map // *rules by knownKey, of the robots of the table
	groups  sync.Map // *groupRules by the token of the group, of all other robots, which may have any number of names
	paces   Paces    // if the guard has none
	reaches sync.Map // func() int by the token of the group, see reachOf

	// everyone returns the rules for clients that are not robots, and varies reports whether
	// preferences depend on the client.
	everyone func() *rules
	varies   func() bool
}

func newSite(p *robots.Policy) *site {
	s := &site{
		policy: p,
		varies: sync.OnceValue(func() bool {
			return len(p.Groups()) > 1 && len(p.Records(preferenceFields...)) > 0
		}),
	}
	s.everyone = sync.OnceValue(func() *rules { return &rules{groupRules: s.newGroupRules(agent.Agent{}, p.For())} })
	return s
}

// headerRules has the rules that a site remembers for a header.
type headerRules struct {
	secret uint64
	rules  *rules // nil if the header names no robot
}

// rules are the rules of a site for one robot.
type rules struct {
	agent agent.Agent
	*groupRules
	*pacing // nil if the group asks for no pace
}

// groupRules are the rules of a group: for one robot of the table, or for all others that obey the
// group.
type groupRules struct {
	group   *robots.Group
	ask     *ask // nil if the group asks for no pace
	encoded bool // the group compares paths in the form that appendNormal writes

	preferences func() *preferences // of the group

	reach func() int // see reachOf

	once     sync.Once
	licenses []robots.License // that robots have to pay for
}

// newGroupRules returns the rules of a group for a robot.
func (s *site) newGroupRules(a agent.Agent, g *robots.Group) *groupRules {
	reach, ok := s.reaches.Load(g.Token())
	if !ok {
		reach, _ = s.reaches.LoadOrStore(g.Token(), sync.OnceValue(func() int { return reachOf(g) }))
	}
	return &groupRules{
		group: g, ask: newAsk(a, g), encoded: encodes(g.Dialect()), reach: reach.(func() int),
		preferences: sync.OnceValue(func() *preferences { return newPreferences(g) }),
	}
}

// paid returns the licenses that robots have to pay for.
func (r *groupRules) paid(g *Guard) []robots.License {
	r.once.Do(func() { r.licenses = g.paid(r.group) })
	return r.licenses
}

var headerSeed = maphash.MakeSeed()

// rules returns the rules for the robot that a User-Agent header names, or nil if the header names
// none.
func (s *site) rules(header string, table *agent.Table, paces *Paces) *rules {
	if len(header) > maxHeader {
		return s.find(header, table, paces)
	}
	secret := maphash.String(headerSeed, header)
	slot := &s.headers[secret%headerSlots]
	if m := slot.Load(); m != nil && m.secret == secret {
		return m.rules
	}
	found := s.find(header, table, paces)
	slot.Store(&headerRules{secret, found})
	return found
}

// find looks up the robot that a header names. It keeps no part of the header.
func (s *site) find(header string, table *agent.Table, paces *Paces) *rules {
	a := table.Lookup(header)
	if a.Kind != agent.Robot {
		return nil
	}
	if !a.Known() {
		robot := agent.Agent{Token: strings.Clone(a.Token), Kind: a.Kind, Purposes: a.Purposes}
		return s.newRules(robot, s.groupOf(robot), paces)
	}
	if a.Device { // its rules do not matter: it passes
		device := table.Named(a.Token)
		device.Device = true
		return &rules{agent: device}
	}
	g := s.groupOf(a)
	key := knownKey{a.Token, g.Token()}
	if known, ok := s.known.Load(key); ok {
		return known.(*rules)
	}
	known, _ := s.known.LoadOrStore(key, s.newRules(table.Named(a.Token), g, paces))
	return known.(*rules)
}

// A knownKey is a robot of the table and the group that it obeys: robots of one token may have
// several names in their headers, and so obey several groups.
type knownKey struct{ token, group string }

// groupOf returns the group that a robot obeys.
func (s *site) groupOf(a agent.Agent) *robots.Group {
	if !a.Everyone() || !a.Crawler() { // only a group that names it binds it
		return s.policy.ForOnly(a.Tokens()...)
	}
	return s.policy.For(a.Tokens()...)
}

// newRules returns the rules of a group for a robot.
func (s *site) newRules(a agent.Agent, g *robots.Group, paces *Paces) *rules {
	r := &rules{agent: a, groupRules: s.groupRules(a, g)}
	if r.ask != nil {
		if paces == nil {
			paces = &s.paces
		}
		r.pacing = paces.of(a, r.group, r.ask)
	}
	return r
}

// groupRules returns the rules of a group for a robot. Robots that are not in the table share those
// of their group, so a new name costs no other reading of its lines.
func (s *site) groupRules(a agent.Agent, g *robots.Group) *groupRules {
	if a.Known() {
		return s.newGroupRules(a, g)
	}
	if known, ok := s.groups.Load(g.Token()); ok {
		return known.(*groupRules)
	}
	known, _ := s.groups.LoadOrStore(g.Token(), s.newGroupRules(a, g))
	return known.(*groupRules)
}

// match returns the answer of the rules about a target.
func (r *rules) match(target string) robots.Match { return r.group.Match(urlcheck.OfHost(target)) }
