package audit_test

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A Live forgets: after months of robots that never come again, and of a robots.txt that fails now
// and then, it knows what the last days need. The log has 60 days, or 200 with ROBOTS_CORPUS_ALL.
func TestLiveForgets(t *testing.T) {
	corpus.Unraced(t)
	auditor, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: "v",
		Text: []byte(smallTexts[1])}}}})
	fatal.If(t, err)
	live := auditor.Live()
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	statuses := []int{200, 304, 404, 403, 503, 200}
	for i := range 45 * 24 * 4 {
		at = at.Add(15 * time.Minute)
		live.Add(&accesslog.Request{
			Time: at, Zoned: true, Client: netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}),
			Method: []byte("GET"), Path: []byte("/robots.txt"), Status: statuses[i/10%len(statuses)],
			Bytes:     int64(i % 7),
			UserAgent: fmt.Appendf(nil, "robot%dbot/1.0", i),
		})
	}
	answers, robots, clients := live.Kept()
	// Failures matter for a month: at most two answers of each. Robots are known for a month, and
	// their addresses for a day. A failure that is the robot's alone matters until its next answer:
	// four in sixty are, those in the last hour before others read robots.txt.
	if answers > 400 || robots > 32*24*4+45*24*4/15 || clients > 27*4 {
		t.Errorf("it knows %d answers, %d robots, %d addresses", answers, robots, clients)
	}
}

// A Live remembers a limited number of robots whose last answer failed. It does not accuse a robot
// that it forgot, even if the robot comes back and fails again.
func TestLiveForgetsMildly(t *testing.T) {
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return begin.AddDate(0, 0, n) }
	auditor, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {
		{ID: "open", From: begin, Text: []byte("User-agent: *\nDisallow:\n")},
		{ID: "closed", From: day(30), Text: []byte("User-agent: *\nDisallow: /x\n")},
	}}})
	fatal.If(t, err)
	live := auditor.Live()
	add := func(at time.Time, i, status int, path string) audit.Class {
		judged, c := live.Add(&accesslog.Request{
			Time: at, Zoned: true, Client: netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}), Method: []byte("GET"),
			Path: []byte(path), Status: status, UserAgent: fmt.Appendf(nil, "robot%dbot/1.0", i),
		})
		if c != nil {
			judged = live.Judge(c)
		}
		return judged.Class
	}
	const all, limit = 20, 5
	for i := range all {
		add(day(1), i, 429, "/robots.txt")
	}
	add(day(1), all, 200, "/robots.txt")
	add(day(40), all, 200, "/robots.txt")
	if class := add(day(40), all+1, 200, "/x"); class != audit.Certain {
		t.Errorf("a robot that asked for nothing: %v", class)
	}
	reset := audit.SetMaxTokens(limit)
	live.Forget()
	reset()
	if _, robots, _ := live.Kept(); robots > limit+1 {
		t.Errorf("it knows %d robots", robots)
	}
	for i := range all {
		if class := add(day(40), i, 200, "/x"); class != audit.InGrace {
			t.Errorf("robot %d: %v", i, class)
		}
		add(day(40).Add(time.Minute), i, 429, "/robots.txt")
	}
	for i := range all {
		if class := add(day(42), i, 200, "/x"); class != audit.InGrace {
			t.Errorf("robot %d after another failure: %v", i, class)
		}
	}
	if class := add(day(42), all, 200, "/x"); class != audit.Certain {
		t.Errorf("a robot that read robots.txt: %v", class)
	}
}

// Outages that meet at an answer are one, also after a Live forgot most of their answers.
func TestLiveForgetsNoOutage(t *testing.T) {
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	auditor, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {
		{ID: "open", From: begin, Text: []byte("User-agent: *\nDisallow:\n")},
		{ID: "closed", From: begin.AddDate(0, 0, 10), Text: []byte("User-agent: *\nDisallow: /x\n")},
	}}})
	fatal.If(t, err)
	for _, ends := range []int{404, 403, 413} {
		live := auditor.Live()
		add := func(at time.Time, status int, path string) audit.Class {
			judged, c := live.Add(&accesslog.Request{
				Time: at, Zoned: true, Client: netip.AddrFrom4([4]byte{192, 0, 2, 1}), Method: []byte("GET"),
				Path: []byte(path), Status: status, UserAgent: []byte("onebot/1.0"),
			})
			if c != nil {
				judged = live.Judge(c)
			}
			return judged.Class
		}
		at := begin.AddDate(0, 0, 9)
		add(at, 503, "/robots.txt")
		add(at.Add(time.Hour), ends, "/robots.txt")
		add(at.Add(time.Hour), 503, "/robots.txt") // of the same second: the outage may go on
		for n := range 25 {
			live.Forget()
			if class := add(at.AddDate(0, 0, n+2), 200, "/x"); class != audit.InGrace {
				t.Errorf("%d, after %d days: %v", ends, n+2, class)
			}
		}
	}
}
