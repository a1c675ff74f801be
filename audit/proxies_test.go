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
	"github.com/robotsexclusion/robots/internal/test/corpus"
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
	corpus.Unraced(t)
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
		{"a network of 6,000 addresses that publishes none", true, 0, func(c *crowd) {
			for i := range 30 {
				c.people(12, addresses(fmt.Sprintf("198.51.%d.", i), 200)...)
				c.robots(1, addresses(fmt.Sprintf("198.51.%d.", i), 200)...)
			}
		}},
		{"a network on a small site", true, 0, func(c *crowd) {
			c.people(2, addresses("198.51.100.", 60)...)
			c.robots(1, addresses("198.51.100.", 20)...)
		}},
		{"a load balancer with a private address and no people", true, 0, func(c *crowd) {
			c.robots(10, "10.0.0.9", "172.17.0.1", "100.64.0.1", "fd00::1", "64:ff9b::10.0.0.9")
		}},
		{"five forgers with browsers on a site with visitors", false, 50, func(c *crowd) {
			c.people(2, addresses("198.51.100.", 5)...)
			c.robots(10, addresses("198.51.100.", 5)...)
			c.people(1, addresses("203.0.113.", 120)...)
		}},
		{"the same with true robots", false, 50, func(c *crowd) {
			c.people(10, addresses("198.51.100.", 5)...)
			c.robots(10, addresses("198.51.100.", 5)...)
			c.robots(20, addresses("66.249.66.", 3)...)
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
		{"forgers among more clients than are counted", false, 5000, func(c *crowd) {
			for i := range 40 {
				c.people(3, addresses(fmt.Sprintf("203.0.%d.", i), 250)...)
				c.robots(1, addresses(fmt.Sprintf("198.51.%d.", i), 125)...)
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

// checkJudgements judges the requests one by one, afterwards and live: of a proxy, none is forged
// afterwards, and hardly any when half of the log is known.
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
	if proxy && (forged > 0 || 40*late > len(lines)) || !proxy && (forged == 0 || late == 0 && len(lines) < 5*forged) {
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

// TestOwnSoftware simulates logs with requests by loop-back: of the software of the site, or of a
// proxy on the same machine, whose robots are judged, though by no address.
func TestOwnSoftware(t *testing.T) {
	const warmer = "ExampleWarmer/1.0 (+https://site.example)"
	for _, c := range []struct {
		name       string
		own        int64 // requests that are not judged
		violations int64
		proxies    string
		live       int // requests of loop-back that are judged live, at least
		write      func(c *crowd)
	}{
		{"software of the site", 40, 90, "[]", 0, func(c *crowd) {
			c.people(20, addresses("203.0.113.", 30)...)
			c.robots(30, addresses("66.249.66.", 3)...)
			for _, client := range []string{"127.0.0.1", "127.0.1.1", "::1", "::ffff:127.0.0.1"} {
				for range 10 {
					c.add(client, "/private/x", warmer)
				}
			}
		}},
		{"software of a site without visitors", 300, 3, "[]", 0, func(c *crowd) {
			c.robots(3, "66.249.66.1")
			for range 300 {
				c.add("127.0.0.1", "/private/x", warmer)
			}
		}},
		{"software that sends the headers of visitors on", 40, 90, "[]", 0, func(c *crowd) {
			c.people(20, addresses("203.0.113.", 30)...)
			c.robots(30, addresses("66.249.66.", 3)...)
			c.people(100, "127.0.0.1")
			c.robots(20, "127.0.0.1", "::1")
		}},
		{"software beside a proxy with an address", 10, 60, "[198.51.100.7]", 0, func(c *crowd) {
			c.people(60, "198.51.100.7")
			c.robots(60, "198.51.100.7")
			for range 6 {
				c.add("127.0.0.1", "/private/x", warmer)
			}
			c.robots(4, "::1")
		}},
		{"a proxy on the same machine", 0, 60, "[127.0.0.1]", 50, func(c *crowd) {
			c.people(40, "127.0.0.1")
			c.robots(60, "127.0.0.1")
		}},
		{"the same with checks of the provider", 0, 61, "[127.0.0.1 ::1]", 50, func(c *crowd) {
			c.people(40, "127.0.0.1", "::1")
			c.robots(30, "127.0.0.1", "::1")
			c.robots(1, "192.0.2.7")
		}},
		{"the same with many addresses", 0, 3000, "[127.0.0.1]", 2000, func(c *crowd) {
			c.people(12000, "127.0.0.1")
			c.robots(3000, "127.0.0.1")
			for i := range 5 {
				c.people(1, addresses(fmt.Sprintf("203.0.%d.", i), 250)...)
			}
		}},
		{"a proxy and a few people", 0, 20, "[127.0.0.1]", 0, func(c *crowd) {
			c.people(4, "127.0.0.1")
			c.robots(20, "127.0.0.1")
		}},
		{"robots alone that a proxy sent", 0, 20, "[127.0.0.1]", 0, func(c *crowd) { c.robots(20, "127.0.0.1") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log crowd
			c.write(&log)
			auditor, err := audit.New(audit.Options{Sites: proxyOptions().Sites})
			fatal.If(t, err)
			part := readCrowd(t, auditor, log.lines)
			report := part.Report()
			var violations int64
			for _, robot := range report.Robots {
				violations += robot.Violations.Certain + robot.Violations.Informed + robot.Violations.Grace
				for _, a := range robot.Addresses {
					if netip.MustParseAddr(a.Address).IsLoopback() {
						t.Errorf("%s is an address of %s", a.Address, robot.Token)
					}
				}
			}
			if report.Proxies == nil {
				report.Proxies = []string{}
			}
			if report.Unjudged.Own != c.own || violations != c.violations || fmt.Sprint(report.Proxies) != c.proxies {
				t.Errorf("own %d, violations %d, proxies %v", report.Unjudged.Own, violations, report.Proxies)
			}
			if len(log.lines) < 2000 {
				checkParts(t, auditor, log.lines, part.Report())
			}
			checkOwn(t, auditor.Live(), part.Judge(), log.lines, c.own, c.live)
		})
	}
}

// checkOwn judges the requests one by one: as many of the site's own software as the report has,
// and live some of a proxy, and none of the software.
func checkOwn(t *testing.T, live *audit.Live, judge *audit.Judge, lines []string, own int64, least int) {
	t.Helper()
	var reader accesslog.Reader
	judged := 0
	for r, err := range reader.From("log", strings.NewReader(strings.Join(lines, "\n"))).Requests() {
		fatal.If(t, err)
		if j := judge.Judge(r); j.Unjudged == "own" {
			own--
			if j.Class != audit.Allowed || j.Identity == agent.Forged {
				t.Errorf("%s: %+v", r.Text, j)
			}
		}
		if _, c := live.Add(r); c != nil && r.Client.IsLoopback() && live.Judge(c).Class != audit.Allowed {
			judged++
			if !live.Judge(c).Proxy {
				t.Errorf("%s: judged, and no proxy", r.Text)
			}
		}
	}
	if own != 0 || judged < least || least == 0 && judged > 0 {
		t.Errorf("%d more are the site's own in the report; live %d are judged, want %d", own, judged, least)
	}
}

// TestOwnSuspect checks that the software of a site is not a suspect either, as another client with
// its habits is.
func TestOwnSuspect(t *testing.T) {
	for _, client := range []string{"127.0.0.1", "::1", "198.51.100.9"} {
		var l visitLog
		l.people()
		l.add(client, 0, "/robots.txt", "-", firefox)
		for n := range 22 {
			l.add(client, n*60, "/feed.xml", "-", firefox)
		}
		suspects := readLines(t, newAuditor(t), 1, l.lines).Report().Suspects
		if found := len(suspects) > 0; found != (client == "198.51.100.9") {
			t.Errorf("%s: %+v", client, suspects)
		}
	}
}
