package fetch

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Version is the robots.txt of an origin during a period, as observed by the processes that
// use a [Dir]. A Version is immutable.
type Version struct {
	Origin string    `json:"origin"`
	From   time.Time `json:"from"`           // when the version was first seen
	Until  time.Time `json:"until,omitzero"` // when a change was first seen; zero for the last version
	Seen   time.Time `json:"seen,omitzero"`  // when the version was last seen, between From and Until; zero if unknown

	// State is OK, Unavailable or Unreachable. The other fields describe the answer that began
	// the version. For an origin that became Unavailable after 30 days of being Unreachable,
	// they describe its first failure.
	State  State  `json:"state"`
	Status int    `json:"status,omitempty"` // 0 without an answer
	Cause  string `json:"cause,omitempty"`  // why State is not OK
	URL    string `json:"url,omitempty"`    // the last requested URL, after redirects

	// SHA256 and Size describe the text in force, including the copy in force for an
	// Unreachable origin. They are zero if no text was in force.
	SHA256 string `json:"sha256,omitempty"`
	Size   int    `json:"size,omitempty"` // in bytes
	Cut    bool   `json:"cut,omitempty"`  // the text exceeded the limit

	dir Dir
}

// text returns the text that was in force, or nil if there was none.
func (v Version) text() ([]byte, error) {
	if v.SHA256 == "" {
		return nil, nil
	}
	return v.dir.text(v.SHA256, v.Size)
}

// Policy returns the policy that was in force, read according to RFC 9309. Its String is the text.
// If no text was in force, the policy follows from State. The error wraps [io/fs.ErrNotExist] if
// the text is gone, and [ErrCorrupt] if the text is damaged.
func (v Version) Policy() (*robots.Policy, error) {
	text, err := v.text()
	switch {
	case err != nil:
		return nil, err
	case text == nil:
		return inForce(v.State, nil), nil
	}
	return robots.Parse(text), nil
}

// String returns the version as a line: its start, state, cause and text. The line is safe for
// a terminal.
func (v Version) String() string {
	text := clock(v.From) + " " + string(v.State)
	if v.State != OK {
		text += " (" + printable.Text(v.Cause) + ")"
	}
	if v.SHA256 != "" {
		text += fmt.Sprintf(" %s bytes, SHA-256 %.12s…", grouped(v.Size), v.SHA256)
	}
	return text
}

// split splits v at a time.
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

// bounded clears Seen if it is outside the period of v, because clocks disagreed or no process
// looked.
func (v Version) bounded() Version {
	if v.Seen.Before(v.From) || !v.Until.IsZero() && v.Seen.After(v.Until) {
		v.Seen = time.Time{}
	}
	return v
}
