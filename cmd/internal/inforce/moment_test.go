package inforce

import (
	"strings"
	"testing"
	"time"
)

// A time is itself, a date is the whole day in UTC, and no other text is a moment.
func TestParse(t *testing.T) {
	const second = "2006-01-02T15:04:05Z"
	for _, test := range []struct{ text, first, last string }{
		{"2026-03-03T14:00:00Z", "2026-03-03T14:00:00Z", "2026-03-03T14:00:00Z"},
		{"2026-03-03t14:00:00+01:00", "2026-03-03T13:00:00Z", "2026-03-03T13:00:00Z"},
		{"2026-02-28", "2026-02-28T00:00:00Z", "2026-02-28T23:59:59Z"},
		{"2026-02-29", "", ""},
		{"2026-03-03T4:00:00Z", "", ""},
		{"2026-03-03T14:00Z", "", ""},
		{"2026-03-03 14:00:00Z", "", ""},
		{"", "", ""},
	} {
		m, err := Parse(test.text)
		if test.first == "" {
			if err == nil || m.Given() || !strings.Contains(err.Error(), "name a time") {
				t.Errorf("%q: got %v, %v, want an error", test.text, m, err)
			}
			continue
		}
		if first, last := m.First.UTC().Format(second), m.Last.UTC().Format(second); err != nil ||
			first != test.first || last != test.last || m.Text != test.text {
			t.Errorf("%q: got %s to %s, %v, want %s to %s", test.text, first, last, err, test.first, test.last)
		}
	}
	if m, _ := Parse("2026-02-28"); m.Last.Add(1) != m.First.Add(24*time.Hour) {
		t.Errorf("a day is from %v to %v", m.First, m.Last)
	}
}
