package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A roundTrip answers requests in place of a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answerText(r *http.Request, text string) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)),
		Request: r}, nil
}

// A paceTest has a transport in the bubble of a test, with the times at which requests for pages
// are made.
type paceTest struct {
	*fetch.Transport
	start  time.Time
	robots func() string

	mu  sync.Mutex
	log []string
}

func newPaceTest(robots string) *paceTest {
	p := &paceTest{start: time.Now(), robots: func() string { return robots }}
	p.Transport = &fetch.Transport{Client: &fetch.Client{UserAgent: "ExampleBot/1.0", Transport: roundTrip(p.answer)}}
	return p
}

func (p *paceTest) answer(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/robots.txt" {
		return answerText(r, p.robots())
	}
	p.mu.Lock()
	p.log = append(p.log, fmt.Sprintf("%s %v", r.URL.Host, time.Since(p.start)))
	p.mu.Unlock()
	return answerText(r, "page")
}

func (p *paceTest) get(ctx context.Context, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := p.RoundTrip(r)
	if err == nil {
		answer.Body.Close()
	}
	return err
}

// times returns the times, and forgets them.
func (p *paceTest) times() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := strings.Join(p.log, ", ")
	p.log = nil
	return s
}

// TestTransportWaits makes requests with the pauses that robots.txt, or the caller, asks for.
func TestTransportWaits(t *testing.T) {
	const five = "User-agent: *\nCrawl-delay: 9\n\nUser-agent: ExampleBot\nCrawl-delay: 5\nDisallow: /closed\n"
	for _, test := range []struct {
		name, robots string
		least        time.Duration
		together     bool
		want         string
	}{
		{"one after the other", five, 0, false, "a.example 0s, b.example 0s, a.example 5s, a.example 10s"},
		{"together", five, 0, true, "a.example 0s, a.example 10s, a.example 5s, b.example 0s"},
		{"the caller asks for more", five, 7 * time.Second, false,
			"a.example 0s, b.example 0s, a.example 7s, a.example 14s"},
		{"the caller asks for less", five, time.Second, false,
			"a.example 0s, b.example 0s, a.example 5s, a.example 10s"},
		{"the caller waits", five, -1, false, "a.example 0s, b.example 0s, a.example 0s, a.example 0s"},
		{"a rate", "User-agent: *\nRequest-rate: 10/1m\nDisallow: /closed\n", 0, false,
			"a.example 0s, b.example 0s, a.example 6s, a.example 12s"},
		{"a rate, together", "User-agent: *\nRequest-rate: 1/6\nDisallow: /closed\n", 0, true,
			"a.example 0s, a.example 12s, a.example 6s, b.example 0s"},
		{"a rate and a delay", "User-agent: *\nRequest-rate: 10/1m\nCrawl-delay: 7\nDisallow: /closed\n", 0, false,
			"a.example 0s, b.example 0s, a.example 7s, a.example 14s"},
		// A bubble starts at midnight. The third request waits for the rate of the window that the
		// second one waited into.
		{"rates of the day",
			"User-agent: *\nRequest-rate: 1/60\nRequest-rate: 1/90 0001-0002\nRequest-rate: 2/1m 0002-0003\nDisallow: /closed\n", 0, false,
			"a.example 0s, b.example 0s, a.example 1m30s, a.example 3m0s"},
		{"the caller waits for rates", "User-agent: *\nRequest-rate: 1/60\nDisallow: /closed\n", -1, false,
			"a.example 0s, b.example 0s, a.example 0s, a.example 0s"},
		{"nobody asks", "User-agent: *\nDisallow: /closed\n", 0, false,
			"a.example 0s, b.example 0s, a.example 0s, a.example 0s"},
	} {
		t.Run(test.name, bubble(func(t *testing.T) {
			p := newPaceTest(test.robots)
			p.MinDelay = test.least
			var all sync.WaitGroup
			for _, url := range []string{"https://a.example/1", "https://b.example/2", "https://a.example/closed",
				"https://a.example/3", "https://A.example:443/4"} {
				ask := func() {
					if err := p.get(t.Context(), url); err != nil && !strings.Contains(url, "closed") {
						t.Error(err)
					}
				}
				if all.Go(ask); !test.together {
					all.Wait()
				}
			}
			all.Wait()
			got := strings.Split(strings.ReplaceAll(strings.ToLower(p.times()), ":443", ""), ", ")
			if test.together {
				slices.Sort(got)
			}
			check(t, "requests", strings.Join(got, ", "), test.want)
		}))
	}
}

// TestTransportGivesUp ends requests in the pause: by a deadline, at once, and by a cancellation.
// Their turns are free again.
func TestTransportGivesUp(t *testing.T) {
	bubble(func(t *testing.T) {
		p := newPaceTest("User-agent: *\nCrawl-delay: 60\n")
		get := func(ctx context.Context) error { return p.get(ctx, "https://a.example/") }
		fatal.If(t, get(t.Context()))
		soon, cancel := context.WithTimeout(t.Context(), 59*time.Second)
		defer cancel()
		err := get(soon)
		if pause, ok := errors.AsType[*fetch.PauseError](err); !ok || pause.Origin != "https://a.example" ||
			!pause.Until.Equal(p.start.Add(time.Minute)) {
			t.Errorf("a deadline before the turn: %v, want a *PauseError", err)
		}
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(p.start) != 0 {
			t.Errorf("a deadline before the turn: %v after %v, want an error at once", err, time.Since(p.start))
		}
		reason := errors.New("enough")
		stopped, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Second, func() { stop(reason) })
		if err := get(stopped); !errors.Is(err, reason) || time.Since(p.start) != 20*time.Second {
			t.Errorf("cancelled: %v after %v, want the cause after 20s", err, time.Since(p.start))
		}
		late, cancel := context.WithTimeout(t.Context(), 41*time.Second)
		defer cancel()
		if err := get(late); err != nil {
			t.Errorf("a deadline after the turn: %v", err)
		}
		check(t, "requests", p.times(), "a.example 0s, a.example 1m0s")
	})(t)
}

// TestPauseOfCenturies: a number that is too large to wait for is not permission to hurry.
func TestPauseOfCenturies(t *testing.T) {
	for _, record := range []string{"Crawl-delay: 99999999999", "Crawl-delay: 1e99", "Request-rate: 1/9999999h",
		"Request-rate: 1/99999999999999999999"} {
		group := robots.ParseString("User-agent: *\n" + record + "\n").For()
		if got := fetch.PaceOf(group, time.Now()); got < 50*365*24*time.Hour {
			t.Errorf("%s: got a pause of %v", record, got)
		}
	}
}

// TestTransportAsksAgain has rules that change in the pause.
func TestTransportAsksAgain(t *testing.T) {
	bubble(func(t *testing.T) {
		p := newPaceTest("")
		p.robots = func() string {
			if time.Since(p.start) < 24*time.Hour {
				return "User-agent: *\nCrawl-delay: 90000\n"
			}
			return "User-agent: *\nDisallow: /\n"
		}
		fatal.If(t, p.get(t.Context(), "https://a.example/"))
		err := p.get(t.Context(), "https://a.example/")
		if d, ok := errors.AsType[*fetch.DisallowedError](err); !ok || d.Match.Rule.Line != 2 ||
			time.Since(p.start) != 25*time.Hour {
			t.Errorf("got %v after %v, want the rule that is new after 25h", err, time.Since(p.start))
		}
	})(t)
}

// TestTransportDoesNotRecurse has clients that get robots.txt with a Transport.
func TestTransportDoesNotRecurse(t *testing.T) {
	bubble(func(t *testing.T) {
		p := newPaceTest("User-agent: *\nCrawl-delay: 5\n")
		p.Client = &fetch.Client{Transport: &fetch.Transport{Client: p.Client, MinDelay: time.Hour}}
		for range 2 {
			fatal.If(t, p.get(t.Context(), "https://a.example/"))
		}
		// The outer transport waits 5 s, the inner one, through which pages go too, an hour.
		check(t, "requests", p.times(), "a.example 0s, a.example 1h0m0s")

		own := new(fetch.Transport)
		own.Client = &fetch.Client{Transport: own}
		p.Transport = own
		if err := p.get(t.Context(), "https://a.example/"); err == nil ||
			!strings.Contains(err.Error(), "uses the Transport itself") {
			t.Errorf("a transport that uses itself: %v", err)
		}
	})(t)
}

// TestTransportGivesTurnsBack cancels two requests in their pauses, the later one first. The next
// request gets the turn of the first of them.
func TestTransportGivesTurnsBack(t *testing.T) {
	bubble(func(t *testing.T) {
		p := newPaceTest("User-agent: *\nRequest-rate: 1/60\n")
		fatal.If(t, p.get(t.Context(), "https://a.example/"))
		var stops []context.CancelFunc
		var all sync.WaitGroup
		for range 2 {
			ctx, stop := context.WithCancel(t.Context())
			stops = append(stops, stop)
			all.Go(func() {
				if err := p.get(ctx, "https://a.example/"); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		stops[1]()
		synctest.Wait()
		stops[0]()
		all.Wait()
		if err := p.get(t.Context(), "https://a.example/"); err != nil {
			t.Error(err)
		}
		check(t, "requests", p.times(), "a.example 0s, a.example 1m0s")
	})(t)
}

// TestPace names the pause at night and at noon. A rate for a part of the day replaces those for
// the whole day, as for audits and for the guard, and of several rates the slowest counts.
func TestPace(t *testing.T) {
	for _, test := range []struct {
		records     string
		night, noon time.Duration
	}{
		{"Crawl-delay: 1\n", time.Second, time.Second},
		{"Request-rate: 1/10\nRequest-rate: 1/20\nRequest-rate: 1/15\n", 20 * time.Second, 20 * time.Second},
		{"Request-rate: 6/1m\nCrawl-delay: 4\n", 10 * time.Second, 10 * time.Second},
		{"Request-rate: 1/1h\nRequest-rate: 1/1 1100-1300\nRequest-rate: 1/2 1100-1300\n", time.Hour, 2 * time.Second},
		{"Request-rate: 1/1 2300-0100\nRequest-rate: 0/1\n", time.Second, 0},
		{strings.Repeat("Request-rate: 1/5 0000-0001\n", 50) + "Request-rate: 1/90 0000-0001\n", 90 * time.Second,
			90 * time.Second},
	} {
		g := robots.Parse([]byte("User-agent: *\n" + test.records)).For()
		for hour, want := range map[int]time.Duration{0: test.night, 12: test.noon} {
			check(t, fmt.Sprintf("%.80q at %d o'clock", test.records, hour),
				fetch.PaceOf(g, time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC)), want)
		}
	}
}

// TestTransportRemembersPaces checks that the records of a policy are read once, and forgotten with
// the policy.
func TestTransportRemembersPaces(t *testing.T) {
	p := newPaceTest("User-agent: *\nCrawl-delay: 0\n")
	for range 3 {
		fatal.If(t, p.get(t.Context(), "https://a.example/"))
	}
	check(t, "remembered", p.Paces(), 1)
	p.Client = nil // with its cache, which has the policy
	for deadline := time.Now().Add(30 * time.Second); p.Paces() > 0; time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(deadline) {
			t.Fatal("the pace outlives its policy")
		}
	}
}

// TestTransportRefusesEarly asks a real server that wants an hour between requests.
func TestTransportRefusesEarly(t *testing.T) {
	for _, record := range []string{"Crawl-delay: 3600", "Request-rate: 1/1h"} {
		site := visit(t, "User-agent: *\n"+record+"\n", func(http.ResponseWriter, *http.Request) {})
		client := &http.Client{Timeout: time.Minute,
			Transport: &fetch.Transport{Client: &fetch.Client{DialFilter: fetch.DialFilter{AllowPrivate: true}}}}
		defer client.CloseIdleConnections()
		answer, err := client.Get(site.URL + "/1")
		fatal.If(t, err)
		answer.Body.Close()
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				_, err := client.Get(site.URL + "/2")
				if pause, ok := errors.AsType[*fetch.PauseError](err); !ok || pause.Origin != site.URL {
					t.Errorf("%s: got %v, want a *PauseError", record, err)
				}
			})
		}
		all.Wait()
		if got := site.requests(); len(got) != 2 {
			t.Errorf("%s: the site saw %q", record, got)
		}
	}
}

// TestPausesAreBounded reserves turns at more origins than are remembered.
func TestPausesAreBounded(t *testing.T) {
	const most = 1000
	p := fetch.NewPauses(most)
	start := time.Now()
	for i := range most + 100 {
		p.Reserve(fmt.Sprint(i), start, time.Hour)
	}
	check(t, "remembered", p.Len(), most)
	check(t, "the turn at a forgotten origin", p.Reserve("0", start, time.Hour), start)
	check(t, "the turn at a remembered origin", p.Reserve(fmt.Sprint(most), start, time.Hour), start.Add(time.Hour))
	for i := range most {
		p.Reserve(fmt.Sprint(i), start.Add(3*time.Hour), 0)
	}
	if n := p.Len(); n > 2 {
		t.Errorf("%d origins are remembered after all pauses, want 2 at most", n)
	}
}
