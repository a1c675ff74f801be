package guard_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"
	gptBot  = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)"
	image   = "Googlebot-Image/1.0"
	adsBot  = "AdsBot-Google (+http://www.google.com/adsbot.html)"
	nobody  = "NobodyKnowsBot/1.0"
)

const text = `User-agent: *
Disallow: /private/

User-agent: GPTBot
Disallow: /
Allow: /open$

User-agent: Googlebot
Disallow: /google/
`

// request returns a request as a server reads it.
func request(t testing.TB, target, userAgent string) *http.Request {
	t.Helper()
	r := httptest.NewRequest("GET", "http://example.com/", nil)
	r.RequestURI = target
	r.Header.Set("User-Agent", userAgent)
	return r
}

func TestDecide(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text)))}
	for _, test := range []struct {
		userAgent, target string
		action            guard.Action
		reason            guard.Reason
		line              int
	}{
		{firefox, "/private/x", guard.Pass, guard.NoRobot, 0},
		{"curl/8.0", "/private/x", guard.Pass, guard.NoRobot, 0},
		{"", "/private/x", guard.Pass, guard.NoRobot, 0},
		{gptBot, "/x", guard.Refuse, guard.ByRules, 5},
		{gptBot, "/open", guard.Pass, guard.ByRules, 6},
		{gptBot, "/robots.txt", guard.Pass, guard.Exempt, 0},
		{gptBot, "/robots.txt?x", guard.Pass, guard.Exempt, 0},
		{gptBot, "/robots.txt/x", guard.Refuse, guard.ByRules, 5},
		{gptBot, "/.well-known/x", guard.Pass, guard.Exempt, 0},
		{gptBot, "/.well-known/../x", guard.Refuse, guard.ByRules, 5},
		{gptBot, "*", guard.Pass, guard.NoPath, 0},
		{gptBot, "example.com:443", guard.Pass, guard.NoPath, 0},
		{gptBot, "http://example.com", guard.Refuse, guard.ByRules, 5},
		{gptBot, "http://example.com/open", guard.Pass, guard.ByRules, 6},
		{gptBot, "http://example.com?x", guard.Refuse, guard.ByRules, 5},
		{image, "/google/x", guard.Refuse, guard.ByRules, 9}, // its fallback is Googlebot
		{image, "/private/x", guard.Pass, guard.ByRules, 0},
		{adsBot, "/private/x", guard.Pass, guard.ByRules, 0}, // it does not obey "*"
		{nobody, "/private/x", guard.Refuse, guard.ByRules, 2},
		{nobody, "/x", guard.Pass, guard.ByRules, 0},
		{nobody, "//private/x", guard.Refuse, guard.ByRules, 2},
		{nobody, "//host/private/x", guard.Pass, guard.ByRules, 0}, // a path of this host
		{nobody, "/a/../private/x", guard.Refuse, guard.ByRules, 2},
		{nobody, "/%2e/private/x", guard.Refuse, guard.ByRules, 2},
		{nobody, "/private%2fx", guard.Refuse, guard.ByRules, 2},
		{nobody, "/x#/private/", guard.Pass, guard.ByRules, 0},
		{nobody, "http://example.com/private/x", guard.Refuse, guard.ByRules, 2},
	} {
		d := g.Decide(request(t, test.target, test.userAgent))
		if d.Action != test.action || d.Reason != test.reason || d.Match.Rule.Line != test.line {
			t.Errorf("%s of %q: got %v for %v, line %d, want %v for %v, line %d",
				test.target, test.userAgent, d.Action, d.Reason, d.Match.Rule.Line, test.action, test.reason, test.line)
		}
	}
}

// TestLiteral checks that a literal guard compares the target as it was sent.
func TestLiteral(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text))), Literal: true}
	for target, want := range map[string]guard.Action{
		"/private/x": guard.Refuse, "//private/x": guard.Pass, "/a/../private/x": guard.Pass,
		"/private%2fx": guard.Pass,
	} {
		if got := g.Decide(request(t, target, nobody)).Action; got != want {
			t.Errorf("%s: got %v, want %v", target, got, want)
		}
	}
}

// TestZero checks that a guard without a policy lets all requests pass.
func TestZero(t *testing.T) {
	if d := new(guard.Guard).Decide(request(t, "/x", gptBot)); d.Action != guard.Pass {
		t.Errorf("got %v for %v", d.Action, d.Reason)
	}
}

// TestHandler checks the answers of a handler.
func TestHandler(t *testing.T) {
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "page") })
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text)))}
	observe := &guard.Guard{Policy: g.Policy, Observe: true}
	teapot := &guard.Guard{Policy: g.Policy, Status: http.StatusTeapot}
	for _, test := range []struct {
		guard     *guard.Guard
		userAgent string
		status    int
		body      string
	}{
		{g, firefox, 200, "page"},
		{g, gptBot, 403, `disallows "/<\nx" to the robot GPTBot: line 5, "Disallow: /". The rules are at /robots.txt`},
		{observe, gptBot, 200, "page"},
		{teapot, gptBot, 418, "418 I'm a teapot"},
	} {
		w := httptest.NewRecorder()
		test.guard.Handler(page).ServeHTTP(w, request(t, "/<\nx", test.userAgent))
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.body) {
			t.Errorf("%s: got %d %q, want %d with %q", test.userAgent, w.Code, w.Body, test.status, test.body)
		}
		if test.status >= 400 && w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: a cache may keep the answer: %v", test.userAgent, w.Header())
		}
	}
}

// TestFaults checks that faults of the guard let requests pass, or not if the guard fails closed,
// and never refuse people.
func TestFaults(t *testing.T) {
	for name, policy := range map[string]func(*http.Request) (*robots.Policy, error){
		"error": func(*http.Request) (*robots.Policy, error) { return nil, errors.New("broken") },
		"nil":   func(*http.Request) (*robots.Policy, error) { return nil, nil },
		"panic": func(*http.Request) (*robots.Policy, error) { panic("broken") },
	} {
		for _, test := range []struct {
			userAgent string
			closed    bool
			want      guard.Action
		}{{firefox, false, guard.Pass}, {gptBot, false, guard.Pass}, {firefox, true, guard.Pass},
			{gptBot, true, guard.Refuse}} {
			g := &guard.Guard{Policy: policy, FailClosed: test.closed}
			d := g.Decide(request(t, "/x", test.userAgent))
			if d.Action != test.want || d.Reason != guard.Fault || d.Err == nil {
				t.Errorf("%s of %s, closed %v: got %v for %v, %v", name, test.userAgent, test.closed, d.Action,
					d.Reason, d.Err)
			}
			w := httptest.NewRecorder()
			g.Answer(w, d)
			if d.Action == guard.Refuse && w.Code != http.StatusServiceUnavailable {
				t.Errorf("%s: got the status %d", name, w.Code)
			}
		}
	}
}

// TestTable checks that a guard knows the robots of its own table.
func TestTable(t *testing.T) {
	table, err := agent.ParseTable([]byte(`{"robots": [{"token": "Gizmo", "fallback": ["GPTBot"]}]}`))
	fatal.If(t, err)
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text))), Robots: table}
	if d := g.Decide(request(t, "/x", "Gizmo/1.0")); d.Action != guard.Refuse || d.Robot.Token != "Gizmo" {
		t.Errorf("got %v for %v, robot %q", d.Action, d.Reason, d.Robot.Token)
	}
}

// TestManyPolicies checks that answers stay right with more policies than a guard remembers.
func TestManyPolicies(t *testing.T) {
	var policies []*robots.Policy
	for i := range 40 {
		policies = append(policies, robots.Parse([]byte("User-agent: *\nDisallow: /"+strings.Repeat("x", i+1)+"$\n")))
	}
	at := 0
	g := &guard.Guard{Policy: func(*http.Request) (*robots.Policy, error) { return policies[at], nil }}
	for range 3 {
		for at = range policies {
			for i := range 3 {
				want := guard.Pass
				if i == 1 {
					want = guard.Refuse
				}
				if got := g.Decide(request(t, "/"+strings.Repeat("x", at+i), nobody)).Action; got != want {
					t.Errorf("policy %d, %d: got %v, want %v", at, i, got, want)
				}
			}
		}
	}
}

// TestHostileHeaders checks that answers show texts of strangers escaped and cut.
func TestHostileHeaders(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nDisallow: /\x1b[2J\xff\n")))}
	for _, name := range []string{"\x1b[31mbot", "evil\u202ebot", "bot\xff\xfe", strings.Repeat("x", 1<<20) + "bot",
		"<script>bot</script>"} {
		w := httptest.NewRecorder()
		g.Handler(http.NotFoundHandler()).ServeHTTP(w, request(t, "/\x1b[2J\xff"+strings.Repeat("\x00", 1000), name))
		if w.Code == http.StatusNotFound {
			continue // no robot to package agent
		}
		if b := w.Body.Bytes(); len(b) > 2000 || bytes.ContainsAny(b, "\x1b\x00\u202e") ||
			!bytes.HasSuffix(b, []byte("\n")) {
			t.Errorf("%.20q: got %d bytes: %.300q", name, len(b), b)
		}
	}
}

// A robot whose header has another name than its token obeys the group of that name, if there is
// one, whatever header of its token came before.
func TestOwnNames(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.ParseString("User-agent: *\nDisallow: /\n\n" +
		"User-agent: coccocbot-web\nAllow: /\n\nUser-agent: Exabot-Images\nDisallow: /\n\nUser-agent: Exabot\nAllow: /\n"))}
	for range 2 {
		for _, test := range []struct {
			name   string
			action guard.Action
		}{
			{"coccocbot-image", guard.Refuse}, {"coccocbot-web", guard.Pass}, {"COCCOCBOT-WEB", guard.Pass},
			{"Exabot", guard.Pass}, {"Exabot-Images", guard.Refuse}, {"Exabot-Thumbnails", guard.Pass},
		} {
			d := g.Decide(request(t, "/x", "Mozilla/5.0 (compatible; "+test.name+"/1.0; +https://a.example/)"))
			if d.Action != test.action {
				t.Errorf("%s: got %v, want %v", test.name, d.Action, test.action)
			}
		}
	}
}

// TestSeveralAgents checks that a robot does not pass by another User-Agent header before its own,
// or after it.
func TestSeveralAgents(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text)))}
	people := make([]string, 40)
	for i := range people {
		people[i] = fmt.Sprintf("Mozilla/5.0 (X11; Linux x86_64; rv:1%[1]d.0) Gecko/20100101 Firefox/1%[1]d.0", i+10)
	}
	const device = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) " +
		"Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0"
	open := slices.Repeat([]string{"Googlebot/2.1"}, 10) // its group allows the page
	for i := range open {
		open[i] = fmt.Sprintf("Googlebot/2.%d", i)
	}
	for _, test := range []struct {
		headers []string
		refused bool
	}{
		{slices.Concat(people[:7], []string{device, gptBot}), true},
		{slices.Concat(people[:7], []string{device, gptBot, firefox}), true},
		{slices.Concat(people[:7], []string{"UptimeRobot/2.0", gptBot}), true},
		{slices.Concat(people, []string{gptBot}, people), true},
		{slices.Concat(people, []string{device, "UptimeRobot/2.0", device}, people), false},
		{slices.Concat(open[:7], []string{device, gptBot}), true},
		{open[:8], false},
		{slices.Concat(open[:8], people), false},
		{open, true},
		{people, false},
		{[]string{"", gptBot}, true},
		{[]string{firefox, gptBot}, true},
		{[]string{gptBot, firefox}, true},
		{[]string{"curl/8.0", nobody}, true},
		{append(slices.Repeat([]string{firefox}, 40), gptBot), true},
		{append(slices.Repeat([]string{"curl/8.0"}, 40), gptBot, "x"), true},
		{[]string{firefox, firefox}, false},
		{[]string{firefox, "curl/8.0"}, false},
		{slices.Repeat([]string{firefox}, 40), false},
	} {
		r := request(t, "/private/page", "")
		r.Header["User-Agent"] = test.headers
		if d := g.Decide(r); (d.Action == guard.Refuse) != test.refused ||
			len(r.Header["User-Agent"]) != len(test.headers) {
			t.Errorf("%.60q: got %+v", test.headers, d)
		}
		r.RequestURI = "/robots.txt"
		if d := g.Decide(r); d.Action != guard.Pass {
			t.Errorf("%.60q: /robots.txt: got %+v", test.headers, d)
		}
	}
}

// TestAbsoluteForm checks the paths of targets with a scheme, as Apache httpd and net/http find
// them.
func TestAbsoluteForm(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nDisallow: /private/\nDisallow: /?y\n")))}
	for target, refused := range map[string]bool{"http://h/private/x": true, "HTTPS://u@h:1/private/x": true,
		"foo:/private/x": true, "http:/private/x": true, "foo:////private/x": true, "http:///private/x": true,
		"x:/%2e/private/x": true, "http://h/x/../private/x": true, "http://h?y": true, "x:?y": true, "x:": false,
		"http://h": false, "http://h?/private/": false, "http://h/x:/private/": false, "/x:/private/x": false} {
		r := request(t, "/", nobody)
		r.RequestURI = target
		if d := g.Decide(r); (d.Action == guard.Refuse) != refused {
			t.Errorf("%s: got %+v", target, d)
		}
	}
}
