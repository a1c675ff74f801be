package guard_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
)

func TestProxies(t *testing.T) {
	proxies := guard.Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, test := range []struct {
		peer   string
		fields []string
		want   string
	}{
		{"192.0.2.1:80", nil, "192.0.2.1"},
		{"192.0.2.1:80", []string{"192.0.2.9"}, "192.0.2.1"}, // no proxy: anybody writes the field
		{"10.0.0.1:80", []string{"192.0.2.9"}, "192.0.2.9"},
		{"10.0.0.1:80", []string{"192.0.2.8, 192.0.2.9"}, "192.0.2.9"},
		{"10.0.0.1:80", []string{"192.0.2.8", "192.0.2.9,10.0.0.2"}, "192.0.2.9"},
		{"10.0.0.1:80", []string{"192.0.2.9", "10.0.0.3", "10.0.0.2"}, "192.0.2.9"},
		{"10.0.0.1:80", []string{"192.0.2.9:4711"}, "192.0.2.9"},
		{"[::1]:80", []string{"[2001:db8::1]:4711"}, "2001:db8::1"},
		{"[::ffff:10.0.0.1]:80", []string{"::ffff:192.0.2.9"}, "192.0.2.9"},
		{"10.0.0.1:80", nil, "10.0.0.1"},
		{"10.0.0.1:80", []string{"192.0.2.9, unknown"}, "invalid IP"},
		{"10.0.0.1:80", []string{"192.0.2.9, "}, "invalid IP"},
		{"10.0.0.1:80", []string{strings.Repeat("10.0.0.1,", 10_000) + "10.0.0.1"}, "10.0.0.1"},
		{"@", nil, "invalid IP"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.peer
		r.Header["X-Forwarded-For"] = test.fields
		if got := proxies.Client(r).String(); got != test.want {
			t.Errorf("%s, %.40q: got %s, want %s", test.peer, test.fields, got, test.want)
		}
		if got := proxies.Trusts(r); got != (strings.Contains(test.peer, "10.0.0.1") ||
			strings.Contains(test.peer, "::1]")) {
			t.Errorf("%s: trusted: got %v", test.peer, got)
		}
	}
}

func TestForwarded(t *testing.T) {
	proxies := guard.Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	const unknown = "invalid IP"
	for _, test := range []struct {
		fields []string
		want   string
	}{
		{nil, "10.0.0.1"},
		{[]string{""}, "10.0.0.1"},
		{[]string{"for=192.0.2.9"}, "192.0.2.9"},
		{[]string{"For=192.0.2.9;proto=https; by=10.0.0.1"}, "192.0.2.9"},
		{[]string{`proto=https;host="a;b,c=\"d\"";for="192.0.2.9:4711"`}, "192.0.2.9"},
		{[]string{`for="[2001:db8::1]"`}, "2001:db8::1"},
		{[]string{`for="[2001:db8::1]:4711"`}, "2001:db8::1"},
		{[]string{`for="[2001:db8::1]:_port"`}, "2001:db8::1"},
		{[]string{`for="192.0.2.9:_port"`}, "192.0.2.9"},
		{[]string{`for="[::ffff:192.0.2.9]"`}, "192.0.2.9"},
		{[]string{`for="\1\9\2.0.2.9"`}, "192.0.2.9"},
		{[]string{"for=2001:db8::1"}, "2001:db8::1"}, // not valid, but what some proxies write
		{[]string{"for=192.0.2.8, for=192.0.2.9"}, "192.0.2.9"},
		{[]string{"for=192.0.2.8", "for=192.0.2.9"}, "192.0.2.9"},
		{[]string{"for=192.0.2.9, for=10.0.0.3", `for="[fd00::7]:80"`}, "192.0.2.9"},
		{[]string{"for=192.0.2.9, , ", "", " ,"}, "192.0.2.9"}, // empty elements do not count (RFC 9110, section 5.6.1)
		{[]string{"for=10.0.0.3, for=10.0.0.2"}, "10.0.0.3"},
		{[]string{"for=unknown"}, unknown},
		{[]string{"for=192.0.2.9, for=unknown"}, unknown},
		{[]string{`for=192.0.2.9, for="_hidden:_x"`}, unknown},
		{[]string{"for=_SEVKISEK"}, unknown},
		{[]string{"for=192.0.2.9, proto=https"}, unknown},
		// A client cannot hide the element of the proxy.
		{[]string{`for="192.0.2.8, for=192.0.2.9`}, "192.0.2.9"},
		{[]string{`for="`, "for=192.0.2.9"}, "192.0.2.9"},
		{[]string{`for="\, for="192.0.2.9"`}, "192.0.2.9"},
		{[]string{`"\"""\\", for="[2001:db8::1]"`}, "2001:db8::1"},
		{[]string{"for=192.0.2.8;, for=192.0.2.9"}, "192.0.2.9"},
		{[]string{strings.Repeat(`",`, 30_000) + "for=192.0.2.9"}, "192.0.2.9"},
		{[]string{strings.Repeat("for=10.0.0.2,", 5_000) + "for=10.0.0.1"}, "10.0.0.2"},
		// What a proxy should not write.
		{[]string{"192.0.2.9"}, unknown},
		{[]string{"for=192.0.2.9;for=192.0.2.8"}, unknown},
		{[]string{`for="192.0.2.9`}, unknown},
		{[]string{`for="192.0.2.9"x`}, unknown},
		{[]string{`for=192.0.2.9"`}, unknown},
		{[]string{"for=192.0.2.9=1"}, unknown},
		{[]string{`for="[192.0.2.9]"`}, unknown},
		{[]string{`for="[2001:db8::1"`}, unknown},
		{[]string{`for="[2001:db8::1]80"`}, unknown},
		{[]string{"for="}, unknown},
		{[]string{`for="\`}, unknown},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = "10.0.0.1:80"
		r.Header["Forwarded"] = test.fields
		r.Header.Set("X-Forwarded-For", "192.0.2.77")
		if got := proxies.ForwardedClient(r).String(); got != test.want {
			t.Errorf("%.60q: got %s, want %s", test.fields, got, test.want)
		}
		r.RemoteAddr = "192.0.2.1:80"
		if got := proxies.ForwardedClient(r).String(); got != "192.0.2.1" {
			t.Errorf("%.60q from no proxy: got %s", test.fields, got)
		}
	}
}

// TestIdentify checks that forged robots are refused, except for robots.txt.
func TestIdentify(t *testing.T) {
	g := &guard.Guard{
		Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nDisallow: /private/\n"))),
		Client: guard.Proxies{netip.MustParsePrefix("10.0.0.0/8")}.Client,
		Identities: &guard.Identities{Verifier: &agent.Verifier{
			Folder: rangesFolder(t, `{"prefixes": [{"ipv4Prefix": "192.0.2.1/32"}]}`),
		}},
	}
	for _, test := range []struct {
		userAgent, client, target string
		action                    guard.Action
		reason                    guard.Reason
		identity                  agent.Result
	}{
		{gptBot, "192.0.2.1", "/x", guard.Pass, guard.ByRules, agent.Verified},
		{gptBot, "192.0.2.1", "/private/x", guard.Refuse, guard.ByRules, agent.Verified},
		{gptBot, "192.0.2.2", "/x", guard.Refuse, guard.Forged, agent.Forged},
		{gptBot, "192.0.2.2", "/robots.txt", guard.Pass, guard.Exempt, agent.Forged},
		{gptBot, "192.0.2.2", "/.well-known/../x", guard.Refuse, guard.Forged, agent.Forged},
		{image, "192.0.2.2", "/x", guard.Pass, guard.ByRules, agent.Unverifiable},
		{gptBot, "unknown", "/x", guard.Pass, guard.ByRules, agent.Unverifiable},
		{nobody, "192.0.2.2", "/x", guard.Pass, guard.ByRules, agent.Unverifiable},
		{firefox, "192.0.2.2", "/private/x", guard.Pass, guard.NoRobot, agent.Unverifiable},
	} {
		r := request(t, test.target, test.userAgent)
		r.RemoteAddr = "10.0.0.1:80"
		r.Header.Set("X-Forwarded-For", test.client)
		d := g.Decide(r)
		if d.Action != test.action || d.Reason != test.reason || d.Identity != test.identity {
			t.Errorf("%s of %.20s at %s: got %v for %v, %v", test.target, test.userAgent, test.client, d.Action,
				d.Reason, d.Identity)
		}
		if d.Reason == guard.Forged {
			w := httptest.NewRecorder()
			g.Answer(w, d)
			if w.Code != http.StatusForbidden ||
				!strings.Contains(w.Body.String(), "says that it is the robot GPTBot, but its address is not") {
				t.Errorf("got %d %q", w.Code, w.Body)
			}
		}
	}
}
