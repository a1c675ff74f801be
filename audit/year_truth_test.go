package audit_test

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
)

// A truth is what the simulation did.
type truth struct {
	requests, unreadable int64
	ofPeople             int64
	first, last          int64
	robots               map[string]*robotTruth // by token
	disguised            map[string]bool        // suspects, by address or header
}

// A robotTruth is what the robots with a token did.
type robotTruth struct {
	obedient           bool // all of them
	requests, forged   int64
	bytes, robotsTxt   int64
	addresses, forgers map[netip.Addr]bool
	hours              map[int64]int64
}

func (t *truth) robot(header string) *robotTruth {
	of := agent.Lookup(header)
	if of.Kind != agent.Robot && of.Kind != agent.Program {
		return nil
	}
	if t.robots[of.Token] == nil {
		t.robots[of.Token] = &robotTruth{obedient: true, addresses: map[netip.Addr]bool{},
			forgers: map[netip.Addr]bool{}, hours: map[int64]int64{}}
	}
	return t.robots[of.Token]
}

// expect notes whether a robot obeys.
func (t *truth) expect(r *yearRobot) {
	if of := t.robot(r.agent); of != nil {
		of.obedient = of.obedient && r.obedient()
		return
	}
	for _, client := range r.fetchers[0].clients {
		if client.Is4() {
			t.disguised[client.String()] = true
		} else {
			t.disguised["2001:db8::/64"] = true
		}
	}
}

// add adds a request, with the time that a reader should find.
func (t *truth) add(v visit) {
	if t.requests == 0 {
		t.first, t.last = v.at, v.at
	}
	t.requests++
	t.first, t.last = min(t.first, v.at), max(t.last, v.at)
	of := t.robot(v.agent)
	switch {
	case of == nil:
		t.ofPeople++
	case v.client == addr("192.0.2.9"):
		of.forged++
		of.forgers[v.client] = true
	default:
		of.requests++
		of.bytes += max(0, v.bytes)
		of.addresses[v.client] = true
		of.hours[v.at/hour]++
		if v.path == "/robots.txt" && slices.Contains([]string{"GET", "HEAD"}, v.method) {
			of.robotsTxt++
		}
	}
}

// compare compares a report with what the robots did.
func (want *truth) compare(t *testing.T, got *audit.Report) {
	t.Helper()
	if got.Requests != want.requests || got.Unreadable != want.unreadable || got.Lines != want.requests+
		want.unreadable {
		t.Errorf("got %d requests and %d unreadable of %d lines, want %d and %d", got.Requests, got.Unreadable,
			got.Lines, want.requests, want.unreadable)
	}
	if got.First.Unix() != want.first || got.Last.Unix() != want.last {
		t.Errorf("got the times %v to %v, want %v to %v", got.First, got.Last, stamp(want.first), stamp(want.last))
	}
	if n := got.CallerSample.Requests; got.Sample.Requests != want.ofPeople || n != want.requests-want.ofPeople {
		t.Errorf("got %d requests of people and %d of robots, want %d and %d", got.Sample.Requests, n, want.ofPeople,
			want.requests-want.ofPeople)
	}
	if len(got.Robots) != len(want.robots) {
		t.Errorf("got %d robots, want %d", len(got.Robots), len(want.robots))
	}
	obedient := 0
	for _, robot := range got.Robots {
		of := want.robots[robot.Token]
		if of == nil {
			t.Errorf("there was no %s", robot.Token)
			continue
		}
		if of.obedient {
			obedient++
			if robot.Violations.Certain > 0 {
				t.Errorf("%s obeyed, got %+v", robot.Token, robot.Violations.Rules[0])
			}
		}
		hours := map[int64]int64{}
		for _, h := range robot.Hours {
			hours[h.Begin.Unix()/hour] = h.Requests
		}
		if got.WithoutHours > 0 && robot.Hours == nil {
			hours = of.hours // a year has too many hours; limitHours of the twin says whose
		}
		if robot.Requests != of.requests || robot.Bytes != of.bytes || robot.RobotsTxt != of.robotsTxt ||
			robot.Forged.Requests != of.forged || robot.Identity.Forged != of.forged ||
			robot.Clients.Addresses != int64(len(of.addresses)) ||
			robot.Forged.Clients.Addresses != int64(len(of.forgers)) || !maps.Equal(hours, of.hours) {
			t.Errorf("%s: got %d requests, %d bytes, %d of robots.txt, %d forged, %d addresses, %d hours, want %d, %d, %d, %d, %d, %d", robot.Token,
				robot.Requests, robot.Bytes, robot.RobotsTxt, robot.Forged.Requests, robot.Clients.Addresses,
				len(robot.Hours),
				of.requests, of.bytes, of.robotsTxt, of.forged, len(of.addresses), len(of.hours))
		}
	}
	if obedient < 50 {
		t.Errorf("only %d robots obey", obedient)
	}
	suspects := map[string]bool{}
	for _, s := range got.Suspects {
		suspects[cmp.Or(s.Address, s.UserAgent)] = true
	}
	if !maps.Equal(suspects, want.disguised) {
		t.Errorf("got the suspects %v, want %v", suspects, want.disguised)
	}
}
