package fetch

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An Entry is the information about the robots.txt of one origin: the outcome of the last
// attempt to fetch it, and the last text. A [Cache] stores Entries. An Entry is immutable once
// it is returned or stored, and its strings are printable.
type Entry struct {
	Origin string `json:"origin"` // such as "https://example.com"

	// The fields from State to FreshUntil describe the last attempt.
	State      State      `json:"state"`
	CheckedAt  time.Time  `json:"checked_at"`          // when the attempt ended
	Redirects  []Redirect `json:"redirects,omitempty"` // of the attempt, six at most
	URL        string     `json:"url"`                 // the last requested URL
	Status     int        `json:"status,omitempty"`    // of URL; 304 if the text was confirmed; 0 without an answer
	Cause      string     `json:"cause,omitempty"`     // why State is not OK
	FreshUntil time.Time  `json:"fresh_until"`         // the server is not asked again before

	// UnreachableSince is the time of the first of Failures consecutive failures. Both are zero
	// if the last attempt did not fail.
	UnreachableSince time.Time `json:"unreachable_since,omitzero"`
	Failures         int       `json:"failures,omitempty"`

	// File is the last text that a server sent. File is nil if there was none, or if a server
	// has said since then that there is none.
	File *File `json:"file,omitempty"`
}

// A Redirect is an answer that redirected the client.
type Redirect struct {
	URL    string `json:"url"` // the requested URL
	Status int    `json:"status"`
}

// A File is the text of a robots.txt as a server sent it. A File is immutable.
type File struct {
	FetchedAt   time.Time `json:"fetched_at"`             // when the text was received
	ConfirmedAt time.Time `json:"confirmed_at"`           // when a server last sent or confirmed the text
	URL         string    `json:"url"`                    // of the answer, after redirects
	SHA256      string    `json:"sha256"`                 // of the text, in lower-case hex
	Size        int       `json:"size"`                   // of the text in bytes, decompressed
	Cut         bool      `json:"cut,omitempty"`          // at the last whole line, because the text exceeded the limit
	HTML        bool      `json:"html,omitempty"`         // the text looks like an HTML page
	ContentType string    `json:"content_type,omitempty"` // the Content-Type header

	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`

	// CacheControl and Expires are the parts of these headers that decide how long the text is
	// fresh. They are from the last answer with these headers: an answer that confirms the text
	// need not repeat them (RFC 9111, section 4.3.4).
	CacheControl string `json:"cache_control,omitempty"`
	Expires      string `json:"expires,omitempty"`

	// Policy is the parsed text. Policy.String() returns the text.
	Policy *robots.Policy `json:"-"`
}

// fresh reports whether e may be used at a time without asking a server. An entry may come from
// another machine with a wrong clock: no entry is fresh for more than 24 hours, or a minute or
// more before it was made.
func (e *Entry) fresh(now time.Time) bool {
	return now.Before(e.FreshUntil) && now.Before(e.CheckedAt.Add(maxAge)) && now.After(e.CheckedAt.Add(-time.Minute))
}

// stateAt returns the state at a time: an origin becomes unavailable after it was unreachable
// for 30 days.
func (e *Entry) stateAt(now time.Time) State {
	if e.State == Unreachable && now.Sub(e.UnreachableSince) >= patience {
		return Unavailable
	}
	return e.State
}

// inForce returns the policy that robots must obey in a state.
func inForce(s State, f *File) *robots.Policy {
	switch {
	case s == Unavailable:
		return robots.AllowAll()
	case s == Forbidden || f == nil:
		return robots.DisallowAll()
	}
	return f.Policy
}

// check returns the reason why an entry from a cache is invalid, or nil.
func (e *Entry) check(origin string) error {
	switch {
	case e.Origin != origin:
		return fmt.Errorf("it is about %s", printable.Quoted(e.Origin, 200))
	case e.State != OK && e.State != Unavailable && e.State != Unreachable:
		return errors.New("it has no state")
	case e.State == OK && e.File == nil:
		return errors.New("it has no file, although its state is ok")
	case e.Failures < 0 || len(e.Redirects) > maxRedirects+1:
		return errors.New("it counts more than there can be")
	}
	f := e.File
	if f == nil {
		f = new(File)
	} else if !isHash(f.SHA256) || f.Size < 0 || f.Policy == nil {
		return errors.New("its file has no text, size or hash")
	}
	for _, t := range [...]time.Time{e.CheckedAt, e.FreshUntil, e.UnreachableSince, f.FetchedAt, f.ConfirmedAt} {
		if t.Year() < 1 || t.Year() > 9999 {
			return errors.New("it has a time outside of the calendar")
		}
	}
	for _, s := range [...]string{e.URL, e.Cause, f.URL, f.ContentType, f.ETag, f.LastModified, f.CacheControl,
		f.Expires} {
		if !printable.IsText(s) {
			return fmt.Errorf("it has control characters: %s", printable.Quoted(s, 60))
		}
	}
	for _, r := range e.Redirects {
		if !printable.IsText(r.URL) {
			return fmt.Errorf("it has control characters: %s", printable.Quoted(r.URL, 60))
		}
	}
	return nil
}

// isHash reports whether s is a SHA-256 in hex, and thus safe as a file name.
func isHash(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}
