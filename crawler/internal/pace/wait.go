package pace

import (
	"fmt"
	"time"
)

// A Reason is why a host must wait.
type Reason uint8

// The reasons. They are stored by number: never renumber, add at the end.
const (
	Ready         Reason = 0  // the request may start
	Busy          Reason = 1  // a request is open
	Manner        Reason = 2  // Pauses.MinDelay
	Slow          Reason = 3  // the last response was slow
	CrawlDelay    Reason = 4  // robots.txt asks for a pause
	RequestRate   Reason = 5  // robots.txt asks for a rate
	VisitTime     Reason = 6  // robots.txt asks for visits at another time of the day
	RetryAfter    Reason = 7  // the host sent Retry-After
	Refused       Reason = 8  // the host answered 429 or 503 without Retry-After
	Failed        Reason = 9  // the host could not be reached
	Unreachable   Reason = 10 // robots.txt cannot be fetched
	Interrupted   Reason = 11 // the robot was killed during a request
	AddressGap    Reason = 12 // Pauses.AddressGap
	AddressBudget Reason = 13 // Pauses.AddressBudget
)

var reasons = [...]struct{ name, sentence string }{
	Ready:       {"ready", "ready"},
	Busy:        {"busy", "a request is under way"},
	Manner:      {"delay", "pause between requests"},
	Slow:        {"slow", "the last answer took long"},
	CrawlDelay:  {"crawl-delay", "Crawl-delay"},
	RequestRate: {"request-rate", "Request-rate"},
	VisitTime:   {"visit-time", "Visit-time"},
	RetryAfter:  {"retry-after", "the host asked for it by Retry-After"},
	Refused:     {"refused", "the host answered 429 or 503"},
	Failed:      {"failed", "the host could not be reached"},
	Unreachable: {"unreachable", "robots.txt could not be fetched"},
	Interrupted: {"interrupted", "the crawl was killed while a request was under way"},

	AddressGap:    {"address-gap", "pause between requests to its address"},
	AddressBudget: {"address-budget", "its address has had as many requests as it should in ten minutes"},
}

// String returns the name of the reason, such as "crawl-delay".
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r].name
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of the reason.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// A Wait is the time of the next request to a host, and the reason for the wait. If
// several reasons apply, it has the one that lasts longest.
type Wait struct {
	At     time.Time
	Reason Reason
	Delay  time.Duration // the pause, if the reason is a pause after each request
	Line   int           // the line of robots.txt with the limit, or 0
}

// Until returns the remaining wait from now on, or 0.
func (w Wait) Until(now time.Time) time.Duration { return max(w.At.Sub(now), 0) }

// after extends w to the end of a pause after a time.
func (w *Wait) after(ended time.Time, pause time.Duration, why Reason, line int) {
	if at := ended.Add(pause); pause > 0 && at.After(w.At) {
		*w = Wait{at, why, pause, line}
	}
}

// String returns the wait as a line, such as "until 2026-11-21T15:04:05Z: Crawl-delay:
// 10s, line 4 of robots.txt".
func (w Wait) String() string {
	if w.Reason == Ready || w.Reason == Busy {
		return reasons[w.Reason].sentence
	}
	text := "until " + w.At.UTC().Format(time.RFC3339) + ": "
	if int(w.Reason) < len(reasons) {
		text += reasons[w.Reason].sentence
	}
	if w.Delay > 0 {
		text += ": " + w.Delay.String()
	}
	if w.Line > 0 {
		text += fmt.Sprintf(", line %d of robots.txt", w.Line)
	}
	return text
}
