package inforce

import (
	"errors"
	"regexp"
	"strings"
	"time"
)

// A Moment is a time, or a date, which means the whole day in UTC. The zero Moment means that none
// is given.
type Moment struct {
	Text        string    // as given
	First, Last time.Time // equal for a time
}

// rfc3339 matches a time of RFC 3339. time.Parse is too lenient: it accepts "T1:00:00Z".
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)

// Parse reads a time of RFC 3339, or a date.
func Parse(text string) (Moment, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return Moment{text, day, day.AddDate(0, 0, 1).Add(-1)}, nil
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	if err != nil || !rfc3339.MatchString(text) {
		return Moment{},
			errors.New("name a time such as 2026-03-03T14:00:00Z or 2026-03-03T14:00:00+01:00, or a date such as 2026-03-03, which is a day in UTC")
	}
	return Moment{text, t, t}, nil
}

// Given reports whether m is not zero.
func (m Moment) Given() bool { return m.Text != "" }

// capped returns m without its part in the future.
func (m Moment) capped(now time.Time) Moment {
	if m.Last.After(now) {
		m.Last = now
	}
	return m
}

// Clock returns a time to the millisecond, which is the precision of a history.
func Clock(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999Z07:00") }
