package card

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
)

// states returns the state of each robot on a card.
func states(c *Card) map[string]string {
	all := map[string]string{"*": c.Everyone.State}
	lists := [][]Says{c.Named}
	for _, p := range c.Purposes {
		lists = append(lists, p.Says)
	}
	for _, says := range lists {
		for _, s := range says {
			for _, name := range s.Robots {
				all[name] = s.State
			}
		}
	}
	return all
}

// TestStates compares the states of real files with what package proof proves in another way.
func TestStates(t *testing.T) {
	corpus.Unraced(t)
	var claims, tokens = "", []string{"*", "GPTBot", "Googlebot", "bingbot", "CCBot", "AdsBot-Google",
		"Googlebot-Image", "AhrefsBot", "archive.org_bot", "Twitterbot"}
	for _, token := range tokens {
		claims += token + " may fetch /\n" + token + " may not fetch /\n"
	}
	asked, err := proof.ParseClaims(claims)
	fatal.If(t, err)
	counts := make(map[string]int)
	for _, f := range corpus.Sample(t, corpus.Cases(100, 3000)) {
		p := robots.Parse(f.Data)
		c := &Card{}
		c.says(p, nil)
		got := states(c)
		proofs, _ := proof.Prove(p, asked, proof.Options{})
		for i, token := range tokens {
			open, closed := proofs[2*i], proofs[2*i+1]
			state, ok := got[token]
			if !ok {
				continue // not on the card
			}
			counts[state]++
			if state == Undecided || !open.Decided || !closed.Decided {
				continue
			}
			if (state == Open) != open.Holds || (state == Closed) != closed.Holds {
				t.Errorf("%s: %s is %s, but proof says open %v (%s), closed %v (%s)", f.Name, token, state, open.Holds,
					open.Witness, closed.Holds, closed.Witness)
			}
		}
	}
	t.Log(counts)
	for _, state := range []string{Open, Closed, OpenExcept, ClosedExcept} {
		if counts[state] == 0 {
			t.Errorf("no robot has the state %s", state)
		}
	}
}

// TestSays has the groups whose state is not that of their longest or of their first rule.
func TestSays(t *testing.T) {
	for _, test := range []struct{ rules, state, patterns string }{
		{"", Open, ""},
		{"Disallow:", Open, ""},
		{"Disallow: /", Closed, ""},
		{"Disallow: *", Closed, ""},
		{"Disallow: /*", Closed, ""},
		{"Disallow: */", Closed, ""},
		{"Disallow: /*$", Closed, ""},
		{"Disallow: /$", OpenExcept, "/$"},
		{"Disallow: /\nAllow: /", Open, ""},
		{"Allow: /\nDisallow: /", Open, ""},
		{"Allow: /\nDisallow: /*/", OpenExcept, "/*/"},
		{"Disallow: /a\nAllow: /a", Open, ""},
		{"Disallow: /a\nAllow: /", OpenExcept, "/a"},
		{"Disallow: /a/b\nAllow: /a/b*", Open, ""},
		{"Disallow: /\nAllow: /public/", ClosedExcept, "/public/"},
		{"Disallow: /\nDisallow: /public/a\nAllow: /public/", ClosedExcept, "/public/"},
		{"Disallow: /\nDisallow: /public/\nAllow: /public", ClosedExcept, "/public"},
		{"Disallow: /\nDisallow: /public/\nAllow: /publi*", ClosedExcept, "/publi*"},
		{"Disallow: /\nAllow: /robots.txt$", Closed, ""},
		{"Disallow: /robots.txt$", Open, ""},
		{"Disallow: /robots.txt", OpenExcept, "/robots.txt"},
		{"Disallow: /x\nDisallow: /x\nDisallow: /X", OpenExcept, "/x /X"},
		{"Disallow: /*.pdf$\nAllow: /*.pdf", OpenExcept, "/*.pdf$"},
		{"Disallow: /*.pdf\nAllow: /*.pdf$", OpenExcept, "/*.pdf"},
		{"Disallow: no/slash", Open, ""},
	} {
		c := Make(robots.ParseString("User-agent: *\n"+test.rules+"\n"), Options{Subject: "robots.txt"})
		got := c.Everyone
		if got.State != test.state || strings.Join(got.Patterns, " ") != test.patterns || got.AtMost {
			t.Errorf("%q: %+v, want %s %s", test.rules, got, test.state, test.patterns)
		}
	}
}

// hostile returns texts written to take long, or to do harm on a terminal.
func hostile(n int) map[string]string {
	var named, combined, wild, beaten strings.Builder
	for i := range n {
		fmt.Fprintf(&named, "User-agent: bot%d\nDisallow: /%d\n", i, i)
		fmt.Fprintf(&combined, "User-agent: bot%d\n", i)
		fmt.Fprintf(&wild, "Disallow: /*%d*a*b*%d\nAllow: /*%d*b*a*%d\n", i, i, i, n-i)
		fmt.Fprintf(&beaten, "Disallow: /%d/*a\nAllow: /%d/*a*\nAllow: /%d/*\n", i, i, i)
	}
	rules := strings.Repeat("Disallow: /a\nAllow: /a/b\n", n)
	combined.WriteString(rules)
	for i := range n {
		fmt.Fprintf(&combined, "User-agent: bot%d\nDisallow: /%d\n", i, i)
	}
	stars := strings.Repeat("*a", n)
	return map[string]string{
		"names":    named.String(),
		"combined": combined.String(),
		"wild":     "User-agent: *\n" + wild.String(),
		"closed":   "User-agent: *\nDisallow: /\n" + wild.String(),
		"beaten":   "User-agent: *\n" + beaten.String(),
		"stars":    "User-agent: *\nDisallow: /" + stars + "\nAllow: /" + stars + "*\n",
		"escapes": "User-agent: \x1b[31mBot\x07\nDisallow: /\x1b]0;x\x07\u202e\nSitemap: https://a.example/\x1b[2J\n" +
			"\x1b[31mnothing: x\n",
	}
}

// TestHostile makes cards of such texts, whose size is bounded whatever they say.
func TestHostile(t *testing.T) {
	corpus.Unraced(t)
	n := corpus.Cases(150, 10000)
	for name, text := range hostile(n) {
		c := Make(robots.ParseString(text), Options{Subject: "\x1b[31m.txt"})
		b, err := json.Marshal(c)
		fatal.If(t, err)
		t.Logf("%s: %d bytes of text, %d of JSON: %s", name, len(text), len(b), c.Everyone.State)
		if name == "combined" && c.Everyone.State != Open {
			t.Errorf("no group is for everyone, and the card says %s", c.Everyone.State)
		}
		if len(b) > 256<<10 {
			t.Errorf("%s: the card has %d bytes", name, len(b))
		}
		if !printable.IsText(fmt.Sprintf("%+v", c)) {
			t.Errorf("%s: the card has control characters", name)
		}
		if len(c.Next) > maxNext || len(c.Next) == 0 {
			t.Errorf("%s: %d commands", name, len(c.Next))
		}
	}
}

// TestUndecided makes the card of texts whose proofs take too many cases: it says so, and does not
// guess.
func TestUndecided(t *testing.T) {
	corpus.Unraced(t)
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range 200 {
		fmt.Fprintf(&b, "Disallow: /*%d*a*b\nAllow: /*%d*a*b*\n", i, i) // the longer Allow always wins
	}
	c := Make(robots.ParseString(b.String()), Options{Subject: "robots.txt"})
	if s := c.Everyone; s.State == OpenExcept && !s.AtMost || s.State == Closed || s.State == ClosedExcept {
		t.Errorf("%+v", s)
	}
	b.Reset()
	for i := range 3000 { // many rules for many robots
		fmt.Fprintf(&b, "User-agent: bot%d\n", i)
	}
	for i := range 500 {
		fmt.Fprintf(&b, "Disallow: /%d\n", i)
	}
	for i := range 3000 {
		fmt.Fprintf(&b, "User-agent: bot%d\nDisallow: /x%d\n", i, i)
	}
	e := &Card{}
	e.says(robots.ParseString(b.String()), nil)
	counts := make(map[string]int)
	for _, s := range e.Named {
		counts[s.State] += len(s.Robots)
	}
	if counts[OpenExcept] == 0 || counts[Undecided] == 0 || e.NamedMore != 2000 {
		t.Errorf("%v, and %d more", counts, e.NamedMore)
	}
}

// TestAlone has a robot that obeys its own group only.
func TestAlone(t *testing.T) {
	c := &Card{}
	c.says(robots.ParseString("User-agent: *\nDisallow: /\n\nUser-agent: AdsBot-Google\nDisallow: /ads/\n"), nil)
	if len(c.Named) != 1 || c.Named[0].State != OpenExcept || c.Everyone.State != Closed {
		t.Errorf("%+v %+v", c.Named, c.Everyone)
	}
}

// BenchmarkMake makes the cards of texts of several sizes.
func BenchmarkMake(b *testing.B) {
	var large strings.Builder
	large.WriteString("User-agent: *\n")
	for i := range 10000 {
		fmt.Fprintf(&large, "Disallow: /a/%d/\nAllow: /a/%d/open\n", i, i)
	}
	for name, text := range map[string]string{
		"100B": "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\nDisallow: /*?sort=\n" +
			"Sitemap: https://example.com/sitemap.xml\n",
		"450KB": large.String(),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Make(robots.ParseString(text), Options{Subject: "robots.txt"})
			}
		})
		b.Run(name+"/says", func(b *testing.B) {
			for b.Loop() {
				(&Card{}).says(robots.ParseString(text), nil)
			}
		})
	}
}
