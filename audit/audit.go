// Package audit compares the requests in access logs with the robots.txt files that were in force
// when the requests were made: which robots visited, whether they are the robots they name, and
// whether they obeyed.
//
//	auditor, err := audit.New(audit.Options{
//		Sites: map[string][]audit.Version{"": {{ID: "robots.txt", Text: text}}},
//	})
//	...
//	part, err := auditor.Read(reader.Open("access.log"), runtime.GOMAXPROCS(0))
//	...
//	for _, robot := range part.Report().Robots {
//		fmt.Println(robot.Token, robot.Requests, robot.Violations.Certain)
//	}
//
// # Violations
//
// A robot may rely on a copy of robots.txt for 24 hours (RFC 9309, section 2.4). So at a time t a
// robot may rely on each version that was in force at any moment from 24 hours and 10 minutes
// before t to 10 minutes after t; the 10 minutes allow for clocks that differ. A request that the
// version at t disallows is
//
//   - a certain violation, if every version on which the robot may rely disallows it;
//   - an informed violation, if the robot's last answer to GET /robots.txt at the same address was
//     a version that disallows the request;
//   - otherwise in the period of grace.
//
// The field comments of [Options] and [Version] have the details. [Report.Unjudged] counts the
// requests that an audit cannot judge, by reason; they never count as obedience.
//
// # Order
//
// While it reads, an audit decides nothing that depends on another line. A [Part] keeps the answers
// to requests for robots.txt and the disallowed requests in a compact form, and [Part.Report]
// judges them. So the order of the logs, the number of workers, and the division into parts that
// are joined later do not change any figure.
package audit

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

// Options are the options of an audit.
type Options struct {
	// Sites has the versions of robots.txt of each host, by time. A host is in lower case, without
	// a port. Requests to other hosts are not judged.
	//
	// The versions of the host "" apply to requests whose lines name no host. If all lines name
	// hosts, they apply to the only host that is in the logs and not in Sites; if there are several
	// such hosts, requests to them are not judged.
	Sites map[string][]Version

	// Host is the host of requests whose lines name no host, in the form of the hosts of Sites. If
	// it is "", these requests count as requests to the host "".
	Host string

	// Robots are the robots to recognise. If it is nil, they are those of package agent.
	Robots *agent.Table

	// Identify says whether a client is the robot that its User-Agent header names. It is called
	// concurrently, for each request of a robot, and must always return the same result. It should
	// cache slow lookups. If it and Identifier are nil, all requests are unverifiable.
	Identify func(robot agent.Agent, client netip.Addr) agent.Result

	// Identifier, if it is not nil, is used in place of Identify. It returns an Identify for one
	// robot, or nil if this robot cannot be identified; its requests are unverifiable then.
	// Identifier is called concurrently, a few times for each robot, so the function that it
	// returns need not look up the robot.
	Identifier func(robot agent.Agent) func(client netip.Addr) agent.Result

	// Unreadable, if it is not nil, is called for each line that cannot be read, concurrently. Its
	// argument is valid until it returns.
	Unreadable func(*accesslog.SyntaxError)

	// Grace is how long a robot may rely on a copy of robots.txt: 24 hours if it is 0 (RFC 9309,
	// section 2.4).
	Grace time.Duration

	// Slack allows for clocks that differ and for answers that take longer than the log shows: 10
	// minutes if it is 0, and none if it is negative.
	Slack time.Duration

	// Edge is how long a cache in front of the servers keeps robots.txt.
	Edge time.Duration

	// Zone is the zone in which the Reader read times that do not state one. If it is nil, a
	// request with such a time is certain only if it is certain in every zone, which it never is
	// near a change of robots.txt. In the hour that the end of daylight saving repeats, a request
	// is certain only if it is certain at both times.
	Zone *time.Location
}

// A State says whether a host served a robots.txt.
type State uint8

// The states. They are stored in parts: never renumber them.
const (
	Served  State = 0 // a text
	Nothing State = 1 // there was no robots.txt: everything is allowed
	Unknown State = 2 // robots.txt is not known: no request is judged
)

// String returns "served", "nothing" or "unknown".
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "State(" + strconv.Itoa(int(s)) + ")"
}

var stateNames = [...]string{"served", "nothing", "unknown"}

// MarshalText returns the text of String.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text of String.
func (s *State) UnmarshalText(text []byte) error {
	i := slices.Index(stateNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("audit: no state is named %q", text)
	}
	*s = State(i)
	return nil
}

// A Version is the robots.txt of a host from a time on, until the next version. Before the first
// version of a host, its robots.txt is Unknown, unless the first version has the zero From.
type Version struct {
	ID    string    // shown to people: a name of a file, a commit, a SHA-256
	From  time.Time // inclusive, cut to seconds; zero for all times before the next version
	State State
	Text  []byte // if State is Served
}

// noSlack is the Slack of an auditor without one: New may be given the options of an auditor again.
const noSlack = -1

// An Auditor audits logs. It is immutable and safe for concurrent use, if Options.Identify and
// Options.Identifier are.
type Auditor struct {
	options Options
	sites   []*site // by host, without that of the host ""
	unnamed *site   // the versions of the host "", or nil
}

// New returns an auditor. It is an error if the versions of a host are not in order of time.
func New(o Options) (*Auditor, error) {
	if o.Grace < 0 || o.Edge < 0 {
		return nil, errors.New("audit: Grace and Edge must not be negative")
	}
	if o.Grace == 0 {
		o.Grace = 24 * time.Hour
	}
	switch {
	case o.Slack == 0:
		o.Slack = 10 * time.Minute
	case o.Slack < 0:
		o.Slack = noSlack
	}
	if o.Host != hostName([]byte(o.Host)) {
		return nil, fmt.Errorf("audit: Host %q must be in lower case, without a dot at its end", o.Host)
	}
	a := &Auditor{options: o}
	for host, versions := range o.Sites {
		s, err := newSite(host, versions)
		if err != nil {
			return nil, fmt.Errorf("audit: versions of host %q: %w", host, err)
		}
		if host == "" {
			a.unnamed = s
		} else {
			a.sites = append(a.sites, s)
		}
	}
	slices.SortFunc(a.sites, func(s, t *site) int { return strings.Compare(s.host, t.host) })
	return a, nil
}

// identifier returns the function that says of clients with an address whether they are a robot.
func (a *Auditor) identifier(robot agent.Agent) (identify func(client netip.Addr) agent.Result) {
	switch {
	case !robot.Known():
	case a.options.Identifier != nil:
		identify = a.options.Identifier(robot)
	case a.options.Identify != nil:
		identify = func(client netip.Addr) agent.Result { return a.options.Identify(robot, client) }
	}
	if identify == nil {
		identify = func(netip.Addr) agent.Result { return agent.Unverifiable }
	}
	return identify
}

// horizon returns for how many seconds after its end a version may matter for a request.
func (a *Auditor) horizon() int64 {
	return seconds(a.options.Grace) + seconds(a.options.Slack) + seconds(a.options.Edge) + maxStanding
}

// fingerprint identifies the options that decide what a part keeps and what its report says.
func (a *Auditor) fingerprint() [sha256.Size]byte {
	h := sha256.New()
	zone := ""
	if a.options.Zone != nil {
		zone = a.options.Zone.String()
	}
	fmt.Fprintln(h, a.options.Grace, a.options.Slack, a.options.Edge, zone, a.options.Robots.Version())
	fmt.Fprintf(h, "%q\n", a.options.Host)
	sites := a.sites
	if a.unnamed != nil {
		sites = append([]*site{a.unnamed}, sites...)
	}
	for _, s := range sites {
		fmt.Fprintf(h, "%q\n", s.host)
		for _, v := range s.given {
			fmt.Fprintf(h, "%q %d %d %x\n", v.ID, v.From.Unix(), v.State, sha256.Sum256(v.Text))
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}
