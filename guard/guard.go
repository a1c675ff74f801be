package guard

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A Guard decides which requests robots.txt allows. The zero Guard has no policy and lets all
// requests pass. A Guard is safe for concurrent use. Its fields must not be changed after its first
// use.
type Guard struct {
	// Policy returns the policy in force for a request. It is called for each request,
	// concurrently, so it must not wait. It should return the same pointer until the policy
	// changes, because the guard caches its findings about the last 16 policies. If Policy is nil,
	// everything is allowed. See [Fixed].
	Policy func(*http.Request) (*robots.Policy, error)

	// Robots are the robots to recognise. If it is nil, they are those of package agent.
	Robots *agent.Table

	// Identities finds out in the background whether clients are the robots of the table that their
	// User-Agent headers name. The requests of forged robots are refused, except those for
	// /robots.txt and below /.well-known/. Until the answer is there, requests pass as claimed. If
	// Identities is nil, no client is identified.
	Identities *Identities

	// IdentifyFirst answers robots with status 429 while Identities finds out about them.
	IdentifyFirst bool

	// Client returns the address of the client for Identities and PassAddresses, or the zero
	// address if it is unknown. If it is nil, the address of the connection counts. See
	// [Proxies.Client].
	Client func(*http.Request) netip.Addr

	// Methods are the methods whose requests are checked; requests with other methods pass, unless
	// the robot is forged. If it is empty, they are GET and HEAD, because webhooks and forms use
	// other methods. "all" is every method.
	Methods []string

	// PassPaths, PassAddresses and PassHeaders are exceptions: such requests of robots pass
	// regardless of robots.txt, of their pace and of the robot's identity. A path such as /webhook
	// lets a target pass that is /webhook or below it in every reading of a server. An address is
	// compared with the one that Client returns, and a header must have exactly this value.
	// Decision.Exception names the exception. "/" and paths that are not plain are ignored.
	PassPaths     []string
	PassAddresses []netip.Prefix
	PassHeaders   http.Header

	// Observe lets all requests pass in Handler. Decide still says how Handler would answer.
	Observe bool

	// Literal compares the target as the request has it, and nothing else. See the package comment.
	Literal bool

	// NoPace does not enforce Crawl-delay, Request-rate and Visit-time. See the package comment.
	NoPace bool

	// Paces remembers the pace of robots. If it is nil, the guard remembers the pace for each
	// policy. Guards with a Paces have policies of one site only.
	Paces *Paces

	// FailClosed refuses the requests of robots with status 503 after a fault of the guard: Policy
	// returned an error, or a function panicked. By default all requests pass then, because a
	// broken guard must not close a site. The requests of people, of their devices, and of robots
	// that do not crawl pass in any case.
	FailClosed bool

	// Status is the status of refusals; 0 is 403.
	Status int

	// Preferences adds the preferences of robots.txt about uses of the content to the answers of
	// Handler and Serve: Content-Usage, Link with the licenses, and X-Robots-Tag by the records
	// Noindex, Nofollow and Noarchive. A robot gets the preferences of its group, and all other
	// clients those of the group for everyone. A field that is already in an answer stays
	// unchanged. See [Guard.Serve].
	Preferences bool

	// RobotsTag is the X-Robots-Tag that Preferences adds where robots.txt has no such record for a
	// path.
	RobotsTag string

	// PaidLicenses are the URIs of licenses that robots have to pay for. A robot is refused with
	// status 402 if robots.txt names such licenses for it, and no other one, and its request has no
	// license (RSL 1.0, section 6). The guard does not verify the license of a request: the handler
	// does.
	PaidLicenses []string

	exceptions exceptions

	sites sites
	now   func() time.Time // a clock for tests; nil is time.Now
}

// Fixed returns a function for [Guard.Policy] that always returns the same policy.
func Fixed(p *robots.Policy) func(*http.Request) (*robots.Policy, error) {
	return func(*http.Request) (*robots.Policy, error) { return p, nil }
}

// Decide decides about a request. It reads the request line, the User-Agent header, those of
// PassHeaders and the address of the client, and changes nothing in the request. A request that
// passes counts for the pace of its robot, so Decide is called once for a request. A request with
// several User-Agent headers passes if it passes with each. One with headers of more than eight
// robots is refused.
func (g *Guard) Decide(r *http.Request) (d Decision) {
	headers := r.Header["User-Agent"]
	if len(headers) < 2 {
		return g.decide(r)
	}
	one := *r
	one.Header = maps.Clone(r.Header)
	seen := make(map[string]bool, min(len(headers), 2*maxAgents))
	named := 0
	for _, header := range headers {
		if seen[header] {
			continue
		}
		if named == maxAgents {
			a := g.Robots.Lookup(header)
			if a.Kind != agent.Robot || a.Device {
				continue
			}
			if d.Reason != exempted && d.Reason != excepted { // which no header changes
				d = Decision{Action: Refuse, Reason: manyRobots, Robot: agent.Agent{Kind: agent.Robot},
					Target: d.Target}
			}
			return d
		}
		one.Header["User-Agent"] = []string{header}
		next := g.decide(&one)
		if len(seen) == 0 || next.Action != Pass || d.Reason == noRobot || d.Reason == onDevice {
			d = next
		}
		if d.Action != Pass {
			break
		}
		if next.Reason != noRobot && next.Reason != onDevice {
			named++
		}
		seen[header] = true
	}
	return d
}

// maxAgents is how many robots of a request are decided about, each by its User-Agent header. The
// request of more is refused: nobody sends it, and each decision takes time.
const maxAgents = 8

func (g *Guard) decide(r *http.Request) (d Decision) {
	header := r.UserAgent()
	defer func() {
		if p := recover(); p != nil {
			d = g.fault(r, fmt.Errorf("guard: panic: %v", p))
		}
	}()
	if g.Policy == nil || header == "" {
		return Decision{Reason: noRobot}
	}
	policy, err := g.Policy(r)
	if err != nil || policy == nil {
		return g.fault(r, err)
	}
	rules := g.sites.of(policy).rules(header, g.Robots, g.Paces)
	if rules == nil {
		// Fail open: the client does not say that it is a robot, and may be a person.
		return Decision{Reason: noRobot}
	}
	d.Robot = rules.agent
	if rules.agent.Device {
		d.Reason, d.Identity = onDevice, agent.Device
		return d
	}
	target, ok := targetOf(r)
	if !ok {
		// Fail open: robots.txt says nothing about requests without a path, such as OPTIONS *.
		d.Reason = noPath
		return d
	}
	g.match(&d, rules, target)
	if d.Exception = g.exception(r); d.Exception != "" {
		d.Action, d.Reason = Pass, excepted
		return d
	}
	g.identify(&d, r)
	free := g.freeMethod(r)
	switch open := exempt(target) && plain(target); {
	case d.Identity == agent.Forged && !open:
		d.Action, d.Reason = Refuse, Forged
		return d
	case free != "":
		d.Action, d.Reason, d.Exception = Pass, excepted, free
		return d
	case d.Pending && g.IdentifyFirst && d.Action == Pass && !open:
		d.Action, d.Reason, d.Wait = Slow, unidentified, unidentifiedPause
		return d
	}
	if d.Action == Pass && d.Reason == byRules && len(g.PaidLicenses) > 0 {
		if license, ok := g.unlicensed(r, rules, target); ok {
			d.Action, d.Reason, d.Record = Refuse, Unlicensed, license.Record
			return d
		}
	}
	if d.Action == Pass && d.Reason == byRules && rules.ask != nil && !g.NoPace {
		if d.Wait, d.Record = rules.pacing.wait(rules.ask, g.time()); d.Wait > 0 {
			d.Action, d.Reason = Slow, ByPace
		}
	}
	return d
}

// unidentifiedPause is how long a robot has to wait whose client is not identified yet.
const unidentifiedPause = 5 * time.Second

// identify finds whether the client is the robot of a decision. A robot that is in no table, or
// comes from nowhere, cannot be identified.
func (g *Guard) identify(d *Decision, r *http.Request) {
	if g.Identities == nil || !d.Robot.Known() {
		return
	}
	g.Identities.identify(d, r, g.client(r))
}

// client returns the address of the client of a request, or the zero address.
func (g *Guard) client(r *http.Request) netip.Addr {
	if g.Client != nil {
		return g.Client(r)
	}
	return peer(r)
}

// time returns the current time.
func (g *Guard) time() time.Time {
	if g.now != nil {
		return g.now()
	}
	return time.Now()
}

// match decides by the rules for a robot.
func (g *Guard) match(d *Decision, rules *rules, target string) {
	d.Target, d.Reason = target, byRules
	if exempt(target) {
		d.Reason = exempted
	}
	switch {
	case !g.Literal && !plain(target):
		rules.matchOdd(d, target)
		if path, _, found := strings.Cut(target, "#"); found && (d.Reason != byRules || d.Match.Allowed) {
			rules.matchOdd(d, path) // some servers end the target there, and to others "#" is a byte of the path
		}
	case d.Reason == byRules:
		d.Match = rules.match(target)
	}
	if d.Reason == byRules && !d.Match.Allowed {
		d.Action = Refuse
	}
}

// fault returns the decision about a request after a fault of the guard.
func (g *Guard) fault(r *http.Request, err error) Decision {
	if err == nil {
		err = errors.New("guard: Policy returned no policy")
	}
	d := Decision{Reason: Fault, Err: err}
	a := g.Robots.Lookup(r.UserAgent())
	if g.FailClosed && a.Kind == agent.Robot && !a.Device && a.Crawler() {
		if d.Exception = g.safeException(r); d.Exception == "" {
			d.Action = Refuse
		}
	}
	return d
}
