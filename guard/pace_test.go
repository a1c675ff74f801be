package guard

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// noon is the time at which the tests begin.
var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// decider returns a function that decides about a request of a robot at a time after noon.
func decider(t testing.TB, text string) func(header string, after time.Duration) Decision {
	now := noon
	g := &Guard{Policy: Fixed(robots.Parse([]byte(text))), now: func() time.Time { return now }}
	return func(header string, after time.Duration) Decision {
		t.Helper()
		now = noon.Add(after)
		r := httptest.NewRequest("GET", "/page", nil)
		r.Header.Set("User-Agent", header)
		return g.Decide(r)
	}
}

func TestPace(t *testing.T) {
	const s, hour = time.Second, time.Hour
	for _, test := range []struct {
		record string
		at     []time.Duration
		wait   []time.Duration // of each request; 0 passes
	}{
		{"Crawl-delay: 10", []time.Duration{0, 8 * s, 18 * s, 28 * s, 36 * s, 38 * s},
			[]time.Duration{0, 0, 0, 0, 2 * s, 0}},
		{"Crawl-delay: 10", []time.Duration{0, s, s, 10 * s}, []time.Duration{0, 7 * s, 7 * s, 0}},
		{"Crawl-delay: 0", []time.Duration{0, 0, 0}, []time.Duration{0, 0, 0}},
		{"Crawl-delay: 9999999", []time.Duration{0, s}, []time.Duration{0, 24*hour - 24*hour/10 - 2*s}},
		{"Crawl-delay: -5", []time.Duration{0, 0, 0}, []time.Duration{0, 0, 0}},
		{"Crawl-delay: 1e9", []time.Duration{0, s}, []time.Duration{0, 24*hour - 24*hour/10 - 2*s}},
		{"Crawl-delay: 99999999999", []time.Duration{0, s}, []time.Duration{0, 24*hour - 24*hour/10 - 2*s}},
		{"Request-rate: 1/99999999999h", []time.Duration{0, s}, []time.Duration{0, 24*hour - 2*s}},
		{"Request-rate: 99999999999/1", []time.Duration{0, 0, 0}, []time.Duration{0, 0, 0}},
		// The clock jumps back by a day: nobody waits for more than eight pauses.
		{"Crawl-delay: 10", []time.Duration{0, -24 * hour, -24*hour + 80*s}, []time.Duration{0, 80 * s, 0}},
		{"Request-rate: 1/10", []time.Duration{0, -24 * hour, -24*hour + 80*s}, []time.Duration{0, 80 * s, 0}},
		{"Request-rate: 2/10", []time.Duration{0, 0, 0, 4 * s, 9 * s}, []time.Duration{0, 0, 4 * s, 0, 0}},
		{"Request-rate: 1/10\nRequest-rate: 9/10", []time.Duration{0, 0}, []time.Duration{0, 9 * s}},
		{"Request-rate: 1/10\nRequest-rate: 9/10 1100-1300", []time.Duration{0, 0, 0}, []time.Duration{0, 0, 0}},
		{"Request-rate: 1/10 1205-1300", []time.Duration{0, 0, 20 * 60 * s, 20 * 60 * s},
			[]time.Duration{0, 0, 0, 9 * s}},
		{"Visit-time: 1100-1300", []time.Duration{0, hour + 9*60*s, hour + 11*60*s, -hour - 9*60*s},
			[]time.Duration{0, 0, 22*hour - 11*60*s, 0}},
		{"Visit-time: 2300-0100", []time.Duration{0, 11 * hour, 12 * hour}, []time.Duration{11 * hour, 0, 0}},
		{"Visit-time: 1300-1400\nVisit-time: 2000-2100", []time.Duration{0, 3 * hour}, []time.Duration{hour, 5 * hour}},
		{"Visit-time: 0000-0000", []time.Duration{0}, []time.Duration{0}},
	} {
		decide := decider(t, "User-agent: *\nDisallow: /private/\n"+test.record+"\n")
		for i, at := range test.at {
			d := decide("NobodyKnowsBot/1.0", at)
			if d.Wait != test.wait[i] || (d.Action == Slow) != (d.Wait > 0) {
				t.Errorf("%q: request %d at %v: got %v, wait %v, want %v", test.record, i, at, d.Action, d.Wait,
					test.wait[i])
			}
			if d.Action == Slow && (d.Reason != ByPace || d.Record.Line == 0) {
				t.Errorf("%q: request %d: got the reason %v, line %d", test.record, i, d.Reason, d.Record.Line)
			}
		}
	}
}

// TestPaceOfRobots checks which robots have a pace, and which share one.
func TestPaceOfRobots(t *testing.T) {
	decide := decider(t, "User-agent: *\nCrawl-delay: 10\n")
	for _, test := range []struct {
		header string
		want   Action
	}{
		{"NobodyKnowsBot/1.0", Pass},
		{"NobodyKnowsBot/2.0 (+https://example.com/)", Slow},
		{"NOBODYKNOWSBOT", Slow},
		{"OtherBot/1.0", Pass},
		{"GPTBot/1.0", Pass},
		{"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)", Slow},
		{"Googlebot/2.1", Pass}, // it documents that it ignores Crawl-delay
		{"Googlebot/2.1", Pass},
		{"curl/8.0", Pass},
		{"curl/8.0", Pass},
	} {
		if got := decide(test.header, 0).Action; got != test.want {
			t.Errorf("%s: got %v, want %v", test.header, got, test.want)
		}
	}
	for i := range 3 * maxPacings {
		decide(fmt.Sprintf("Flood%dBot", i), 0)
	}
	g := &Guard{}
	s := g.sites.of(robots.Parse([]byte("User-agent: *\nCrawl-delay: 10\n")))
	for i := range 3 * maxPacings {
		s.rules("Flood"+strings.NewReplacer("0", "a", "1", "b").Replace(fmt.Sprintf("%b", i))+"Bot", nil, nil)
	}
	if len(s.paces.others) > maxPacings {
		t.Errorf("a site remembers the pace of %d robots", len(s.paces.others))
	}
}

// TestObedientRobots checks that robots which send at most n requests in every period are never
// slowed, in whatever order these come, and that no robot gets more than about its rate for long.
func TestObedientRobots(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range corpus.Cases(60, 200) {
		n, period := 1+random.IntN(5), time.Duration(1+random.IntN(30))*time.Second
		text := fmt.Sprintf("User-agent: *\nRequest-rate: %d/%d\n", n, period/time.Second)
		if round%2 == 0 {
			n, text = 1, fmt.Sprintf("User-agent: *\nCrawl-delay: %d\n", period/time.Second)
		}
		decide, greedy := decider(t, text), decider(t, text)
		var sent []time.Duration
		at, passed := time.Duration(0), 0
		for range 200 {
			at += time.Duration(random.Int64N(int64(2 * period / time.Duration(n))))
			if len(sent) >= n {
				at = max(at, sent[len(sent)-n]+period)
			}
			sent = append(sent, at)
			if d := decide("NobodyKnowsBot", at); d.Action != Pass {
				t.Fatalf("%q: an obedient robot has to wait %v", text, d.Wait)
			}
		}
		for at := time.Duration(0); at < 20*period; {
			d := greedy("NobodyKnowsBot", at)
			if d.Action == Pass {
				passed++
			} else if at += d.Wait; greedy("NobodyKnowsBot", at).Action == Pass {
				passed++ // the robot waited as long as it should
			} else {
				t.Fatalf("%q: a robot that waited is slowed again", text)
			}
		}
		if most := 21*n + int((jitter+period/10)*time.Duration(n)/period) + 1; passed > most {
			t.Errorf("%q: a greedy robot gets %d requests in 20 periods, want at most %d", text, passed, most)
		}
	}
}

func TestSlowAnswer(t *testing.T) {
	decide := decider(t, "User-agent: *\nCrawl-delay: 10\n")
	decide("NobodyKnowsBot", 0)
	w := httptest.NewRecorder()
	new(Guard).Answer(w, decide("NobodyKnowsBot", time.Second/2))
	const want = `asks the robot nobodyknowsbot to be slower: line 2, "Crawl-delay: 10". Please repeat the request in 8 seconds.`
	if w.Code != 429 || w.Header().Get("Retry-After") != "8" || !strings.Contains(strings.ToLower(w.Body.String()),
		strings.ToLower(want)) {
		t.Errorf("got %d, Retry-After %q, %q, want %q", w.Code, w.Header().Get("Retry-After"), w.Body, want)
	}
}
