package fetch

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An Entry is what is known of the robots.txt of one origin: what came of the
// last attempt to fetch it, and the last text that was had. It is what a
// [Cache] keeps. It is immutable once it is handed out, and its strings are
// printable.
type Entry struct {
	Origin string `json:"origin"` // such as "https://example.com"

	// State and what follows tell of the last attempt.
	State      State      `json:"state"`
	CheckedAt  time.Time  `json:"checked_at"`          // when the attempt ended
	Redirects  []Redirect `json:"redirects,omitempty"` // on the way, six at most
	URL        string     `json:"url"`                 // the last one that was asked for
	Status     int        `json:"status,omitempty"`    // its status; 304 where the text was confirmed; 0 if no answer came
	Cause      string     `json:"cause,omitempty"`     // why State is not OK
	FreshUntil time.Time  `json:"fresh_until"`         // no server is asked again before

	// UnreachableSince is when the first of Failures attempts in a row failed.
	// Both are zero if the last one did not.
	UnreachableSince time.Time `json:"unreachable_since,omitzero"`
	Failures         int       `json:"failures,omitempty"`

	// File is the last text that a server gave: nil if there is none, or if a
	// server said since that there is none.
	File *File `json:"file,omitempty"`
}

// A Redirect is an answer that sent the client elsewhere.
type Redirect struct {
	URL    string `json:"url"` // that was asked for
	Status int    `json:"status"`
}

// A File is the text of a robots.txt, as a server gave it. It is immutable.
type File struct {
	FetchedAt   time.Time `json:"fetched_at"`             // when the text was had
	ConfirmedAt time.Time `json:"confirmed_at"`           // when a server last gave or confirmed it
	URL         string    `json:"url"`                    // of the answer, after redirects
	SHA256      string    `json:"sha256"`                 // of the text, in hex
	Size        int       `json:"size"`                   // of the text in bytes, without any compression
	Cut         bool      `json:"cut,omitempty"`          // at the last whole line, because there was more than the limit
	HTML        bool      `json:"html,omitempty"`         // it looks like a page of HTML
	ContentType string    `json:"content_type,omitempty"` // what the server calls it

	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`

	// CacheControl and Expires are what of these fields counts for how long the text is
	// fresh, as the last answer had them that had any: one that confirms the text need
	// not repeat them (RFC 9111, section 4.3.4).
	CacheControl string `json:"cache_control,omitempty"`
	Expires      string `json:"expires,omitempty"`

	// Policy is the text, read. Its String is the text.
	Policy *robots.Policy `json:"-"`
}

// fresh reports whether e may be used at a time without asking a server. It
// does not trust an entry from another machine or time: none is fresh for
// longer than it should be, or before it was made.
func (e *Entry) fresh(now time.Time) bool {
	return now.Before(e.FreshUntil) && now.Before(e.CheckedAt.Add(maxAge)) && now.After(e.CheckedAt.Add(-time.Minute))
}

// stateAt returns the state, which changes when an origin was unreachable for
// too long.
func (e *Entry) stateAt(now time.Time) State {
	if e.State == Unreachable && now.Sub(e.UnreachableSince) >= patience {
		return Unavailable
	}
	return e.State
}

// inForce returns the policy that robots have to obey in a state.
func inForce(s State, f *File) *robots.Policy {
	switch {
	case s == Unavailable:
		return robots.AllowAll()
	case s == Forbidden || f == nil:
		return robots.DisallowAll()
	}
	return f.Policy
}

// check tells what is wrong with an entry that was kept elsewhere.
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
	for _, s := range [...]string{e.URL, e.Cause, f.URL, f.ContentType, f.ETag, f.LastModified, f.CacheControl, f.Expires} {
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

// isHash reports whether s is a SHA-256 in hex, and so may be a file's name.
func isHash(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}
