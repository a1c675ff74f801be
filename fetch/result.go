package fetch

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Result is the policy in force for an origin, and its source. A Result is immutable. State
// describes the last attempt to fetch robots.txt, which may be long ago. File is the last text,
// and is in force if State is OK or Source is Stale.
type Result struct {
	Entry

	// Policy is the policy in force now. Policy is never nil. Everything is allowed if State is
	// Unavailable. Nothing is allowed if State is Forbidden, or if State is Unreachable and no
	// copy is in force.
	Policy *robots.Policy `json:"-"`

	Source Source `json:"source"`

	// Age is the time since a server last sent or confirmed File. Without a File, Age is the
	// time since the last attempt.
	Age time.Duration `json:"-"`

	// Err is the reason why State is not OK, or nil. For an earlier attempt, which comes from
	// the cache, Err has only the text. Cause is the text of Err, safe for a terminal.
	Err error `json:"-"`

	// CacheErr is an error of reading or writing the cache, for example a corrupt entry (see
	// [ErrCorrupt]). The result is correct nevertheless: robots.txt was fetched instead.
	CacheErr error `json:"-"`
}

// result evaluates an entry at the current time.
func (c *Client) result(e *Entry, source Source) Result {
	at := time.Now()
	r := Result{Entry: *e, Source: source}
	r.State = e.stateAt(at)
	if r.State == Unavailable && c.ObeyForbidden && (r.Status == 401 || r.Status == 403) && e.State != Unreachable {
		r.State = Forbidden
	}
	if r.State == Unreachable && r.File != nil {
		r.Source = Stale
	}
	r.Policy = inForce(r.State, r.File).In(c.Dialect)
	since := e.CheckedAt
	if e.File != nil {
		since = e.File.ConfirmedAt
	}
	r.Age = max(0, at.Sub(since))
	if e.Cause != "" {
		r.Err = errors.New(e.Cause)
	}
	return r
}

// String returns the result as a sentence, such as "https://example.com/robots.txt: 200, 1,234
// bytes, fresh until 2026-11-21T15:04:05Z". The sentence is safe for a terminal.
func (r Result) String() string {
	var b strings.Builder
	b.WriteString(r.Origin + "/robots.txt: ")
	switch cause := printable.Text(r.Cause); r.State {
	case OK:
		r.describeFile(&b)
	case Unavailable:
		if r.UnreachableSince.IsZero() {
			b.WriteString(cause + ": unavailable, everything is allowed")
		} else {
			fmt.Fprintf(&b, "unreachable since %s, for more than 30 days (%s): unavailable, everything is allowed",
				clock(r.UnreachableSince), cause)
		}
	case Forbidden:
		b.WriteString(cause + ": nothing is allowed")
	case Unreachable:
		fmt.Fprintf(&b, "unreachable since %s (%s): ", clock(r.UnreachableSince), cause)
		if r.Source == Stale {
			fmt.Fprintf(&b, "the copy of %s, %s bytes, is in force until %s", clock(r.File.ConfirmedAt),
				grouped(r.File.Size), clock(r.UnreachableSince.Add(patience)))
		} else {
			b.WriteString("nothing is allowed")
		}
	}
	if r.State == OK {
		b.WriteString(", fresh until " + clock(r.FreshUntil))
	} else {
		b.WriteString("; not asked again before " + clock(r.FreshUntil))
	}
	return b.String()
}

// describeFile writes the status, size and source of the text.
func (r *Result) describeFile(b *strings.Builder) {
	fmt.Fprintf(b, "%d, %s bytes", r.Status, grouped(r.File.Size))
	if r.File.Cut {
		b.WriteString(", cut because there was more")
	}
	if r.File.HTML {
		b.WriteString(", looks like HTML")
	}
	if n := len(r.Redirects); n > 0 {
		fmt.Fprintf(b, ", by %d %s from %s", n, plural(n, "redirect"), printable.Text(r.File.URL))
	}
	switch r.Source {
	case Cached:
		fmt.Fprintf(b, ", cached %v ago", r.Age.Round(time.Second))
	case Revalidated:
		b.WriteString(", not modified")
	}
}

// MarshalJSON returns an object with the fields of the [Entry], "source", "age" in seconds, and
// "cache_error" if there is one. The JSON is safe for a terminal.
func (r Result) MarshalJSON() ([]byte, error) {
	object := struct {
		Entry
		Source     Source  `json:"source"`
		Age        float64 `json:"age"`
		CacheError string  `json:"cache_error,omitempty"`
	}{Entry: r.Entry, Source: r.Source, Age: r.Age.Round(time.Millisecond).Seconds()}
	if r.CacheErr != nil {
		object.CacheError = printable.Text(r.CacheErr.Error())
	}
	return json.Marshal(object)
}

// clock formats a time according to RFC 3339, in seconds.
func clock(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// grouped formats a number with commas between thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
