package robots_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots"
)

func parse(text string) *robots.Policy { return robots.Parse([]byte(text)) }

func TestZeroValues(t *testing.T) {
	var policy robots.Policy
	var group robots.Group
	for name, g := range map[string]*robots.Group{
		"group of the zero policy": policy.For("FooBot"),
		"zero group":               &group,
		"group of no name":         parse("User-agent: a\nDisallow: /\n").For(),
		"group of an empty file":   parse("").For("FooBot"),
		"group of nil":             robots.Parse(nil).For("*"),
	} {
		if m := g.Match("/x"); !m.Allowed || m.Reason != robots.NoGroup || m.Rule != (robots.Rule{}) {
			t.Errorf("%s: /x is %v, want allowed without a group", name, m)
		}
		if e := g.Explain("/x"); !e.Match.Allowed || len(e.Candidates) > 0 {
			t.Errorf("%s: Explain says %v", name, e)
		}
		if g.Token() != "" || g.Line() != 0 || len(g.Agents()) > 0 || len(g.Records()) > 0 {
			t.Errorf("%s: Token %q, Line %d, Agents %q, Records %v", name, g.Token(), g.Line(), g.Agents(), g.Records())
		}
		if _, ok := g.CrawlDelay(); ok || g.Usage("/", "search") != robots.Unknown || len(g.Licenses()) > 0 {
			t.Errorf("%s: it has records", name)
		}
	}
	for range policy.Lines() {
		t.Error("the zero policy has a line")
	}
	if len(policy.Groups()) > 0 || len(policy.Sitemaps()) > 0 || policy.Dialect() != robots.RFC9309 {
		t.Error("the zero policy is not empty")
	}
}

// RFC 9309, sections 2.3.1.3 and 2.3.1.4.
func TestNoFile(t *testing.T) {
	for _, test := range []struct {
		policy *robots.Policy
		url    string
		want   string
	}{
		{robots.AllowAll(), "/x", "allowed: there is no robots.txt"},
		{robots.DisallowAll(), "/x", "disallowed: robots.txt is unreachable"},
		{robots.DisallowAll(), "http://h/robots.txt#x", "allowed: /robots.txt itself always is"},
		{robots.DisallowAll().In(robots.Google), "/robots.txt", "disallowed: robots.txt is unreachable"},
	} {
		if got := test.policy.For("FooBot").Match(test.url).String(); got != test.want {
			t.Errorf("%s is %q, want %q", test.url, got, test.want)
		}
	}
}

func TestFor(t *testing.T) {
	policy := parse("User-agent: Googlebot\nUser-agent: b\nDisallow: /1\n\nUser-agent: *\nDisallow: /2\nuser-agent: GOOGLEBOT/2.1 x\nDisallow: /3\n")
	for _, test := range []struct {
		tokens []string
		token  string
		agents string
		line   int
	}{
		{[]string{"Googlebot-Image", "Googlebot"}, "Googlebot", "Googlebot b GOOGLEBOT", 1},
		{[]string{"googlebot/2.1 (+http://h/)"}, "Googlebot", "Googlebot b GOOGLEBOT", 1},
		{[]string{"B"}, "b", "Googlebot b", 1},
		{[]string{"c", ""}, "*", "*", 5},
		{[]string{"*", "b"}, "b", "Googlebot b", 1},
	} {
		g := policy.For(test.tokens...)
		if g.Token() != test.token || strings.Join(g.Agents(), " ") != test.agents || g.Line() != test.line {
			t.Errorf("For(%q) is %q for %q from line %d on, want %q for %q, %d",
				test.tokens, g.Token(), g.Agents(), g.Line(), test.token, test.agents, test.line)
		}
	}
	g := policy.For("Googlebot")
	if g.Allowed("/1") || !g.Allowed("/2") || g.Allowed("/3") {
		t.Error("groups of one agent are not combined")
	}
	groups := policy.Groups()
	if len(groups) != 3 || groups[0].Allowed("/1") || !groups[0].Allowed("/3") || groups[2].Token() != "GOOGLEBOT" {
		t.Errorf("%d groups, not as written", len(groups))
	}
}

// After some searches, a map finds the groups of many agents. The answer must stay the same.
// ForOnly is for a robot that does not obey the group for everyone.
func TestForOnly(t *testing.T) {
	policy := parse("User-agent: *\nDisallow: /\nUser-agent: AdsBot-Google\nDisallow: /ads/\n")
	for _, test := range []struct {
		tokens []string
		url    string
		want   string
	}{
		{[]string{"AdsBot-Google"}, "/ads/x", "disallowed by line 4: Disallow: /ads/"},
		{[]string{"AdsBot-Google"}, "/x", "allowed: no rule of the group matches"},
		{[]string{"AdsBot-Google-Mobile", "AdsBot-Google"}, "/ads/x", "disallowed by line 4: Disallow: /ads/"},
		{[]string{"Mediapartners-Google"}, "/x", "allowed: no group is for this robot"},
		{[]string{"*"}, "/x", "allowed: no group is for this robot"},
		{nil, "/x", "allowed: no group is for this robot"},
	} {
		if got := policy.ForOnly(test.tokens...).Match(test.url).String(); got != test.want {
			t.Errorf("ForOnly(%q): %s is %q, want %q", test.tokens, test.url, got, test.want)
		}
	}
}

func TestForAmongMany(t *testing.T) {
	policy := parse(manyAgents(1000) + "\nUser-agent: BOT7\nDisallow: /y\n")
	for range 3 {
		for i := range 40 {
			if g := policy.For(strings.ToUpper(agentName(i))); g.Token() != agentName(i) || g.Allowed("/y") != (i != 7) {
				t.Fatalf("agent %d has the group of %q", i, g.Token())
			}
		}
		if g := policy.For("nobody"); g.Token() != "*" {
			t.Fatalf("nobody has the group of %q", g.Token())
		}
	}
}

func TestDialectNames(t *testing.T) {
	for _, d := range robots.Dialects() {
		if got, err := robots.ParseDialect(d.String()); err != nil || got != d {
			t.Errorf("%v reads back as %v, %v", d, got, err)
		}
		if got, err := robots.ParseDialect(strings.ToUpper(d.String())); err != nil || got != d {
			t.Errorf("ParseDialect(%q) = %v, %v", strings.ToUpper(d.String()), got, err)
		}
		if p := parse("x").In(d); p.Dialect() != d || p.String() != "x" {
			t.Errorf("In(%v) is %v of %q", d, p.Dialect(), p)
		}
	}
	if _, err := robots.ParseDialect("bing"); err == nil || !strings.Contains(err.Error(), "koster1996") {
		t.Errorf("ParseDialect(bing): %v, want an error that names the dialects", err)
	}
}

// Text of a file must be escaped before it reaches a terminal.
func TestHostileText(t *testing.T) {
	policy := parse("User-agent: *\nDisallow: /\x1b[31m\x00\u202e\xff\"é\u009b\U000e0001\nX-\x07: \x1b]0;x\x07\n")
	match := policy.For("a").Match("/%1b[31m")
	if match = policy.For("a").Match("/\x1b[31m\x00\u202e\xff\"é\u009b\U000e0001"); match.Allowed {
		t.Fatal("the rule does not match its own path")
	}
	if got, want := match.String(), `disallowed by line 2: Disallow: /\x1b[31m\x00\u202e\xff"é\u009b\U000e0001`; got != want {
		t.Errorf("the match prints as %q, want %q", got, want)
	}
	if got, want := policy.Records()[0].String(), `X-\a: \x1b]0;x\a`; got != want {
		t.Errorf("the record prints as %q, want %q", got, want)
	}
	data, err := json.Marshal(match)
	var back struct{ Rule string }
	if err != nil || json.Unmarshal(data, &back) != nil || back.Rule != "Disallow: /\x1b[31m\x00\u202e\ufffd\"é\u009b\U000e0001" ||
		slices.ContainsFunc([]rune(string(data)), func(c rune) bool { return !strconv.IsGraphic(c) }) {
		t.Errorf("the match is %s in JSON, %v", data, err)
	}
}

func TestMatchJSON(t *testing.T) {
	group := parse("User-agent: *\nDisallow: /\"x\nAllow: /y&\n").For("a")
	for url, want := range map[string]string{
		`/"x`:         `{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /\"x"}`,
		"/z":          `{"allowed":true,"reason":"no-rule"}`,
		"/robots.txt": `{"allowed":true,"reason":"robots-file"}`,
	} {
		if got, err := json.Marshal(group.Match(url)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", url, got, err, want)
		}
	}
	data, err := json.Marshal(group.Explain(`/"x`))
	var back map[string]any
	if err != nil || json.Unmarshal(data, &back) != nil || back["candidates"] == nil {
		t.Errorf("the explanation is %s in JSON, %v", data, err)
	}
}

// A policy and its groups are safe to share, also while indexes are built.
func TestConcurrentUse(t *testing.T) {
	policy := robots.Parse(literals(2000))
	shared := policy.For("FooBot")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			own := policy.For("FooBot")
			for range 50 {
				if own.Allowed("/products/item-1/") != shared.Allowed("/products/item-1/") {
					t.Error("two groups of one robot disagree")
				}
				policy.For("bot").Explain("/")
			}
		})
	}
	wait.Wait()
}
