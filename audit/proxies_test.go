package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A crowd writes lines of a log.
type crowd struct {
	lines  []string
	second int
}

var crowdBrowsers = []string{"Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 14_1) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15",
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36"}

var crowdRobots = []string{"GPTBot/1.3", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "CCBot/2.0"}

// add adds a request of a client.
func (c *crowd) add(client, path, header string) {
	c.second++
	c.lines = append(c.lines, fmt.Sprintf(`%s - - [26/Nov/2026:%02d:%02d:%02d +0000] "GET %s HTTP/1.1" 200 5 "-" "%s"`,
		client, 8+c.second/3600, c.second/60%60, c.second%60, path, header))
}

// people adds n requests of people from each client.
func (c *crowd) people(n int, clients ...string) {
	for i := range n {
		for k, client := range clients {
			c.add(client, "/page", crowdBrowsers[(i+k)%len(crowdBrowsers)])
		}
	}
}

// robots adds n requests of robots from each client, with names in turn.
func (c *crowd) robots(n int, clients ...string) {
	for i := range n {
		for k, client := range clients {
			c.add(client, "/private/x", crowdRobots[(i+k)%len(crowdRobots)])
		}
	}
}

// addresses returns n addresses that begin with a text.
func addresses(start string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s%d", start, i+1))
	}
	return list
}

// proxyOptions call every client forged but those of Google's range.
func proxyOptions() audit.Options {
	google := netip.MustParsePrefix("66.249.64.0/19")
	return audit.Options{
		Sites: map[string][]audit.Version{"": {{ID: "r", Text: []byte("User-agent: *\nDisallow: /private/\n")}}},
		Identify: func(_ agent.Agent, client netip.Addr) agent.Result {
			if google.Contains(client) {
				return agent.Verified
			}
			return agent.Forged
		},
	}
}

// TestProxies simulates logs of servers behind proxies, and of servers that clients reach.
func TestProxies(t *testing.T) {
	for _, c := range []struct {
		name   string
		proxy  bool
		forged int64 // requests
		write  func(c *crowd)
	}{
		{"a network that publishes its ranges", true, 0, func(c *crowd) {
			c.robots(10, addresses("172.70.1.", 5)...)
		}},
		{"a network of 14 addresses that publishes none", true, 0, func(c *crowd) {
			c.people(60, addresses("198.51.100.", 14)...)
			c.robots(15, addresses("198.51.100.", 14)...)
		}},
		{"the same with checks of the provider", true, 0, func(c *crowd) {
			c.people(60, addresses("198.51.100.", 14)...)
			c.robots(15, addresses("198.51.100.", 14)...)
			c.robots(3, "192.0.2.7")
		}},
		{"the translators of a network with IPv6 alone", true, 0, func(c *crowd) {
			c.people(40, "64:ff9b::c000:201", "64:ff9b::c000:202")
			c.robots(10, "64:ff9b::c000:201", "64:ff9b::c000:202")
		}},
		{"one proxy of the site's own, with a public address", true, 0, func(c *crowd) {
			c.people(40, "198.51.100.7")
			c.robots(10, "198.51.100.7")
		}},
		{"a gateway of a firm with people and one forger", false, 10, func(c *crowd) {
			c.people(40, "198.51.100.7")
			c.robots(10, "198.51.100.7")
			c.people(2, addresses("203.0.113.", 100)...)
		}},
		{"the same where people hardly come, and robots do", false, 10, func(c *crowd) {
			c.people(40, "198.51.100.7")
			c.robots(10, "198.51.100.7")
			c.robots(20, addresses("66.249.66.", 3)...)
		}},
		{"a translator of a provider among other clients", false, 6, func(c *crowd) {
			c.people(100, "198.51.100.7", "198.51.100.8")
			c.robots(3, "198.51.100.7", "198.51.100.8")
			c.people(3, addresses("203.0.113.", 120)...)
		}},
		{"a forger with the names of many robots and no people", false, 30, func(c *crowd) {
			c.robots(30, "198.51.100.7")
			c.people(5, addresses("203.0.113.", 9)...)
		}},
		{"a forger alone", false, 30, func(c *crowd) { c.robots(30, "198.51.100.7") }},
		{"a crawler that calls itself a browser as well", false, 30, func(c *crowd) {
			c.robots(30, "198.51.100.7")
			c.people(30, "198.51.100.7")
			c.people(5, addresses("203.0.113.", 9)...)
		}},
		{"the same with two browsers on a site without visitors", false, 30, func(c *crowd) {
			c.robots(30, "198.51.100.7")
			for i := range 30 {
				c.add("198.51.100.7", "/", crowdBrowsers[i%2])
			}
		}},
		{"a forger among many clients", false, 9, func(c *crowd) {
			for i := range 5 {
				c.people(3, addresses(fmt.Sprintf("203.0.%d.", i), 250)...)
			}
			c.robots(9, "203.0.1.7")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log crowd
			c.write(&log)
			auditor, err := audit.New(proxyOptions())
			fatal.If(t, err)
			part := readCrowd(t, auditor, log.lines)
			report := part.Report()
			var forged, sum int64
			for _, robot := range report.Robots {
				forged += robot.Forged.Requests
				sum += robot.Identity.Forged + robot.Identity.Verified + robot.Identity.Unverifiable
				for _, a := range robot.Addresses {
					if c.proxy && a.Address != "192.0.2.7" {
						t.Errorf("%s is an address of %s", a.Address, robot.Token)
					}
				}
				if robot.Identity.Forged != robot.Forged.Requests {
					t.Errorf("%s: %d and %d requests are forged", robot.Token, robot.Identity.Forged,
						robot.Forged.Requests)
				}
			}
			if (report.Proxied > 0) != c.proxy || (len(report.Proxies) > 0) != c.proxy || forged != c.forged {
				t.Errorf("proxied %d by %v, forged %d; want %v, %d", report.Proxied, report.Proxies, forged,
					c.proxy, c.forged)
			}
			checkParts(t, auditor, log.lines, report)
			checkJudgements(t, auditor, part, log.lines, c.proxy)
		})
	}
}

func readCrowd(t *testing.T, auditor *audit.Auditor, lines []string) *audit.Part {
	t.Helper()
	var reader accesslog.Reader
	part, err := auditor.Read(reader.From("log", strings.NewReader(strings.Join(lines, "\n"))), 1)
	fatal.If(t, err)
	return part
}

// checkParts joins parts of the lines in another order, one of them stored, to the same report.
func checkParts(t *testing.T, auditor *audit.Auditor, lines []string, want *audit.Report) {
	t.Helper()
	lines = slices.Clone(lines)
	slices.Reverse(lines)
	part := readCrowd(t, auditor, lines[:len(lines)/3])
	var stored bytes.Buffer
	_, err := part.WriteTo(&stored)
	fatal.If(t, err)
	part, err = audit.ReadPart(&stored, nil)
	fatal.If(t, err)
	fatal.If(t, part.Join(readCrowd(t, auditor, lines[len(lines)/3:])))
	figures := func(r *audit.Report) string {
		var list []any
		for _, robot := range r.Robots {
			list = append(list, robot.Token, robot.Identity, robot.Violations.Count, robot.Forged, robot.Addresses,
				robot.Clients)
		}
		text, err := json.Marshal([]any{r.Proxied, r.Proxies, r.Unjudged, list})
		fatal.If(t, err)
		return string(text)
	}
	if got, want := figures(part.Report()), figures(want); got != want {
		t.Errorf("parts: got\n%s\nwant\n%s", got, want)
	}
}

// checkJudgements judges the requests one by one, afterwards and live: of a proxy, none is forged.
func checkJudgements(t *testing.T, auditor *audit.Auditor, part *audit.Part, lines []string, proxy bool) {
	t.Helper()
	judge, live := part.Judge(), auditor.Live()
	lines = slices.Clone(lines)
	random := rand.New(rand.NewPCG(29, 2))
	random.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	var reader accesslog.Reader
	forged, late := 0, 0
	for n, r := range numbered(reader.From("log", strings.NewReader(strings.Join(lines, "\n"))).Requests()) {
		j := judge.Judge(r)
		if j.Token != "" && proxy != j.Proxy && r.Client.String() != "192.0.2.7" {
			t.Errorf("%s: proxy %v", r.Text, j.Proxy)
		}
		if j.Identity == agent.Forged {
			forged++
		}
		if j, _ := live.Add(r); j.Identity == agent.Forged && 2*n > len(lines) {
			late++
		}
	}
	if proxy && (forged > 0 || late > 0) || !proxy && (forged == 0 || late == 0 && len(lines) < 5*forged) {
		t.Errorf("%d requests are forged, and %d live in the second half", forged, late)
	}
}

// numbered yields the requests of a log that can be read, with their numbers.
func numbered(requests func(func(*accesslog.Request, error) bool)) func(func(int, *accesslog.Request) bool) {
	return func(yield func(int, *accesslog.Request) bool) {
		n := 0
		requests(func(r *accesslog.Request, err error) bool {
			n++
			return err != nil || yield(n, r)
		})
	}
}
