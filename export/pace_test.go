package export_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

const paced = `User-agent: *
Crawl-delay: 100
Disallow: /closed/

User-agent: bingbot
Crawl-delay: 50

User-agent: SeznamBot
Request-rate: 3/1h

User-agent: FreeBot
Disallow: /closed/

User-agent: AhrefsBot
User-agent: SemrushBot
Crawl-delay: 600
`

// pacing servers, with a site that answers after the paces are counted.
var pacing = map[string]string{
	"nginx":   "location / { try_files /ok =404; }\nerror_page 405 =200 /ok;",
	"haproxy": "", "lighttpd": "", "nginx-lua": "", "haproxy-lua": "",
}

// passed asks for a page until the answer is 429, and returns how many requests passed before it.
// It returns 9 if none is refused.
func (s webServer) passed(t *testing.T, r sent) (n int) {
	t.Helper()
	for n = range 9 {
		switch status, header := s.answerTo(t, r); status {
		case 200:
		case 429:
			after, err := strconv.Atoi(header.Get("Retry-After"))
			if err != nil || after < 1 || after > 3600 {
				t.Errorf("%v: Retry-After is %q", r, header.Get("Retry-After"))
			}
			return n
		default:
			t.Errorf("%v: got %d", r, status)
			return n
		}
	}
	return n + 1
}

// TestPace checks that servers slow a robot that is faster than robots.txt asks, and nobody else. A
// server may let one request come early.
func TestPace(t *testing.T) {
	p := robots.Parse([]byte(paced))
	for server, text := range pacing {
		t.Run(server, func(t *testing.T) {
			options := export.Options{Pace: true, PassPaths: []string{"/hook"}}
			s := startWith(t, server, text, write(t, server, p, options),
				write(t, server, p, export.Options{Pace: true, Site: "other"}))
			const free = 9
			bing := "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
			for _, test := range []struct {
				sent
				least, most int // how many requests pass
			}{
				// What does not count comes first.
				{sent{"GET", "/robots.txt", bing, "", ""}, free, free},
				{sent{"GET", "/robots.txt?x", bing, "", ""}, free, free},
				{sent{"GET", "/.well-known/x", bing, "", ""}, free, free},
				{sent{"GET", "/hook/x", bing, "", ""}, free, free},
				{sent{"POST", "/x", bing, "", ""}, free, free},
				{sent{"GET", "/x", bing, "", ""}, 1, 2},
				{sent{"GET", "/x", strings.Replace(bing, "2.0", "2.1", 1), "", ""}, 0, 0}, // the same robot
				{sent{"GET", "/y?z", "bingbot/2.0", "", ""}, 0, 0},
				{sent{"HEAD", "/y", "Mozilla/5.0 (compatible; bingbot/3; x)", "", ""}, 0, 0},
				{sent{"GET", "/robots.txt", bing, "", ""}, free, free},
				// Another robot, of the same group too.
				{sent{"GET", "/x", "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", "", ""}, 1, 2},
				{sent{"GET", "/x", "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://semrush.com/)", "", ""}, 1, 2},
				{sent{"GET", "/x", "CCBot/2.0 (https://commoncrawl.org/faq/)", "", ""}, 1, 2},
				{sent{"GET", "/x", "NobodyKnowsBot/1.0", "", ""}, 1, 2},
				{sent{"GET", "/x", "NobodyKnowsToo-crawler/1.0 (+http://x.example/)", "", ""}, 1, 2},
				{sent{"GET", "/x", "Mozilla/5.0 (compatible; SeznamBot/4.0; +https://o-seznam.cz/)", "", ""}, 3, 4},
				// Nobody asks these for a pace.
				{sent{"GET", "/x", "FreeBot/1.0", "", ""}, free, free},
				{sent{"GET", "/x", googlebot, "", ""}, free, free}, // documents that it ignores Crawl-delay
				{sent{"GET", "/x", chrome, "", ""}, free, free},
				{sent{"GET", "/x", app, "", ""}, free, free},
				{sent{"GET", "/x", "curl/8.0", "", ""}, free, free},
			} {
				if n := s.passed(t, test.sent); n < test.least || n > test.most {
					t.Errorf("%v: %d requests pass, want %d to %d", test.sent, n, test.least, test.most)
				}
			}
			// A refused request does not count.
			cc := "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)"
			for range 5 {
				if status, _ := s.answerTo(t, sent{"GET", "/closed/x", cc, "", ""}); status != 403 {
					t.Errorf("a closed page: got %d", status)
				}
			}
			if n := s.passed(t, sent{"GET", "/x", cc, "", ""}); n < 1 || n > 2 {
				t.Errorf("after refusals %d requests pass", n)
			}
			// The other site has its own count.
			if got := s.ask(t, []request{{"/x", bing, 1}})[0]; got != 200 {
				t.Errorf("the other site: got %d", got)
			}
		})
	}
}

// TestPaceOfNamed checks that robots are slowed that robots.txt names, and no others, if that is
// asked for.
func TestPaceOfNamed(t *testing.T) {
	p := robots.Parse([]byte(paced))
	for server, text := range pacing {
		t.Run(server, func(t *testing.T) {
			s := startWith(t, server, text, write(t, server, p, export.Options{Pace: true, Agents: export.Named}))
			for header, slowed := range map[string]bool{
				"bingbot/2.0": true, "AhrefsBot/7.0": true, "CCBot/2.0": false, "NobodyKnowsBot/1.0": false,
			} {
				if n := s.passed(t, sent{"GET", "/x", header, "", ""}); slowed != (n < 9) {
					t.Errorf("%s: %d requests pass", header, n)
				}
			}
		})
	}
}

// TestPaceHostile checks that the paces of hostile files give configuration that servers take, and
// that nobody is slowed by a pace that is not a time.
func TestPaceHostile(t *testing.T) {
	var many strings.Builder
	many.WriteString("User-agent: *\nCrawl-delay: 0\n")
	for i := range 150 {
		fmt.Fprintf(&many, "\nUser-agent: A%dBot\nCrawl-delay: %d.5\nRequest-rate: %d/%dm\n", i, i, i+1, i+2)
	}
	texts := []string{many.String(),
		"User-agent: *\nCrawl-delay: 99999999999999999999\nRequest-rate: 9223372036854775807/1\n",
		"User-agent: *\nCrawl-delay: 0.0000001\nRequest-rate: 1/0\n",
		"User-agent: (?<x>\";}.*Bot\nUser-agent: \\1Bot\nUser-agent: a/bBot\nCrawl-delay: 1e3\n",
		"User-agent: *\nRequest-rate: 100000000/1d\nCrawl-delay: NaN\n"}
	for server, text := range pacing {
		t.Run(server, func(t *testing.T) {
			var configs []*export.Config
			for i, text := range texts {
				p := robots.Parse([]byte(text))
				configs = append(configs, write(t, server, p, export.Options{Pace: true, Site: fmt.Sprint("h", i)}))
			}
			s := startWith(t, server, text, configs...)
			for site, slowed := range []bool{false, true, false, false, false} {
				statuses := s.ask(t, slices.Repeat([]request{{"/x", "CCBot/2.0", site}}, 4))
				if slices.Contains(statuses, 429) != slowed {
					t.Errorf("site %d: got %v", site, statuses)
				}
				if got := s.ask(t, slices.Repeat([]request{{"/x", chrome, site}}, 4)); slices.Max(got) != 200 {
					t.Errorf("site %d, a person: got %v", site, got)
				}
			}
		})
	}
	for i := range 100 {
		fmt.Fprintf(&many, "\nUser-agent: B%dBot\nCrawl-delay: 1%d\n", i, i)
	}
	_, err := export.Write("nginx", robots.Parse([]byte(many.String())), export.Options{Pace: true})
	if err == nil || !strings.Contains(err.Error(), "different paces, more than 200") {
		t.Errorf("got %v", err)
	}
}

// TestPaceRefused checks that a server says so that has no means to count, and what is left out.
func TestPaceRefused(t *testing.T) {
	p := robots.Parse([]byte(paced))
	for _, server := range export.Servers() {
		config, err := export.Write(server, p, export.Options{Pace: true})
		if _, ok := pacing[server]; ok {
			if err != nil || config.LeftOut != "" {
				t.Errorf("%s: %v, %q", server, err, config.LeftOut)
			}
		} else if refusal, ok := errors.AsType[*export.Refusal](err); !ok ||
			!strings.Contains(refusal.Reason, "nginx, haproxy, lighttpd, nginx-lua and haproxy-lua can enforce") {
			t.Errorf("%s: %v", server, err)
		}
		config = write(t, server, p, export.Options{})
		const want = "line 2 of robots.txt, Crawl-delay: 100, is left out: "
		said := 0
		for _, f := range config.Files {
			said += strings.Count(string(f.Data), want)
		}
		if !strings.HasPrefix(config.LeftOut, want) || said != 1 {
			t.Errorf("%s says %q, and %d times in its files", server, config.LeftOut, said)
		}
		config = write(t, server, robots.Parse([]byte("User-agent: *\nDisallow: /x\n")), export.Options{})
		if config.LeftOut != "" || strings.Contains(string(config.Files[0].Data), "left out") {
			t.Errorf("%s leaves out nothing, and says %q", server, config.LeftOut)
		}
	}
}

// TestPaceHeaders asks as robots of real headers, and as people of real logs, whether a server
// slows them: each robot whose group asks it for a pace, and nobody else. Expressions may be wrong
// about robots in no table, as they are about rules.
func TestPaceHeaders(t *testing.T) {
	p := robots.Parse([]byte(`User-agent: *
Crawl-delay: 3600

User-agent: bingbot
User-agent: AhrefsBot
Request-rate: 1/3h

User-agent: Twitterbot
Disallow: /x
`))
	var list []string
	for i, header := range append(corpusHeaders(t), logHeaders(t)...) {
		if i%corpus.Cases(25, 1) == 0 {
			list = append(list, header)
		}
	}
	for server, text := range pacing {
		t.Run(server, func(t *testing.T) {
			s := startWith(t, server, text, write(t, server, p, export.Options{Pace: true}))
			var many, few, slow int
			statuses := s.ask(t, slices.Repeat(requestsOf(0, []string{"/"}, list), 3))
			for i, header := range list {
				a := agent.Lookup(header)
				g := p.ForOnly(a.Tokens()...)
				if a.Everyone() && a.Crawler() {
					g = p.For(a.Tokens()...)
				}
				_, delay := g.CrawlDelay()
				want := a.Kind == agent.Robot && !a.Device && (delay || len(g.RequestRates()) > 0) &&
					!(a.Known() && a.CrawlDelay() == agent.DelayIgnored)
				got := statuses[i] == 429 || statuses[i+len(list)] == 429 || statuses[i+2*len(list)] == 429
				if got {
					slow++
				}
				switch {
				case got == want:
				case a.Known() || a.Kind == agent.Browser || strings.HasSuffix(server, "lua") || server == "lighttpd":
					t.Errorf("%q (%s): slowed is %v", header, a.Token, got)
				case got:
					many++
				default:
					few++
				}
			}
			t.Logf("of %d headers, %d are slowed, %d too many and %d too few", len(list), slow, many, few)
			if 50*(many+few) > len(list) || slow < len(list)/3 {
				t.Errorf("too many answers are wrong")
			}
		})
	}
}
