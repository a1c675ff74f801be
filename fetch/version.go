package fetch

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Version is what was in force for an origin during a time, as far as those
// who fetched robots.txt into a [Dir] know. It is immutable.
type Version struct {
	Origin string    `json:"origin"`
	From   time.Time `json:"from"`           // when it was first seen
	Until  time.Time `json:"until,omitzero"` // when it was first seen to have changed; zero for the last one
	Seen   time.Time `json:"seen,omitzero"`  // when it was last seen, between From and Until; zero if that is not known

	// State is OK, Unavailable or Unreachable. The rest tells of the answer
	// that began it; for an origin that became Unavailable by being
	// Unreachable for too long, of its first failure.
	State  State  `json:"state"`
	Status int    `json:"status,omitempty"` // 0 if there was no answer
	Cause  string `json:"cause,omitempty"`  // why State is not OK
	URL    string `json:"url,omitempty"`    // that was asked for, after redirects

	// SHA256 and Size are those of the text in force: of an Unreachable
	// origin's too, if a copy was in force. They are zero if there was none.
	SHA256 string `json:"sha256,omitempty"`
	Size   int    `json:"size,omitempty"` // in bytes
	Cut    bool   `json:"cut,omitempty"`  // there was more than the limit

	dir Dir
}

// Text returns the text that was in force, or nil if there was none.
func (v Version) Text() ([]byte, error) {
	if v.SHA256 == "" {
		return nil, nil
	}
	return v.dir.text(v.SHA256, v.Size)
}

// Policy returns the policy that was in force, as RFC 9309 reads it.
func (v Version) Policy() (*robots.Policy, error) {
	text, err := v.Text()
	switch {
	case err != nil:
		return nil, err
	case text == nil:
		return inForce(v.State, nil), nil
	}
	return robots.Parse(text), nil
}

// String returns the version as a line: when it began, and what it was. It is
// safe for a terminal.
func (v Version) String() string {
	text := clock(v.From) + " " + v.State.String()
	if v.State != OK {
		text += " (" + printable.Text(v.Cause) + ")"
	}
	if v.SHA256 != "" {
		text += fmt.Sprintf(" %s bytes, SHA-256 %.12s…", grouped(v.Size), v.SHA256)
	}
	return text
}

// split returns the parts of v before and after a time.
func (v Version) split(t time.Time) (before, after Version) {
	before, after = v, v
	if t.After(v.From) {
		after.From = t
	}
	before.Until = after.From
	if v.Seen.After(before.Until) {
		before.Seen = before.Until
	}
	return before, after
}

// bounded drops a time of having been seen that is not in the time of v: clocks
// disagreed, or nobody looked.
func (v Version) bounded() Version {
	if v.Seen.Before(v.From) || !v.Until.IsZero() && v.Seen.After(v.Until) {
		v.Seen = time.Time{}
	}
	return v
}
