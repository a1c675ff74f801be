package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// A roundTrip answers requests in place of a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answerText(r *http.Request, text string) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
}

// A paceTest has a transport in the bubble of a test, with the times at which requests for pages are made.
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
		{"the caller asks for more", five, 7 * time.Second, false, "a.example 0s, b.example 0s, a.example 7s, a.example 14s"},
		{"the caller asks for less", five, time.Second, false, "a.example 0s, b.example 0s, a.example 5s, a.example 10s"},
		{"the caller waits", five, -1, false, "a.example 0s, b.example 0s, a.example 0s, a.example 0s"},
		{"nobody asks", "User-agent: *\nDisallow: /closed\n", 0, false, "a.example 0s, b.example 0s, a.example 0s, a.example 0s"},
	} {
		t.Run(test.name, bubble(func(t *testing.T) {
			p := newPaceTest(test.robots)
			p.MinDelay = test.least
			var all sync.WaitGroup
			for _, url := range []string{"https://a.example/1", "https://b.example/2", "https://a.example/closed", "https://a.example/3", "https://A.example:443/4"} {
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

// TestTransportGivesUp ends requests in the pause: by a deadline, at once, and by a cancellation. Their
// turns are free again.
func TestTransportGivesUp(t *testing.T) {
	bubble(func(t *testing.T) {
		p := newPaceTest("User-agent: *\nCrawl-delay: 60\n")
		get := func(ctx context.Context) error { return p.get(ctx, "https://a.example/") }
		if err := get(t.Context()); err != nil {
			t.Fatal(err)
		}
		soon, cancel := context.WithTimeout(t.Context(), 59*time.Second)
		defer cancel()
		err := get(soon)
		if pause, ok := errors.AsType[*fetch.PauseError](err); !ok || pause.Origin != "https://a.example" || !pause.Until.Equal(p.start.Add(time.Minute)) {
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
		if err := p.get(t.Context(), "https://a.example/"); err != nil {
			t.Fatal(err)
		}
		err := p.get(t.Context(), "https://a.example/")
		if d, ok := errors.AsType[*fetch.DisallowedError](err); !ok || d.Match.Rule.Line != 2 || time.Since(p.start) != 25*time.Hour {
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
			if err := p.get(t.Context(), "https://a.example/"); err != nil {
				t.Fatal(err)
			}
		}
		// The outer transport waits 5 s, the inner one, through which pages go too, an hour.
		check(t, "requests", p.times(), "a.example 0s, a.example 1h0m0s")

		own := new(fetch.Transport)
		own.Client = &fetch.Client{Transport: own}
		p.Transport = own
		if err := p.get(t.Context(), "https://a.example/"); err == nil || !strings.Contains(err.Error(), "uses the Transport itself") {
			t.Errorf("a transport that uses itself: %v", err)
		}
	})(t)
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
