package pace_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func group(lines ...string) *robots.Group {
	return robots.Parse([]byte("User-agent: *\n" + strings.Join(lines, "\n") + "\n")).For("ExampleBot")
}

func TestWait(t *testing.T) {
	endless := pace.Pauses{MaxPause: -1}
	ok := pace.Outcome{Status: 200, Took: 100 * time.Millisecond}
	for _, test := range []struct {
		name    string
		pauses  pace.Pauses
		records []string
		outcome pace.Outcome
		want    string // of the wait after the outcome, at noon
	}{
		{"by itself a second", pace.Pauses{}, nil, ok, "until 2026-11-21T12:00:01Z: pause between requests: 1s"},
		{"none, for one's own host", pace.Pauses{MinDelay: -1, Slowness: -1}, nil, ok, "ready"},
		{"five times what the answer took", pace.Pauses{}, nil, pace.Outcome{Status: 200, Took: 3 * time.Second},
			"until 2026-11-21T12:00:15Z: the last answer took long: 15s"},
		{"half a minute at most", pace.Pauses{}, nil, pace.Outcome{Status: 200, Took: time.Hour},
			"until 2026-11-21T12:00:30Z: the last answer took long: 30s"},
		{"Crawl-delay", pace.Pauses{}, []string{"Disallow: /x", "Crawl-delay: 10"}, ok,
			"until 2026-11-21T12:00:10Z: Crawl-delay: 10s, line 3 of robots.txt"},
		{"a shorter one does not make it faster", pace.Pauses{}, []string{"Crawl-delay: 0.2"}, ok,
			"until 2026-11-21T12:00:01Z: pause between requests: 1s"},
		{"the longest by default", pace.Pauses{}, []string{"Crawl-delay: 3600"}, ok,
			"until 2026-11-21T13:00:00Z: Crawl-delay: 1h0m0s, line 2 of robots.txt"},
		{"one that is too long", pace.Pauses{}, []string{"Crawl-delay: 3601"}, ok,
			"until 2026-11-21T12:00:01Z: pause between requests: 1s"},
		{"a rate that is too slow", pace.Pauses{MaxPause: time.Minute}, []string{"Request-rate: 1/61"}, ok,
			"until 2026-11-21T12:00:01Z: pause between requests: 1s"},
		{"a slow rate for some hours", pace.Pauses{}, []string{"Request-rate: 1/2h 1100-1500"}, ok,
			"until 2026-11-21T14:00:00Z: Request-rate: 2h0m0s, line 2 of robots.txt"},
		{"a very long one is kept", endless, []string{"Crawl-delay: 86400"}, ok,
			"until 2026-11-22T12:00:00Z: Crawl-delay: 24h0m0s, line 2 of robots.txt"},
		{"a hundred years and more", endless, []string{"Crawl-delay: 99999999999"}, ok,
			"until 2126-10-28T12:00:00Z: Crawl-delay: 876000h0m0s, line 2 of robots.txt"},
		{"a number that no robot can count", endless, []string{"Request-rate: 1/99999999999999999999h"}, ok,
			"until 2126-10-28T12:00:00Z: Request-rate: 876000h0m0s, line 2 of robots.txt"},
		{"Request-rate", pace.Pauses{}, []string{"Request-rate: 10/1m"}, ok,
			"until 2026-11-21T12:00:06Z: Request-rate: 6s, line 2 of robots.txt"},
		{"one that holds at night", pace.Pauses{}, []string{"Request-rate: 1/1m 0000-0600"}, ok,
			"until 2026-11-21T12:00:01Z: pause between requests: 1s"},
		{"one that begins to hold while another is waited for", pace.Pauses{},
			[]string{"Crawl-delay: 120", "Request-rate: 1/10m 1201-1300"}, ok,
			"until 2026-11-21T12:10:00Z: Request-rate: 10m0s, line 3 of robots.txt"},
		{"Visit-time", pace.Pauses{}, []string{"Visit-time: 0200-0645"}, ok, "until 2026-11-22T02:00:00Z: Visit-time"},
		{"it is the time", pace.Pauses{}, []string{"Visit-time: 1100-1300"}, ok,
			"until 2026-11-21T12:00:01Z: pause between requests: 1s"},
		{"the closest of several", pace.Pauses{}, []string{"Visit-time: 0200-0645", "Visit-time: 2200-2300"}, ok,
			"until 2026-11-21T22:00:00Z: Visit-time"},
		{"past midnight", pace.Pauses{}, []string{"Visit-time: 2200-0500"}, ok,
			"until 2026-11-21T22:00:00Z: Visit-time"},
		{"a time that ends when it begins is the whole day", pace.Pauses{}, []string{"Visit-time: 0000-0000"}, ok,
			"until 2026-11-21T12:00:01Z: pause between requests: 1s"},
		{"a delay that leads out of the time", pace.Pauses{}, []string{"Visit-time: 1100-1201", "Crawl-delay: 90"}, ok,
			"until 2026-11-22T11:00:00Z: Visit-time"},
		{"Retry-After", pace.Pauses{}, nil, pace.Outcome{Status: 503, RetryAfter: 2 * time.Minute},
			"until 2026-11-21T12:02:00Z: the host asked for it by Retry-After"},
		{"a day at most", pace.Pauses{}, nil, pace.Outcome{Status: 429, RetryAfter: 1000 * time.Hour},
			"until 2026-11-22T12:00:00Z: the host asked for it by Retry-After"},
		{"the longest counts", pace.Pauses{}, []string{"Crawl-delay: 600"},
			pace.Outcome{Status: 503, RetryAfter: time.Minute},
			"until 2026-11-21T12:10:00Z: Crawl-delay: 10m0s, line 2 of robots.txt"},
		{"it says nothing else", pace.Pauses{}, nil, pace.Outcome{Status: 404, RetryAfter: time.Hour},
			"until 2026-11-21T12:00:01Z: pause between requests: 1s"},
		{"cancelled", pace.Pauses{}, nil, pace.Outcome{Cancelled: true},
			"until 2026-11-21T12:00:01Z: pause between requests: 1s"},
	} {
		var h pace.Host
		h.Obey(group(test.records...))
		if w := h.Wait(&test.pauses, noon); w.Reason != pace.Ready && w.Reason != pace.VisitTime {
			t.Errorf("%s: never asked, it waits %v", test.name, w)
		}
		h.Begin(noon.Add(-time.Second))
		if w := h.Wait(&test.pauses, noon); w.Reason != pace.Busy || w.Until(noon) <= 0 || !h.Busy() {
			t.Errorf("%s: under way, it waits %v", test.name, w)
		}
		h.End(&test.pauses, noon, test.outcome)
		if slow := strings.Contains(test.name, "too "); h.IsTooSlow(&test.pauses) != slow {
			t.Errorf("%s: too slow: got %v", test.name, !slow)
		}
		w := h.Wait(&test.pauses, noon)
		if w.String() != test.want {
			t.Errorf("%s: got  %v\nwant %s", test.name, w, test.want)
		}
		if then := h.Wait(&test.pauses, w.At); then.Reason != pace.Ready {
			t.Errorf("%s: when the time has come, it waits %v", test.name, then)
		}
	}
}

// TestBackOff checks that pauses double, are extended by a tenth at most, end at a day,
// and start again after a long time without failures.
func TestBackOff(t *testing.T) {
	var h pace.Host
	var m pace.Pauses
	now := noon
	for i, want := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute,
		16 * time.Minute, 32 * time.Minute,
		64 * time.Minute, 128 * time.Minute, 256 * time.Minute, 512 * time.Minute, 1024 * time.Minute, 24 * time.Hour,
		24 * time.Hour} {
		h.Begin(now)
		status, reason := 503, pace.Refused
		if i%2 == 1 {
			status, reason = 0, pace.Failed
		}
		h.End(&m, now, pace.Outcome{Status: status})
		w := h.Wait(&m, now)
		if got := w.Until(now); got < want || got > want+want/10 || w.Reason != reason || h.Strikes() != i+1 {
			t.Fatalf("strike %d: got %v, %v, want %v", i+1, got, w, want)
		}
		now = w.At
	}
	good := func() {
		h.Begin(now)
		h.End(&m, now, pace.Outcome{Status: 200})
	}
	if good(); h.Strikes() == 0 && now.Sub(noon) < 30*time.Minute {
		t.Error("forgiven at once")
	}
	now = now.Add(31 * time.Minute)
	if good(); h.Strikes() != 0 {
		t.Error("not forgiven after 31 minutes")
	}
}

func TestClose(t *testing.T) {
	var h pace.Host
	var m pace.Pauses
	h.Close(noon.Add(time.Hour))
	h.Close(noon.Add(time.Minute)) // says less
	if got, want := h.Wait(&m, noon).String(),
		"until 2026-11-21T13:00:00Z: robots.txt could not be fetched"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestHostile checks that no robots.txt makes a host take more than a page of memory, or
// the robot less polite.
func TestHostile(t *testing.T) {
	var h pace.Host
	var m pace.Pauses
	h.Obey(group(strings.Repeat("Request-rate: 1/5s 0000-0001\n", 5000), "Request-rate: 1/90s 0000-0001",
		strings.Repeat("Visit-time: 0000-0000\n", 5000)))
	h.Begin(noon)
	h.End(&m, noon, pace.Outcome{Status: 200, Took: -time.Hour})
	if data, err := h.AppendBinary(nil); err != nil || len(data) > 4096 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if w := h.Wait(&m, noon); w.Until(noon) < 90*time.Second {
		t.Errorf("got %v", w)
	}
}

// TestTwin compares waits with a slow twin, which tries one second after the other, over
// long random histories of a host with restarts.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1994, 2))
	lives := 15
	if testing.Short() {
		lives = 5
	}
	for range lives {
		var records []string
		window := func() string {
			return fmt.Sprintf("%02d%02d-%02d%02d", r.IntN(24), r.IntN(60), r.IntN(24), r.IntN(60))
		}
		delay := 0
		if r.IntN(2) == 0 {
			delay = r.IntN(100)
			records = append(records, fmt.Sprintf("Crawl-delay: %d", delay))
		}
		for range r.IntN(3) {
			records = append(records, fmt.Sprintf("Request-rate: 1/%ds %s", 1+r.IntN(500),
				[]string{"", window()}[r.IntN(2)]))
		}
		for range r.IntN(3) {
			records = append(records, "Visit-time: "+window())
		}
		g := group(records...)
		rates, visits := g.RequestRates(), g.VisitTimes()
		var h pace.Host
		m := pace.Pauses{MinDelay: time.Duration(1+r.IntN(5)) * time.Second, Slowness: -1}
		h.Obey(g)
		now := noon.Add(time.Duration(r.IntN(86400)) * time.Second)
		var ended, blocked time.Time
		allowed := func(at time.Time) bool {
			if at.Before(blocked) || !ended.IsZero() &&
				at.Before(ended.Add(max(m.MinDelay, time.Duration(delay)*time.Second))) {
				return false
			}
			for _, rate := range rates {
				if !ended.IsZero() && (rate.Window == nil || rate.Window.Contains(at)) &&
					at.Before(ended.Add(rate.Delay())) {
					return false
				}
			}
			for _, v := range visits {
				if v.Window.Contains(at) {
					return true
				}
			}
			return len(visits) == 0
		}
		for range 20 {
			w := h.Wait(&m, now)
			want := now
			for !allowed(want) && want.Sub(now) < 24*time.Hour {
				want = want.Add(time.Second)
			}
			if got := w.At; got.Before(want) || got.Sub(want) > time.Second {
				t.Fatalf("%q, ended %v, blocked %v: at %v it waits until %v (%v), want %v", records, ended, blocked,
					now, got, w, want)
			}
			now = w.At.Truncate(time.Second).Add(time.Second)
			if !allowed(now) {
				continue
			}
			h.Begin(now)
			now = now.Add(time.Duration(r.IntN(10)) * time.Second)
			o := pace.Outcome{Status: 200}
			if r.IntN(4) == 0 {
				o = pace.Outcome{Status: 503, RetryAfter: time.Duration(1+r.IntN(1000)) * time.Second}
				blocked = now.Add(o.RetryAfter)
			}
			h.End(&m, now, o)
			ended = now
			if r.IntN(3) == 0 { // killed, and started again
				data, err := h.AppendBinary(nil)
				fatal.If(t, err)
				h = pace.Host{}
				fatal.If(t, h.UnmarshalBinary(data))
				now = now.Add(time.Duration(r.IntN(100)) * time.Second)
				h.Resume(now)
				ended = now
			}
		}
	}
}

// FuzzBinary decodes random bytes, and encodes the valid ones again.
func FuzzBinary(f *testing.F) {
	var h pace.Host
	h.Obey(group("Crawl-delay: 5", "Request-rate: 1/5s 0100-0200", "Visit-time: 0100-0200"))
	h.End(&pace.Pauses{}, noon, pace.Outcome{Status: 503})
	data, _ := h.AppendBinary(nil)
	f.Add(data)
	f.Add([]byte{})
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var h, again pace.Host
		if h.UnmarshalBinary(data) != nil {
			return
		}
		var m pace.Pauses
		w := h.Wait(&m, noon)
		_ = w.String()
		written, err := h.AppendBinary(nil)
		fatal.If(t, err)
		if err := again.UnmarshalBinary(written); err != nil {
			t.Fatalf("%x: %v", written, err)
		}
		if was := again.Wait(&m, noon); was.At.Before(w.At) {
			t.Errorf("it waited until %v, and after a restart until %v", w.At, was.At)
		}
	})
}

// TestInterruptedHops asks a host whose last answers are lost for the robots.txt of another host,
// and then for its own. The lost answer may have been its robots.txt, with a Crawl-delay.
func TestInterruptedHops(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	m := &pace.Pauses{MinDelay: time.Second, FirstPause: time.Minute}
	var h pace.Host
	h.Interrupt(m, now)
	now = h.Wait(m, now).At
	for range 2 { // also after a restart
		h.Begin(now)
		h.End(m, now, pace.Outcome{Status: 200})
		if w := h.Wait(m, now); w.Reason != pace.Interrupted || w.Until(now) < time.Minute {
			t.Errorf("before its robots.txt is known the host waits %v: %v", w.Until(now), w)
		}
		form, err := h.AppendBinary(nil)
		fatal.If(t, err)
		h = pace.Host{}
		fatal.If(t, h.UnmarshalBinary(form))
		now = h.Wait(m, now).At
	}
	h.Obey(robots.ParseString("User-agent: *\nCrawl-delay: 4\n").For("x"))
	form, err := h.AppendBinary(nil)
	fatal.If(t, err)
	fatal.If(t, h.UnmarshalBinary(form))
	h.Begin(now)
	h.End(m, now, pace.Outcome{Status: 200})
	if w := h.Wait(m, now); w.Reason != pace.CrawlDelay || w.Until(now) != 4*time.Second {
		t.Errorf("with its robots.txt the host waits %v: %v", w.Until(now), w)
	}
	var known pace.Host
	known.Obey(robots.ParseString("").For("x"))
	known.Interrupt(m, now)
	now = known.Wait(m, now).At
	known.Obey(robots.ParseString("").For("x"))
	known.Begin(now)
	known.End(m, now, pace.Outcome{Status: 200})
	if w := known.Wait(m, now); w.Until(now) != time.Second {
		t.Errorf("a host with a known robots.txt waits %v: %v", w.Until(now), w)
	}
}
