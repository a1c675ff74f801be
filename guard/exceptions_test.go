package guard_test

import (
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
)

const stripe = "Stripe/1.0 (+https://stripe.com/docs/webhooks)"

// TestMethods checks that webhooks and the cron of a site pass, because they send POST, and that
// HEAD is enforced as GET is.
func TestMethods(t *testing.T) {
	policy := guard.Fixed(robots.Parse([]byte("User-agent: *\nDisallow: /*?\nDisallow: /private/\n")))
	usual := &guard.Guard{Policy: policy}
	strict := &guard.Guard{Policy: policy, Methods: []string{"GET", "HEAD", "POST"}}
	all := &guard.Guard{Policy: policy, Methods: []string{"all"}}
	bare := &guard.Guard{Policy: policy, Methods: []string{"GET"}}
	for _, test := range []struct {
		guard                     *guard.Guard
		method, target, userAgent string
		exception                 string // "" if the request is refused
	}{
		{usual, "POST", "/wp-cron.php?doing_wp_cron=1", nobody, "method POST"},
		{usual, "POST", "/?wc-api=wc_stripe", stripe, "method POST"},
		{usual, "OPTIONS", "/private/x", gptBot, "method OPTIONS"},
		{usual, "DELETE", "/private/x", gptBot, "method DELETE"},
		{usual, "GOT", "/private/x", gptBot, "method other"},
		{usual, "get", "/private/x", gptBot, ""},
		{usual, "post", "/private/x", gptBot, "method other"},
		{usual, "GET", "/private/x", gptBot, ""},
		{usual, "HEAD", "/private/x", gptBot, ""},
		{usual, "", "/private/x", gptBot, ""}, // GET of a client
		{strict, "POST", "/private/x", gptBot, ""},
		{strict, "PUT", "/private/x", gptBot, "method PUT"},
		{all, "PUT", "/private/x", gptBot, ""},
		{all, "GOT", "/private/x", gptBot, ""},
		{bare, "HEAD", "/private/x", gptBot, "method HEAD"},
		{bare, "GET", "/private/x", gptBot, ""},
	} {
		r := request(t, test.target, test.userAgent)
		r.Method = test.method
		d := test.guard.Decide(r)
		if d.Exception != test.exception || (d.Action == guard.Pass) != (test.exception != "") ||
			(d.Reason == guard.Excepted) != (test.exception != "") {
			t.Errorf("%s %s: got %v for %v, exception %q, want %q", test.method, test.target, d.Action, d.Reason,
				d.Exception, test.exception)
		}
	}
}

// TestPassPaths checks that a path exception holds for no target that any server may read as
// another path.
func TestPassPaths(t *testing.T) {
	g := &guard.Guard{
		Policy:    guard.Fixed(robots.Parse([]byte("User-agent: *\nDisallow: /\n"))),
		PassPaths: []string{"/webhook", "/api/v1.2/", "/", "/*", "/x/../y", "relative"},
	}
	for target, want := range map[string]string{
		"/webhook": "path /webhook", "/webhook/": "path /webhook", "/webhook/stripe": "path /webhook",
		"/webhook?x=/../private": "path /webhook", "/webhook/a.b..c/d%20e%C3%A9": "path /webhook",
		"/webhook//x": "path /webhook", "http://example.com/webhook/x": "path /webhook",
		"/api/v1.2/x": "path /api/v1.2/", "/api/v1.2/": "path /api/v1.2/",
		"/webhooks": "", "/webhook.php": "", "/Webhook": "", "/api/v1.2": "", "/api/v1x2/x": "", "/": "", "/x": "",
		"//webhook/x": "", "/./webhook": "", "/a/../webhook": "", "/y": "", "/private?/webhook/": "",
		"/webhook/../private": "", "/webhook/..": "", "/webhook/./x": "", "/webhook/.env": "",
		"/webhook//../private": "", "/webhook/x/../../private": "", "/webhook/..%2fprivate": "",
		"/webhook/%2e%2e/private": "", "/webhook/.%2E/private": "", "/webhook%2f..%2fprivate": "",
		"/webhook/%252e%252e/private": "", "/webhook/%%32%65%%32%65/private": "", "/webhook/..%5cprivate": "",
		`/webhook/..\private`: "", `/webhook\..\private`: "", "/webhook/..;/private": "", "/webhook;/../private": "",
		"/webhook/a;/../../private": "", "/webhook/%c0%ae%c0%ae/private": "", "/webhook/%u002e%u002e/private": "",
		"/webhook/..%00/private": "", "/webhook/%0d%0ax": "", "/webhook#/../private": "", "/webhook/x%": "",
		"/webhook/\xc0\xae\xc0\xae/private": "", "/webhook/ ../private": "", "/webhook/%EF%BC%8E": "path /webhook",
		"/webhook/" + strings.Repeat("a/", 30_000) + "../private": "",
	} {
		d := g.Decide(request(t, target, gptBot))
		if d.Exception != want || (d.Action == guard.Pass) != (want != "") {
			t.Errorf("%.60q: got %v by %q, want %q", target, d.Action, d.Exception, want)
		}
	}
}

// TestPassHeadersAndAddresses checks exceptions by header and address, for forged robots, for paces
// and in faults too.
func TestPassHeadersAndAddresses(t *testing.T) {
	policy := robots.Parse([]byte("User-agent: *\nCrawl-delay: 3600\nDisallow: /private/\n"))
	proxies := guard.Proxies{netip.MustParsePrefix("10.0.0.1/32")}
	options := guard.Guard{
		PassHeaders:   http.Header{"x-token": {"s3cret", "other"}, "X-Empty": {""}},
		PassAddresses: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32")},
		Client:        proxies.Client, FailClosed: true,
	}
	for _, fails := range []bool{false, true} {
		g := &guard.Guard{PassHeaders: options.PassHeaders, PassAddresses: options.PassAddresses,
			Client: options.Client, FailClosed: true, Policy: guard.Fixed(policy)}
		if fails {
			g.Policy = func(*http.Request) (*robots.Policy, error) { return nil, errors.New("broken") }
		}
		for _, test := range []struct {
			peer, forwarded, name, value string
			want                         string
		}{
			{"198.51.100.1:1", "", "X-Token", "s3cret", "header X-Token"},
			{"198.51.100.1:1", "", "X-Token", "other", "header X-Token"},
			{"198.51.100.1:1", "", "X-Token", "s3cre", ""},
			{"198.51.100.1:1", "", "X-Token", "S3cret", ""},
			{"198.51.100.1:1", "", "X-Token", "s3cret, x", ""},
			{"198.51.100.1:1", "", "X-Token", "", ""},
			{"198.51.100.1:1", "", "X-Empty", "", ""},
			{"198.51.100.1:1", "", "X-Tokens", "s3cret", ""},
			{"192.0.2.7:1", "", "X", "", "address 192.0.2.0/24"},
			{"[2001:db8::1]:1", "", "X", "", "address 2001:db8::/32"},
			{"[::ffff:192.0.2.7]:1", "", "X", "", "address 192.0.2.0/24"},
			{"198.51.100.1:1", "192.0.2.7", "X", "", ""}, // no proxy
			{"10.0.0.1:1", "192.0.2.7", "X", "", "address 192.0.2.0/24"},
			{"10.0.0.1:1", "192.0.2.7, 198.51.100.1", "X", "", ""},
			{"10.0.0.1:1", "192.0.2.7, unknown", "X", "", ""},
		} {
			for range 2 { // an exception keeps no pace
				r := request(t, "/private/x", gptBot)
				r.RemoteAddr = test.peer
				r.Header.Set(test.name, test.value)
				if test.forwarded != "" {
					r.Header.Set("X-Forwarded-For", test.forwarded)
				}
				if d := g.Decide(r); d.Exception != test.want || (d.Action == guard.Pass) != (test.want != "") {
					t.Errorf("fails %v, %+v: got %v by %q", fails, test, d.Action, d.Exception)
				}
			}
		}
	}
	g := &guard.Guard{Policy: guard.Fixed(policy), PassAddresses: options.PassAddresses, FailClosed: true,
		Client: func(*http.Request) netip.Addr { panic("broken") }}
	if d := g.Decide(request(t, "/private/x", gptBot)); d.Action != guard.Refuse {
		t.Errorf("a guard that fails closed: got %v after a panic", d.Action)
	}
}

// TestExceptedMatch checks that a decision by an exception says what robots.txt says, and that the
// request does not count for the pace.
func TestExceptedMatch(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nCrawl-delay: 3600\nDisallow: /hook\n"))),
		PassPaths: []string{"/hook"}}
	for range 3 {
		if d := g.Decide(request(t, "/hook", gptBot)); d.Action != guard.Pass || d.Match.Rule.Line != 3 {
			t.Errorf("got %v by line %d", d.Action, d.Match.Rule.Line)
		}
	}
	for i, want := range []guard.Action{guard.Pass, guard.Slow} {
		if d := g.Decide(request(t, "/x", nobody)); d.Action != want {
			t.Errorf("request %d: got %v, want %v", i, d.Action, want)
		}
	}
}
