package robottest

import (
	"strings"
	"testing"
	"time"
)

// TestBusyRobots has robots request pages until the end of the test, in some order. A robot that goes in the order of the
// links, or in the opposite order, has passed what it left out; any other may still come there.
func TestBusyRobots(t *testing.T) {
	for _, test := range []struct {
		duty, requests string
		rest           time.Duration // from the last request to the end of the test
		want           Outcome
	}{
		{"disallow", "disallow/robots.txt disallow/ disallow/first disallow/privat disallow/public/private/ disallow/last", 0, Kept},
		{"disallow", "disallow/robots.txt disallow/ disallow/last disallow/public/private/ disallow/privat disallow/first", 0, Kept},
		{"disallow", "disallow/robots.txt disallow/ disallow/last disallow/first disallow/privat disallow/public/private/", 0, NotShown},
		{"disallow", "disallow/robots.txt disallow/ disallow/last disallow/first disallow/privat disallow/public/private/", silence, Kept},
		{"closed-host", "closed/robots.txt sitemap/robots.txt disallow/robots.txt disallow/ sitemap/", 0, Kept},
		{"closed-host", "closed/robots.txt sitemap/robots.txt sitemap/ disallow/robots.txt disallow/", 0, Kept},
		{"closed-host", "closed/robots.txt sitemap/robots.txt disallow/robots.txt disallow/ disallow/first", 0, NotShown},
		{"closed-host", "closed/robots.txt sitemap/robots.txt disallow/robots.txt disallow/ disallow/first", silence, Kept},
	} {
		virtual := &modelClock{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
		o := Options{Duties: []string{"disallow", "closed-host"}}
		o.clock = clock{now: virtual.Now}
		web, err := Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for request := range strings.FieldsSeq(test.requests) {
			host, path, _ := strings.Cut(request, "/")
			ask(t, web, "GET /"+path+" HTTP/1.1\r\nHost: "+host+".test\r\nUser-Agent: ModelBot/1.0")
			virtual.sleepUntil(virtual.Now().Add(time.Second))
		}
		virtual.sleepUntil(virtual.Now().Add(test.rest))
		report, err := web.Report()
		web.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range report.Duties {
			if result.ID == test.duty && result.Outcome != test.want {
				t.Errorf("%s, %v before the end: %s is %s, want %s: %s", test.requests, test.rest, test.duty, result.Outcome, test.want, result.Reason)
			}
		}
	}
}
