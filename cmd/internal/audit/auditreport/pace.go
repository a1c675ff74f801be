package auditreport

import (
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
)

// pace says how fast a robot was, what robots.txt asked of its pace, and how often it was certainly
// too fast.
func pace(l language.Language, p audit.Pace) string {
	var parts []string
	if p.Median != nil {
		parts = append(parts, gaps(l, p))
	}
	if r := p.RequestRate; r != nil {
		parts = append(parts, "Request-rate "+asked(l, r.Asked, textTooMany, r.Exceeded))
	}
	if v := p.VisitTime; v != nil {
		parts = append(parts, "Visit-time "+asked(l, v.Asked, textOutside, v.Outside))
	}
	if asksForPace(p) && p.Judged == 0 {
		parts = append(parts, textPaceNotJudged.In(l))
	}
	return strings.Join(parts, "; ")
}

// gaps says how long a robot paused.
func gaps(l language.Language, p audit.Pace) string {
	median := duration(l, *p.Median)
	switch {
	case p.Asked == nil:
		return textPace.In(l, median)
	case p.Faster == 0:
		return textPaceAsked.In(l, median, duration(l, *p.Asked))
	}
	return textPaceFaster.In(l, median, duration(l, *p.Asked), number(l, p.Faster))
}

// asked returns what was asked, and how many requests did not keep it.
func asked(l language.Language, value string, broken language.Text, n int64) string {
	if n == 0 {
		return value
	}
	return value + ", " + broken.In(l, number(l, n))
}

// asksForPace reports whether a version asked for a pace.
func asksForPace(p audit.Pace) bool {
	return p.Asked != nil || p.RequestRate != nil || p.VisitTime != nil
}

var (
	textTooMany       = language.New("%[1]s too many")
	textOutside       = language.New("%[1]s at another time")
	textPaceNotJudged = language.New("not judged")
)
