package guard_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// TestObedience checks that what an operator documents about obeying robots.txt does not open a
// site: all robots of the table that say so get what the group for everyone allows, unless a group
// names them (decision 104).
func TestObedience(t *testing.T) {
	corpus.Unraced(t)
	counts := make(map[agent.Obedience]int)
	for a := range agent.All() {
		shown := agent.Lookup(a.Token + "/1.0")
		if a.PolicyOnly() || shown.Token != a.Token || !shown.Known() || !a.Everyone() {
			continue // the token is not a header, or the robot obeys only groups that name it
		}
		if a.Device || !a.Crawler() {
			continue // TestDevice, TestErrands
		}
		counts[a.Obedience()]++
		for _, test := range []struct {
			text string
			want guard.Action
		}{
			{"User-agent: *\nDisallow: /\n", guard.Refuse},
			{"User-agent: *\nDisallow: /\n\nUser-agent: " + a.Token + "\nAllow: /\n", guard.Pass},
			{"User-agent: *\nAllow: /\n\nUser-agent: " + a.Token + "\nDisallow: /\n", guard.Refuse},
		} {
			g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(test.text)))}
			if got := g.Decide(request(t, "/x", a.Token+"/1.0")); got.Action != test.want &&
				got.Robot.Kind == agent.Robot {
				t.Errorf("%s with %q: got %v, want %v", a.Token, test.text, got.Action, test.want)
			}
		}
	}
	if counts[agent.Ignores] == 0 || counts[agent.Unsaid] == 0 {
		t.Errorf("too few robots were tested: %v", counts)
	}
}

// TestDevice checks that a program on the device of a person passes, whatever robots.txt says about
// the robot whose name it uses, and that it is not forged.
func TestDevice(t *testing.T) {
	text := "User-agent: *\nUser-agent: facebookexternalhit\nUser-agent: WhatsApp\nCrawl-delay: 60\nDisallow: /\n"
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text))), Identities: new(guard.Identities),
		IdentifyFirst: true, PaidLicenses: []string{"https://license.example/"}, Preferences: true}
	defer g.Identities.Close()
	for _, header := range []string{
		"Mozilla/5.0 (Macintosh) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
		"Claude-User (claude-code/3.0; +https://support.anthropic.com/)", "WhatsApp/2.24 N",
	} {
		for range 3 {
			got := g.Decide(request(t, "/x", header))
			if got.Action != guard.Pass || got.Reason.String() != "device" || got.Identity != agent.Device ||
				got.Robot.Token == "" {
				t.Errorf("%s: got %+v, want the device to pass", header, got)
			}
		}
	}
	if got := g.Decide(request(t, "/x", "facebookexternalhit/1.1")); got.Action != guard.Refuse {
		t.Errorf("the robot: got %+v, want refuse", got)
	}
	broken := &guard.Guard{FailClosed: true, Policy: func(*http.Request) (*robots.Policy, error) {
		return nil, errors.New("no policy")
	}}
	if got := broken.Decide(request(t, "/x", "WhatsApp/2.24 N")); got.Action != guard.Pass {
		t.Errorf("after a fault: got %+v, want the device to pass", got)
	}
}

// TestErrands checks that robots that do not crawl are refused and slowed only by groups that name
// them.
func TestErrands(t *testing.T) {
	for header, token := range map[string]string{
		"Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)":                  "UptimeRobot",
		"Mozilla/5.0 (compatible; Example Uptime Bot/1.0)":                                        "Example",
		"Mozilla/5.0 (compatible; Let's Encrypt validation server; +https://www.letsencrypt.org)": "letsencrypt",
		"Stripe/1.0 (+https://stripe.com/docs/webhooks)":                                          "Stripe",
	} {
		for _, test := range []struct {
			text string
			want guard.Action
		}{
			{"User-agent: *\nCrawl-delay: 60\nDisallow: /private\n", guard.Pass},
			{"User-agent: *\nDisallow: /\n", guard.Pass},
			{"User-agent: " + token + "\nDisallow: /\n", guard.Refuse},
		} {
			g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(test.text)))}
			for range 3 {
				if got := g.Decide(request(t, "/x", header)); got.Action != test.want {
					t.Errorf("%s with %q: got %+v, want %v", header, test.text, got, test.want)
				}
			}
		}
	}
	for _, header := range []string{"GPTBot/1.0", "ExampleUptimeCrawler/1.0", "ExampleBot/1.0"} {
		g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nDisallow: /\n")))}
		if got := g.Decide(request(t, "/x", header)); got.Action != guard.Refuse {
			t.Errorf("%s: got %+v, want refuse", header, got)
		}
	}
}

// TestLoopback checks that a robot whose request comes by loop-back is held to the rules: mostly a
// proxy on the same machine sent it.
func TestLoopback(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nDisallow: /\n")))}
	for _, peer := range []string{"127.0.0.1:4711", "[::1]:4711"} {
		r := request(t, "/x", "GPTBot/1.3")
		if r.RemoteAddr = peer; g.Decide(r).Action != guard.Refuse {
			t.Errorf("%s passes", peer)
		}
	}
}
