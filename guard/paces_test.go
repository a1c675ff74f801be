package guard

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// TestPaces checks that guards share a pace, also after a change of robots.txt, until the file asks for another pace.
func TestPaces(t *testing.T) {
	now := noon
	paces := new(Paces)
	decide := func(text, header string) Action {
		g := &Guard{Policy: Fixed(robots.Parse([]byte(text))), Paces: paces, now: func() time.Time { return now }}
		r := httptest.NewRequest("GET", "/page", nil)
		r.Header.Set("User-Agent", header)
		return g.Decide(r).Action
	}
	const slow = "User-agent: *\nCrawl-delay: 100\n"
	for _, test := range []struct {
		text, header string
		want         Action
	}{
		{slow, "GPTBot/1.0", Pass},
		{slow, "GPTBot/1.0", Slow},
		{slow, "NobodyKnowsBot/1.0", Pass},
		{slow, "NobodyKnowsBot/1.0", Slow},
		{slow + "Disallow: /private/\n", "GPTBot/1.0", Slow},
		{"# changed\n" + slow, "NobodyKnowsBot/1.0", Slow},
		{"User-agent: *\nCrawl-delay: 200\n", "GPTBot/1.0", Pass},
		{"User-agent: *\nCrawl-delay: 100\nRequest-rate: 9/1\n", "GPTBot/1.0", Pass},
	} {
		if got := decide(test.text, test.header); got != test.want {
			t.Errorf("%q, %s: got %v, want %v", test.text, test.header, got, test.want)
		}
	}
	for i := range maxPacings + 10 {
		decide(slow, fmt.Sprintf("Flood%dBot/1.0", i))
	}
	if got := decide(slow, "GPTBot/1.0"); got != Slow {
		t.Errorf("after a flood of names: got %v", got)
	}
	if len(paces.others) > maxPacings {
		t.Errorf("the pace of %d unknown robots is remembered", len(paces.others))
	}
}

// TestPaceKeyIsStored checks that keys stay the same: guards of several versions share them.
func TestPaceKeyIsStored(t *testing.T) {
	g := robots.Parse([]byte("User-agent: *\nCrawl-delay: 1.5\nRequest-rate: 10/1m\nRequest-rate: 1/1s 1300-1659\n")).For("GPTBot")
	a := agent.Lookup("GPTBot/1.0")
	const want = "787a09476ab69679810a394720e8d416"
	if got := paceKey(a, newAsk(a, g)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
