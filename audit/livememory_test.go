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
	for i := range corpus.Cases(45, 200) * 24 * 4 {
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
	// their addresses for a day.
	if answers > 400 || robots > 32*24*4 || clients > 27*4 {
		t.Errorf("it knows %d answers, %d robots, %d addresses", answers, robots, clients)
	}
}
