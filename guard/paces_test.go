package guard

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// TestPaces checks that guards share a pace, also after a change of robots.txt, until the file asks
// for another pace.
func TestPaces(t *testing.T) {
	corpus.Unraced(t)
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

// guards are guards of one site that tell each other of their requests after a lag.
type guards struct {
	now    time.Time
	lag    time.Duration
	text   string
	single *Guard   // sees all requests
	many   []*Guard // of which each sees a part
	known  map[string]Pace
	shared []time.Time // when a guard last shared
}

func newGuards(n int, lag time.Duration, text string) *guards {
	s := &guards{now: noon, lag: lag, text: text, known: make(map[string]Pace), shared: make([]time.Time, n)}
	clock := func() time.Time { return s.now }
	policy := Fixed(robots.Parse([]byte(text)))
	s.single = &Guard{Policy: policy, now: clock}
	for range n {
		s.many = append(s.many, &Guard{Policy: policy, Paces: new(Paces), now: clock})
	}
	return s
}

// request sends a request of GPTBot to one of the guards, or to the single one, after some have
// shared.
func (s *guards) request(to *Guard) Action {
	for i, g := range s.many {
		if s.now.Sub(s.shared[i]) < s.lag {
			continue
		}
		s.shared[i] = s.now
		for _, key := range g.Paces.Unshared() {
			g.Paces.Share(key, s.known[key], func(p Pace) error { s.known[key] = p; return nil })
		}
		for key, p := range s.known {
			g.Paces.Learn(key, p)
		}
	}
	r := httptest.NewRequest("GET", "/page", nil)
	r.Header.Set("User-Agent", "GPTBot/1.0")
	return to.Decide(r).Action
}

// TestSharedObedientRobots checks that guards which share never slow a robot that keeps the pace
// over all of them together.
func TestSharedObedientRobots(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		n, pause := 1+random.IntN(60), time.Duration(1+random.IntN(20))*time.Second
		text := fmt.Sprintf("User-agent: *\nCrawl-delay: %d\n", pause/time.Second)
		if n > 1 {
			text = fmt.Sprintf("User-agent: *\nRequest-rate: %d/%d\n", n, pause/time.Second)
		}
		s := newGuards(1+random.IntN(4), time.Duration(1+random.IntN(300))*time.Millisecond, text)
		var sent []time.Time // at most n in each period
		for range 300 {
			if s.now = s.now.Add(time.Duration(random.Int64N(int64(pause)/int64(n) + 1))); len(sent) >= n {
				s.now = later(s.now, sent[len(sent)-n].Add(pause))
			}
			sent = append(sent, s.now)
			if got := s.request(s.many[random.IntN(len(s.many))]); got != Pass {
				t.Fatalf("seed %d, %d guards, %q: request %d at %v: %v", seed, len(s.many), text, len(sent),
					s.now.Sub(noon), got)
			}
		}
	}
}

// TestSharedFastRobots checks that guards which share let about as many requests of a fast robot
// pass as one guard that sees all, and that guards that are cut off let each as many pass, and no
// guard more than that.
func TestSharedFastRobots(t *testing.T) {
	for _, text := range []string{"User-agent: *\nCrawl-delay: 10\n", "User-agent: *\nRequest-rate: 50/60\n",
		"User-agent: *\nRequest-rate: 1000/3600\n"} {
		for _, lag := range []time.Duration{200 * time.Millisecond, time.Hour} {
			s := newGuards(3, lag, text)
			single, many := 0, 0
			for i := range corpus.Cases(3000, 8000) {
				s.now = s.now.Add(100 * time.Millisecond)
				if s.request(s.single) == Pass {
					single++
				}
				if s.request(s.many[i%3]) == Pass {
					many++
				}
			}
			most := single + single/20 + 3
			if lag == time.Hour {
				most = 3 * single
			}
			if many > most || many < single*9/10 {
				t.Errorf("%q, lag %v: %d requests passed, %d with one guard", text, lag, many, single)
			}
		}
	}
}

// TestIdentityKeyIsStored checks that keys stay the same.
func TestIdentityKeyIsStored(t *testing.T) {
	names := agent.Recipe{DNS: []string{"googlebot.com", "google.com"}}
	for _, test := range []struct {
		listed bool
		want   string
	}{{false, "5ab51eb6a73fc1e85e0da55e6616cb65"}, {true, "12e0d0fe2942ab50f5f7a2a2b6415174"}} {
		n := namedClient{&recipe{names, test.listed}, netip.MustParseAddr("192.0.2.7")}
		if got := n.key(); got != test.want {
			t.Errorf("published ranges %v: got %s, want %s", test.listed, got, test.want)
		}
	}
}

// TestIdentitiesAreShared checks that other guards are asked before the DNS.
func TestIdentitiesAreShared(t *testing.T) {
	keys := make(chan string, 100)
	ids := &Identities{Verifier: &agent.Verifier{Server: "127.0.0.1:1"}, DNS: true,
		Share: func(_ context.Context, key string, _ func() (agent.Result, time.Duration)) (agent.Result,
			time.Duration) {
			keys <- key
			return agent.Verified, time.Hour
		}}
	defer ids.Close()
	g := &Guard{Policy: Fixed(robots.Parse(nil)), Identities: ids}
	decide := func() Decision {
		r := httptest.NewRequest("GET", "/page", nil)
		r.RemoteAddr = "192.0.2.7:1234"
		r.Header.Set("User-Agent", "bingbot/2.0")
		return g.Decide(r)
	}
	decide()
	first := <-keys
	for end := time.Now().Add(time.Minute); decide().Identity != agent.Verified; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the answer of the other guards does not arrive")
		}
	}
	if len(keys) > 0 || len(first) != 32 {
		t.Errorf("got the key %q, and %d questions more", first, len(keys))
	}
}
