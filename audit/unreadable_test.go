package audit_test

import (
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestUnreadable counts the lines that cannot be read by Options.Unreadable, with several workers.
func TestUnreadable(t *testing.T) {
	var called atomic.Int64
	a, err := audit.New(audit.Options{Unreadable: func(e *accesslog.SyntaxError) {
		if e.Line%2 == 0 && e.Reason != "" {
			called.Add(1)
		}
	}})
	fatal.If(t, err)
	var lines []string
	for range 100 {
		lines = append(lines, `192.0.2.1 - - [03/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "ExampleBot/1.0"`,
			"this is no request")
	}
	r := readLines(t, a, 3, lines).Report()
	if r.Unreadable != 100 || called.Load() != r.Unreadable {
		t.Errorf("got %d calls for %d lines, want 100", called.Load(), r.Unreadable)
	}
}
