package robottest

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestWaits judges logs of requests to a host of which the first has a Retry-After of four seconds.
// Each other request has the milliseconds after that answer at which it starts and ends, and its
// connection; the first came on connection 1.
func TestWaits(t *testing.T) {
	tests := []struct {
		why      string
		requests [][3]int
		want     Outcome
	}{
		{"nothing more, but elsewhere", nil, Kept},
		{"the next one comes in time", [][3]int{{4100, 4110, 1}}, Kept},
		{"the next one comes too soon", [][3]int{{1000, 1010, 2}}, Broken},
		{"the next one comes at once on the same connection", [][3]int{{1, 2, 1}}, Broken},
		{"new connections, one after the other", [][3]int{{30, 31, 2}, {60, 61, 3}}, Broken},
		{"all were sent at once", [][3]int{{1, 2, 2}, {3, 4, 3}, {5, 6, 4}}, NotShown},
		{"one was under way, then the robot waits", [][3]int{{1, 5, 2}, {4100, 4110, 1}}, Kept},
		{"one was under way, then the robot does not wait", [][3]int{{1, 5, 2}, {700, 710, 3}}, Broken},
	}
	for _, test := range tests {
		began := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
		at := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
		s := &site{exercise: &exercise{name: "host"}}
		requests := []*Request{{Start: began, End: began, begin: 1, end: 2, port: 1, until: 4 * time.Second}}
		for _, r := range test.requests {
			requests = append(requests, &Request{Start: at(r[0]), End: at(r[1]), begin: 10 + r[0], end: 10 + r[1],
				port: uint16(r[2])})
		}
		elsewhere := &Request{Start: at(9000), End: at(9001), begin: 9010, end: 9011}
		log := &trial{bySite: map[*site][]*Request{s: requests}, all: append(requests, elsewhere)}
		if got := waits(log, s); got.outcome != test.want {
			t.Errorf("%s: %s, want %s: %s", test.why, got.outcome, test.want, got.reason.In(language.English))
		}
	}
}

// TestAvoidsIsNotShownByBusyRobots checks that a robot is not praised for links that may still be
// in its queue.
func TestAvoidsIsNotShownByBusyRobots(t *testing.T) {
	began := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	s := &site{exercise: &exercise{name: "page-nofollow", baits: []string{"/followed/a"}}}
	var pages []*Request
	for i, target := range []string{"/", "/first", "/page", "/last"} {
		pages = append(pages, &Request{Target: target, Start: began.Add(time.Duration(i) * time.Second), begin: 2*i + 1,
			end: 2*i + 2})
	}
	tests := []struct {
		last, now time.Duration // of the last request anywhere, and of the end of the test
		end       int           // of the last request; 0 while it is open
		want      Outcome
	}{
		{20 * time.Second, 21 * time.Second, 100, NotShown},
		{20 * time.Second, 40 * time.Second, 100, Kept},
		{20 * time.Second, 40 * time.Second, 0, NotShown},
		{10 * time.Minute, 10 * time.Minute, 100, NotShown},
		{2 * time.Hour, 2 * time.Hour, 100, Kept},
	}
	for _, test := range tests {
		all := append(pages, &Request{Target: "/elsewhere", Start: began.Add(test.last), begin: 99, end: test.end})
		log := &trial{bySite: map[*site][]*Request{s: pages}, all: all, now: began.Add(test.now)}
		if got := avoids(log, s); got.outcome != test.want {
			t.Errorf("last request after %v of %v: %s, want %s: %s", test.last, test.now, got.outcome, test.want,
				got.reason.In(language.English))
		}
	}
}

// TestNamedPages checks that a robot may take a page that its user named without robots.txt: the
// start page, and the root page of a host to which no page has linked yet.
func TestNamedPages(t *testing.T) {
	for _, test := range []struct {
		requests string
		want     Outcome
	}{
		{"start.test/ start.test/robots.txt disallow.test/robots.txt disallow.test/", Kept},
		{"start.test/ start.test/robots.txt disallow.test/ disallow.test/robots.txt disallow.test/first", Broken},
		{"disallow.test/ disallow.test/robots.txt disallow.test/first empty.test/ empty.test/robots.txt empty.test/first", Kept},
		{"disallow.test/ disallow.test/first disallow.test/robots.txt", Broken},
		{"disallow.test/first disallow.test/robots.txt", Broken},
		{"disallow.test/ disallow.test/robots.txt", NotShown},
	} {
		web, err := Start(t.Context(), Options{Duties: []string{"robots-first"}})
		fatal.If(t, err)
		for request := range strings.FieldsSeq(test.requests) {
			host, path, _ := strings.Cut(request, "/")
			ask(t, web, "GET /"+path+" HTTP/1.1\r\nHost: "+host+"\r\nUser-Agent: ModelBot/1.0")
		}
		report, err := web.Report()
		web.Close()
		fatal.If(t, err)
		if got := report.Duties[0]; got.Outcome != test.want {
			t.Errorf("%s: %s, want %s: %s", test.requests, got.Outcome, test.want, got.Reason)
		}
	}
}

// TestSlowsDownAtOnce has a robot request all pages of a host that answers 503 from the third one
// on, with a pause between requests. Without a pause, all may have left before the first answer:
// that is neither broken nor kept.
func TestSlowsDownAtOnce(t *testing.T) {
	for pause, want := range map[time.Duration]Outcome{0: NotShown, time.Second: Broken, 4 * time.Second: Kept} {
		virtual := &modelClock{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
		o := Options{Duties: []string{"slows-down"}}
		o.clock = clock{now: virtual.Now}
		web, err := Start(t.Context(), o)
		fatal.If(t, err)
		for path := range strings.FieldsSeq("robots.txt first a b c d e f g h i j last") {
			ask(t, web, "GET /"+path+" HTTP/1.1\r\nHost: overload.test\r\nUser-Agent: ModelBot/1.0")
			virtual.sleepUntil(virtual.Now().Add(pause))
		}
		virtual.sleepUntil(virtual.Now().Add(overload + time.Second))
		ask(t, web, "GET / HTTP/1.1\r\nHost: start.test\r\nUser-Agent: ModelBot/1.0")
		report, err := web.Report()
		web.Close()
		fatal.If(t, err)
		for _, result := range report.Duties {
			if result.ID == "slows-down" && result.Outcome != want {
				t.Errorf("a request every %v: slows-down is %s, want %s: %s", pause, result.Outcome, want,
					result.Reason)
			}
		}
	}
}
