package agent_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// TestOwnTokens checks that a group with the literal product token of a robot's header reaches the
// header, by Policy.For and by Group, where crawler-user-agents says which word is the robot's. It
// leaves out headers whose robot Lookup finds by another word: that word is its token.
func TestOwnTokens(t *testing.T) {
	literal := regexp.MustCompile(`^\^?[A-Za-z][A-Za-z_-]*(?:\\?/)?$`)
	product := regexp.MustCompile(`[A-Za-z_-]+`)
	pairs := 0
	var own []string
	for _, robot := range crawlerUserAgentsList(t) {
		if !literal.MatchString(robot.Pattern) {
			continue
		}
		word := product.FindString(robot.Pattern)
		for _, header := range robot.Instances {
			for _, span := range product.FindAllStringIndex(header, -1) {
				token := header[span[0]:span[1]]
				if !strings.Contains(token, word) || span[1] < len(header) && header[span[1]] != '/' {
					continue
				}
				policy := robots.Parse([]byte("User-agent: *\nDisallow: /\n\nUser-agent: " + token + "\nAllow: /\n"))
				if policy.For(header).Token() != token {
					continue
				}
				a := agent.Lookup(header)
				if !strings.EqualFold(a.Token, token) && !(a.Known() && strings.EqualFold(a.Word, token)) {
					continue
				}
				pairs++
				if !strings.EqualFold(a.Token, token) {
					own = append(own, token)
				}
				if got := agent.Group(policy, header).Token(); got != token {
					t.Errorf("the group for %s does not reach %s, which Lookup takes for %s", token, header, a.Token)
				}
			}
		}
	}
	own = slices.Compact(slices.Sorted(slices.Values(own)))
	t.Log(pairs, "pairs; other words than the token:", own)
	if pairs < 1100 || len(own) < 10 {
		t.Errorf("only %d pairs, and %d robots with another word than their token", pairs, len(own))
	}
}

// TestOwnNames checks that a robot obeys the group of the name in its header before that of its
// token, and that its name alone does too.
func TestOwnNames(t *testing.T) {
	n := 0
	for name, a := range (*agent.Table)(nil).HeaderNames() {
		if len(a.Tokens()) == 1 || strings.EqualFold(name, a.Token) || strings.Contains(name, " ") {
			continue
		}
		n++
		group := "\nUser-agent: " + name + "\nAllow: /\n"
		token := "\nUser-agent: " + a.Token + "\nDisallow: /\n"
		for _, text := range []string{name, name + "/1.0",
			"Mozilla/5.0 (compatible; " + name + "/1.0; +https://a.example/)"} {
			for policy, want := range map[string]bool{token + group: true, token: false, group + token: true} {
				if got := agent.Group(robots.ParseString(policy), text).Allowed("/"); got != want {
					t.Errorf("%q under%s: got %t", text, policy, got)
				}
			}
		}
	}
	if n < 30 {
		t.Errorf("%d names", n)
	}
	for header, want := range map[string][]string{
		"Mozilla/5.0 (compatible; coccocbot-web2.0)":       {"coccocbot-web", "coccocbot"},
		"Mozilla/5.0 (compatible; Sogou web spider/4.0)":   {"Sogou"},
		"SAMSUNG-SGH-E250/1.0 (compatible; GPTBot/1.2)":    {"GPTBot"},
		"Go-http-client/1.1 (compatible; Daum/4.1)":        {"Daum", "Daumoa"},
		"Mozilla/5.0 (like Daum/4.1; compatible; CCBot/2)": {"CCBot"},
	} {
		if got := agent.Lookup(header).Tokens(); !slices.Equal(got, want) {
			t.Errorf("%q obeys %q, want %q", header, got, want)
		}
	}
}
