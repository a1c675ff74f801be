package main

import (
	"testing"

	"github.com/robotsexclusion/robots"
)

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"
	gptBot  = "GPTBot/1.0"
	other   = "NobodyKnowsBot/1.0"
)

// TestRefusers checks what the guard and the policy of Anubis' tool refuse, as the comparison asks
// them.
func TestRefusers(t *testing.T) {
	policy := robots.Parse([]byte("User-agent: GPTBot\nDisallow: /ai/\nAllow: /ai/open\n\nUser-agent: *\nDisallow: /private/*.php$\n"))
	for _, test := range []struct {
		header, target string
		guard, anubis  bool
	}{
		{gptBot, "/ai/x", true, true},
		{gptBot, "/ai/open", false, true}, // Anubis has no Allow
		{gptBot, "/private/a.php", false, false},
		{other, "/private/a.php", true, false}, // and no "$"
		{firefox, "/private/a.php", false, false},
		{"curl/8.0 GPTBot", "/ai/x?y", true, true},
		{gptBot, "/robots.txt", false, false},
		{gptBot, "/.well-known/x", false, false},
	} {
		for name, refuses := range map[string]refuser{"guard": byGuard(), "Anubis": byAnubis()} {
			want := test.guard
			if name == "Anubis" {
				want = test.anubis
			}
			if got, judged := refuses(policy, test.header, test.target); got != want || !judged {
				t.Errorf("%s: %s of %s: got %t, judged %t, want %t", name, test.target, test.header, got, judged, want)
			}
		}
	}
}

// TestCompare checks the counts of products of which it is plain what they get wrong.
func TestCompare(t *testing.T) {
	files := []*robots.Policy{robots.Parse([]byte("User-agent: *\nDisallow: /private/\n"))}
	people, crawlers := []string{firefox}, []string{other}
	always := func(refused bool) refuser {
		return func(*robots.Policy, string, string) (bool, bool) { return refused, true }
	}
	for _, test := range []struct {
		product                 product
		people, many, few, file bool // all are wrong, or none
	}{
		{product{"guard", 1, byGuard()}, false, false, false, false},
		{product{"wall", 1, always(true)}, true, true, false, true},
		{product{"gate", 1, always(false)}, false, false, true, false},
	} {
		c := test.product.compare(files, people, crawlers)
		for name, got := range map[string]struct {
			share
			all bool
		}{"people": {c.people, test.people}, "many": {c.many, test.many}, "few": {c.few, test.few},
			"file": {c.file, test.file}} {
			want := 0
			if got.all {
				want = got.share.all
			}
			if got.some != want || got.share.all == 0 {
				t.Errorf("%s, %s: got %v, want %d", test.product.name, name, got.share, want)
			}
		}
	}
	nothing := product{"blind", 1, func(*robots.Policy, string, string) (bool, bool) { return true, false }}
	if c := nothing.compare(files, people, crawlers); c.people.all+c.many.all+c.few.all+c.file.all > 0 {
		t.Errorf("requests that were not judged are counted: %v", c)
	}
}
