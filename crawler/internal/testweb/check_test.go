package testweb_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
)

// A hand is a client that makes the given requests.
type hand struct {
	t      testing.TB
	client *http.Client
	host   string // of the Host header, if it is not that of the URL
}

func newHand(t testing.TB, w *testweb.Web) *hand {
	client := newClient(w, true)
	t.Cleanup(client.CloseIdleConnections)
	return &hand{t: t, client: client}
}

// do makes a request and reads the answer, if one comes.
func (h *hand) do(method, url string, header ...string) (status int) {
	h.t.Helper()
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Host = h.host
	req.Header.Set("User-Agent", "ExampleBot/1.0")
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

func (h *hand) get(url string, header ...string) (status int) {
	h.t.Helper()
	return h.do("GET", url, header...)
}

// TestOverlap has two requests open at once, to one host and to two hosts of one
// address.
func TestOverlap(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 1, Pages: 1, Addresses: 1, Kinds: []string{"stalling"},
		Texts: []string{"none"}})
	hand := newHand(t, w)
	o := w.Origin(0)
	hand.get(o + "/robots.txt")
	hand.get(o + "/")
	var wg sync.WaitGroup
	wg.Go(func() { hand.get(o + "/bad/1.html") })
	// The second request starts after the first is known to have begun.
	for len(requestsFor(w, "/bad/1.html")) == 0 {
		time.Sleep(time.Millisecond)
	}
	hand.get(o + "/good/1.html")
	wantOffences(t, w.Check(testweb.CheckOptions{Slack: time.Nanosecond, MaxOpen: 1}), testweb.Overlap, testweb.Crowd)
	wantOffences(t, w.Check(testweb.CheckOptions{Slack: time.Hour, MaxOpen: 1}))
	wantOffences(t, w.Check(testweb.CheckOptions{Slack: time.Nanosecond, MaxOpen: 2}), testweb.Overlap)
	w.Close()
	wg.Wait()
}

// requestsFor returns the requests for a path.
func requestsFor(w *testweb.Web, path string) (list []testweb.Request) {
	for r := range w.Requests() {
		if strings.HasSuffix(r.URL, path) {
			list = append(list, r)
		}
	}
	return list
}

// TestOffences makes one forbidden request, each time after allowed ones.
func TestOffences(t *testing.T) {
	tests := []struct {
		name, kind, text string
		get, post        string // paths, one after the other
		host             string // of the Host header
		options          testweb.CheckOptions
		want             []testweb.Offence
	}{
		{name: "nothing", kind: "validated", text: "none"},
		{name: "in order", kind: "validated", text: "none", get: "/robots.txt / /tag.html"},
		{name: "what nobody links to", kind: "validated", text: "none", get: "/robots.txt /admin",
			want: []testweb.Offence{testweb.Stray}},
		{name: "a seed", kind: "validated", text: "none", get: "/robots.txt /",
			options: testweb.CheckOptions{Seeds: []string{"http://elsewhere.test/"}},
			want:    []testweb.Offence{testweb.Stray}},
		{name: "not whole", kind: "validated", text: "none", get: "/robots.txt /",
			options: testweb.CheckOptions{Whole: true}, want: []testweb.Offence{testweb.Missed}},
		{name: "a form", kind: "shop", text: "none", get: "/robots.txt", post: "/order/1",
			want: []testweb.Offence{testweb.SideEffect}},
		{name: "after 500", kind: "ordinary", text: "down", get: "/robots.txt /",
			want: []testweb.Offence{testweb.BeforeRobots}},
		{name: "after a file that broke off", kind: "ordinary", text: "broken-off", get: "/robots.txt /",
			want: []testweb.Offence{testweb.BeforeRobots}},
		{name: "after a redirect to the inside", kind: "ordinary", text: "inward", get: "/robots.txt /",
			want: []testweb.Offence{testweb.BeforeRobots}},
		// The second file closes /docs/, and the first one /news/.
		{name: "a new file", kind: "ordinary", text: "changing", get: "/robots.txt /docs/x /robots.txt /news/x",
			want: []testweb.Offence{testweb.Stray}},
		{name: "against the new file", kind: "ordinary", text: "changing", get: "/robots.txt /robots.txt /docs/x",
			want: []testweb.Offence{testweb.Disallowed, testweb.Stray}},
		{name: "a copy while the server fails", kind: "ordinary", text: "fading", get: "/robots.txt /robots.txt /"},
		{name: "against a copy", kind: "ordinary", text: "fading", get: "/robots.txt /robots.txt /private/x",
			want: []testweb.Offence{testweb.Disallowed}},
		{name: "robots.txt at once again", kind: "ordinary", text: "late", get: "/robots.txt /robots.txt",
			options: testweb.CheckOptions{Backoff: time.Hour}, want: []testweb.Offence{testweb.TooEarly}},
		{name: "robots.txt before Retry-After", kind: "ordinary", text: "too-many", get: "/robots.txt /robots.txt",
			want: []testweb.Offence{testweb.TooEarly}},
		{name: "broken too often", kind: "cutting", text: "none", get: "/robots.txt" +
			strings.Repeat(" /bad/1.html", 4),
			options: testweb.CheckOptions{MaxTries: 3}, want: []testweb.Offence{testweb.Twice}},
		{name: "six redirects", kind: "ordinary", text: "six-hops",
			get: "/robots.txt /hop/0/1 /hop/0/2 /hop/0/3 /hop/0/4 /hop/0/5 /"},
		{name: "before the sixth redirect", kind: "ordinary", text: "six-hops", get: "/robots.txt /hop/0/1 /",
			want: []testweb.Offence{testweb.BeforeRobots}},
		{name: "a stranger", kind: "ordinary", text: "none", host: "stranger.test", get: "/",
			want: []testweb.Offence{testweb.Nobody}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := start(t, testweb.Options{Hosts: 1, Pages: 1, Kinds: []string{test.kind}, Texts: []string{test.text},
				Scale: 1000})
			h := newHand(t, w)
			h.host = test.host
			for path := range strings.FieldsSeq(test.get) {
				h.get(w.Origin(0) + path)
			}
			if test.post != "" {
				h.do("POST", w.Origin(0)+test.post)
			}
			wantOffences(t, w.Check(test.options), test.want...)
		})
	}
}

// TestKilled lets a robot fetch again only the pages that it fetched just before it was
// killed.
func TestKilled(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 1, Pages: 1, Kinds: []string{"validated"}, Texts: []string{"none"}})
	hand := newHand(t, w)
	o := w.Origin(0)
	hand.get(o + "/robots.txt")
	hand.get(o + "/")
	kill := time.Now()
	hand.get(o + "/")
	wantOffences(t, w.Check(testweb.CheckOptions{}), testweb.Twice)
	wantOffences(t, w.Check(testweb.CheckOptions{Kills: []time.Time{kill}, Grace: time.Hour}))
	wantOffences(t, w.Check(testweb.CheckOptions{Kills: []time.Time{kill}, Grace: time.Nanosecond}), testweb.Twice)
	hand.get(o + "/")
	wantOffences(t, w.Check(testweb.CheckOptions{Kills: []time.Time{kill}, Grace: time.Hour}), testweb.Twice)
}

// TestKilledBeforeKept has a robots.txt that only the first request gets: a robot that was killed
// just after it need not reach the pages.
func TestKilledBeforeKept(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 1, Pages: 1, Kinds: []string{"ordinary"}, Texts: []string{"fading"}})
	hand := newHand(t, w)
	hand.get(w.Origin(0) + "/robots.txt")
	kill := time.Now()
	hand.get(w.Origin(0) + "/robots.txt")
	wantOffences(t, w.Check(testweb.CheckOptions{Whole: true}), testweb.Missed)
	wantOffences(t, w.Check(testweb.CheckOptions{Whole: true, Kills: []time.Time{kill}, Grace: time.Hour}))
	wantOffences(t, w.Check(testweb.CheckOptions{Whole: true, Kills: []time.Time{kill}, Grace: time.Nanosecond}),
		testweb.Missed)
}

// TestHops has a robots.txt that redirects to another host, which has just had a
// request.
func TestHops(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 2, Pages: 2, Kinds: []string{"ordinary"}, Texts: []string{"six-hops", "none"}})
	hand := newHand(t, w)
	hand.get(w.Origin(1) + "/robots.txt")
	hand.get(w.Origin(0) + "/robots.txt")
	hand.get(w.Origin(1) + "/hop/0/1")
	wantOffences(t, w.Check(testweb.CheckOptions{MinDelay: time.Hour}))
	wantOffences(t, w.Check(testweb.CheckOptions{MinDelay: time.Hour, Hops: true}), testweb.TooEarly)
	// A host that redirects to itself may get the next request at once.
	hand.get(w.Origin(0) + "/hop/0/2")
	wantOffences(t, w.Check(testweb.CheckOptions{MinDelay: time.Hour, Hops: true}), testweb.TooEarly)
}

// TestInterval counts the time between two visits.
func TestInterval(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 1, Pages: 1, Kinds: []string{"validated"}, Texts: []string{"none"}})
	hand := newHand(t, w)
	o := w.Origin(0)
	hand.get(o + "/robots.txt")
	hand.get(o + "/")
	if status := hand.get(o+"/", `If-None-Match: "root"`); status != 304 {
		t.Errorf("got status %d, want 304", status)
	}
	wantOffences(t, w.Check(testweb.CheckOptions{Interval: time.Nanosecond}))
	wantOffences(t, w.Check(testweb.CheckOptions{Interval: time.Hour}), testweb.Twice)
}
