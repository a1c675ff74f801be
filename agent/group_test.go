package agent_test

import (
	"fmt"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

func ExampleGroup() {
	policy := robots.Parse([]byte("User-agent: *\nAllow: /\n\nUser-agent: Googlebot\nDisallow: /drafts/\n"))
	header := "Mozilla/5.0 (compatible; Googlebot-Image/1.0; +http://www.google.com/bot.html)"
	fmt.Println(agent.Group(policy, header).Match("/drafts/1"))

	// For takes product tokens only: this is the group for everyone.
	fmt.Println(policy.For(header).Match("/drafts/1"))
	// Output:
	// disallowed by line 5: Disallow: /drafts/
	// allowed by line 2: Allow: /
}

func TestGroup(t *testing.T) {
	const text = "User-agent: *\nDisallow: /all\n\nUser-agent: Googlebot\nDisallow: /g\n\nUser-agent: ExampleBot\nDisallow: /x\n\nUser-agent: Lookalike\nDisallow: /l\n"
	policy := robots.Parse([]byte(text))
	var table *agent.Table // that of the package
	for _, test := range []struct{ userAgent, token string }{
		{"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot"},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/120.0.0.0 Safari/537.36", "Googlebot"},
		{"googlebot", "Googlebot"},
		{" Googlebot/2.1 ", "Googlebot"},
		{"Googlebot-Image", "Googlebot"},
		{"Googlebot-Image/1.0", "Googlebot"},
		{"ExampleBot/1.0 (+https://example.com/bot)", "ExampleBot"},
		{"examplebot", "ExampleBot"},
		{"AdsBot-Google (+http://www.google.com/adsbot.html)", ""},
		{"AdsBot-Google", ""},
		{"Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0", "*"},
		{"OtherBot", "*"},
		{"*", "*"},
		{"", "*"},
		{"/", "*"},
		{"\x00(", "*"},
	} {
		if got := agent.Group(policy, test.userAgent).Token(); got != test.token {
			t.Errorf("%q has the group of %q, want %q", test.userAgent, got, test.token)
		}
		if got := table.Subject(test.userAgent).Group(policy).Token(); got != test.token {
			t.Errorf("the robot of %q has the group of %q, want %q", test.userAgent, got, test.token)
		}
		a := agent.Named(test.userAgent)
		if agent.IsHeader(test.userAgent) {
			a = agent.Lookup(test.userAgent)
		}
		if got := (agent.Subject{Tokens: a.Tokens(), Alone: !a.Everyone()}).Group(policy).Token(); got != test.token {
			t.Errorf("the agent of %q has the group of %q, want %q", test.userAgent, got, test.token)
		}
	}
}

// TestGroupOfAll finds each robot of the table by every form of its token, and checks that the
// robot obeys the group that names it.
func TestGroupOfAll(t *testing.T) {
	for a := range agent.All() {
		policy := robots.Parse([]byte("User-agent: *\nDisallow: /\n\nUser-agent: " + a.Token + "\nAllow: /\n"))
		for _, text := range []string{a.Token, a.Token + "/1.0"} {
			if got := agent.Group(policy, text); got.Token() != a.Token {
				t.Errorf("%q has the group of %q", text, got.Token())
			}
		}
		for _, fallback := range a.Tokens()[1:] {
			policy := robots.Parse([]byte("User-agent: *\nDisallow: /\n\nUser-agent: " + fallback + "\nAllow: /\n"))
			if got := agent.Group(policy, a.Token); got.Token() != fallback {
				t.Errorf("%q has the group of %q, want that of %q", a.Token, got.Token(), fallback)
			}
		}
	}
}
