package auditreport_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/accesslog"
	"github.com/robotsexclusion/robots/internal/auditreport"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// TestUnreadableLines adds lines out of order: the first of the first log are kept.
func TestUnreadableLines(t *testing.T) {
	u := &auditreport.UnreadableLines{Logs: []string{"b.log", "a.log"}}
	for _, line := range []struct {
		log    string
		number int
	}{{"a.log", 1}, {"b.log", 9}, {"b.log", 4}, {"a.log", 2}, {"b.log", 7}, {"b.log", 5}} {
		u.Add(&accesslog.SyntaxError{Log: line.log, Line: line.number, Text: []byte(hostile), Reason: "there is no time"})
	}
	notes := u.Notes(language.English)
	for i, want := range []string{"b.log:4 could not be read: there is no time: =HYPER", "b.log:5 ", "b.log:7 "} {
		if len(notes) != 3 || !strings.HasPrefix(notes[i], want) || !printable.IsText(notes[i]) {
			t.Fatalf("got %q, want %q first in note %d", notes, want, i)
		}
	}
}
