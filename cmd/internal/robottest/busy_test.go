package robottest

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestBusyRobots has robots request pages until the end of the test, in some order. A robot that
// goes in the order of the links, or in the opposite order, has passed what it left out; any other
// may still come there.
func TestBusyRobots(t *testing.T) {
	elsewhere := strings.Repeat(" disallow/", 12) // silent for long enough in the calendar
	for _, test := range []struct {
		duty, requests string
		rest           time.Duration // from the last request to the end of the test
		want           Outcome
	}{
		{"disallow",
			"disallow/robots.txt disallow/ disallow/first disallow/privat disallow/public/private/ disallow/last", 0,
			Kept},
		{"disallow",
			"disallow/robots.txt disallow/ disallow/last disallow/public/private/ disallow/privat disallow/first", 0,
			Kept},
		{"disallow",
			"disallow/robots.txt disallow/ disallow/last disallow/first disallow/privat disallow/public/private/", 0,
			NotShown},
		{"disallow",
			"disallow/robots.txt disallow/ disallow/last disallow/first disallow/privat disallow/public/private/",
			silence, Kept},
		{"closed-host", "closed/robots.txt sitemap/robots.txt disallow/robots.txt disallow/ sitemap/", 0, Kept},
		{"closed-host", "closed/robots.txt sitemap/robots.txt sitemap/ disallow/robots.txt disallow/", 0, Kept},
		{"closed-host", "closed/robots.txt sitemap/robots.txt disallow/robots.txt disallow/ disallow/first", 0,
			NotShown},
		{"closed-host", "closed/robots.txt sitemap/robots.txt disallow/robots.txt disallow/ disallow/first", silence,
			Kept},
		// What a robot has given up, it may still have in its queue.
		{"gone-page", "gone/robots.txt gone/ gone/a gone/b gone/c gone/d gone/gone gone/last", 0, NotShown},
		{"gone-page", "gone/robots.txt gone/ gone/a gone/b gone/c gone/d gone/gone gone/last", silence, Kept},
		{"redirect-loop", "loop/robots.txt loop/ loop/loop/1 loop/loop/2 loop/last", 0, NotShown},
		{"redirect-loop", "loop/robots.txt loop/ loop/loop/1 loop/loop/2 loop/last", silence, Kept},
		{"dead-pages", "dead/robots.txt dead/ dead/dead/error dead/dead/error dead/last", 0, NotShown},
		{"dead-pages", "dead/robots.txt dead/ dead/dead/error dead/dead/error dead/last", silence, Kept},
		{"cut-pages", "cut/robots.txt cut/ cut/dead/cut cut/last", 0, NotShown},
		{"cut-pages", "cut/robots.txt cut/ cut/dead/cut cut/last", silence, Kept},
		{"calendar", "calendar/robots.txt calendar/ calendar/calendar/2026/11" + elsewhere, 0, NotShown},
		{"calendar", "calendar/robots.txt calendar/ calendar/calendar/2026/11" + elsewhere, silence, Kept},
		{"once", "gone/robots.txt gone/ gone/a gone/b gone/c gone/d gone/last", 0, NotShown},
		{"once", "gone/robots.txt gone/ gone/a gone/b gone/c gone/d gone/last", silence, Kept},
		{"once", "gone/robots.txt gone/ gone/a gone/a gone/a gone/b gone/c gone/d gone/last", silence, Broken},
	} {
		virtual := &modelClock{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
		o := Options{Duties: []string{"disallow", "closed-host", "gone-page", test.duty}}
		o.clock = clock{now: virtual.Now}
		web, err := Start(t.Context(), o)
		fatal.If(t, err)
		for request := range strings.FieldsSeq(test.requests) {
			host, path, _ := strings.Cut(request, "/")
			ask(t, web, "GET /"+path+" HTTP/1.1\r\nHost: "+host+".test\r\nUser-Agent: ModelBot/1.0")
			virtual.sleepUntil(virtual.Now().Add(time.Second))
		}
		virtual.sleepUntil(virtual.Now().Add(test.rest))
		report, err := web.Report()
		web.Close()
		fatal.If(t, err)
		for _, result := range report.Duties {
			if result.ID == test.duty && result.Outcome != test.want {
				t.Errorf("%s, %v before the end: %s is %s, want %s: %s", test.requests, test.rest, test.duty,
					result.Outcome, test.want, result.Reason)
			}
		}
	}
}
