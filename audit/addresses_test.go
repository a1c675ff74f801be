package audit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// The addresses and headers of a robot with many of both are the same in any order, however the log
// is cut, and as many as the report says.
func TestAddresses(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	a := newAuditor(t)
	var log []string
	certain := 0
	for i := range 400 {
		for range 1 + i%7 {
			certain++
			log = append(log,
				fmt.Sprintf(`2001:db8::%x - - [01/Mar/2026:00:00:%02d +0000] "GET /private/ HTTP/1.1" 403 5 "-" "ExampleBot/%d %s"`, i, i%60, i, strings.Repeat("é\x80", 200)))
		}
	}
	log = append(log, `- - - [01/Mar/2026:00:00:00 +0000] "GET /private/ HTTP/1.1" 403 5 "-" "ExampleBot/0"`)
	of := func(p *audit.Part) string {
		robot := p.Report().Robots[0]
		var sum int64
		for i, a := range robot.Addresses {
			if sum += a.Certain; i > 0 && a.Certain > robot.Addresses[i-1].Certain {
				t.Errorf("address %d has %d certain violations, more than the one before", i, a.Certain)
			}
		}
		if robot.AddressCount != 400 || len(robot.Addresses) != 50 || sum != 7*50 ||
			robot.Violations.Certain != int64(certain)+1 || len(robot.UserAgents) != 5 {
			t.Errorf("%d addresses of %d with %d violations of %+v, headers %q", len(robot.Addresses),
				robot.AddressCount, sum, robot.Violations.Count, robot.UserAgents)
		}
		data, err := json.Marshal([]any{robot.Addresses, robot.UserAgents})
		fatal.If(t, err)
		return string(data)
	}
	want := of(readLines(t, a, 1, log))
	for range 3 {
		random.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
		all := stored(t, readLines(t, a, 2, log[:700]))
		fatal.If(t, all.Join(readLines(t, a, 3, log[700:])))
		if got := of(stored(t, all)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The headers and addresses of forgers are not those of the robot: a letter to its operator would
// go to the address in a forger's header.
func TestAddressesOfForgers(t *testing.T) {
	genuine, forger := addr("192.0.2.1"), addr("198.51.100.1")
	o := audit.Options{
		Identify: func(_ agent.Agent, client netip.Addr) agent.Result {
			if client == genuine {
				return agent.Verified
			}
			return agent.Forged
		},
		Sites: map[string][]audit.Version{"": {{ID: "1", Text: []byte("User-agent: *\nDisallow: /\n")}}},
	}
	log := &logFile{name: "log"}
	for _, client := range []netip.Addr{genuine, forger} {
		header := "Googlebot/2.1 (+http://" + client.String() + "/)"
		log.add(visit{at: 1e9, zoned: true, client: client, method: "GET", path: "/x", status: 200, agent: header},
			time.UTC)
	}
	robot := fastReportOf(t, o, 1, log).Robots[0]
	want := []audit.Address{{Address: "192.0.2.1", Verified: true, Count: audit.Count{Certain: 1}}}
	if !slices.Equal(robot.Addresses, want) || robot.AddressCount != 1 ||
		!slices.Equal(robot.UserAgents, []string{"Googlebot/2.1 (+http://192.0.2.1/)"}) ||
		robot.Forged.Violations != 1 {
		t.Errorf("got %+v", robot)
	}
}

// A robot without a function of Identifier has unverifiable requests only, and Identify is not
// asked.
func TestIdentifier(t *testing.T) {
	o := audit.Options{
		Identify: func(robot agent.Agent, _ netip.Addr) agent.Result {
			t.Errorf("asked about %s", robot.Token)
			return agent.Verified
		},
		Identifier: func(robot agent.Agent) func(netip.Addr) agent.Result {
			if robot.Token != "GPTBot" {
				return nil
			}
			return func(netip.Addr) agent.Result { return agent.Forged }
		},
		Sites: map[string][]audit.Version{"": {{ID: "1", Text: []byte("User-agent: *\nDisallow: /\n")}}},
	}
	log := &logFile{name: "log"}
	for range 2 {
		for _, header := range []string{"GPTBot/1.2", "Googlebot/2.1"} {
			log.add(visit{at: 1e9, zoned: true, client: addr("192.0.2.1"), method: "GET", path: "/x", status: 200,
				agent: header}, time.UTC)
		}
	}
	for _, robot := range fastReportOf(t, o, 1, log).Robots {
		want := audit.Identity{Unverifiable: 2}
		if robot.Token == "GPTBot" {
			want = audit.Identity{Forged: 2}
		}
		if robot.Identity != want {
			t.Errorf("%s: got %+v", robot.Token, robot.Identity)
		}
	}
}
