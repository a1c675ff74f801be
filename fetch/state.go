package fetch

import (
	"fmt"

	"github.com/robotsexclusion/robots/internal/printable"
)

// State is the outcome of the last attempt to fetch robots.txt, as a word in lower case. No
// result has the empty State.
type State string

// The states. Stored: never change a word.
const (
	// OK: the server sent a text, or confirmed the last one (RFC 9309, section 2.3.1.1).
	OK State = "ok"

	// Unavailable: the server said that there is no robots.txt for us: 4xx, a redirect without
	// a usable target, or more than five redirects (section 2.3.1.3). Everything is allowed.
	// Unreachable becomes Unavailable after 30 days.
	Unavailable State = "unavailable"

	// Unreachable: 429, 5xx, a failure of the network, DNS or TLS, or a timeout (section
	// 2.3.1.4). Nothing is allowed, unless a copy is in force.
	Unreachable State = "unreachable"

	// Forbidden: 401 or 403 while [Client.ObeyForbidden] is set. Nothing is allowed.
	Forbidden State = "forbidden"
)

// UnmarshalText implements [encoding.TextUnmarshaler]. It returns an error for a word that is
// not a state.
func (s *State) UnmarshalText(text []byte) error {
	switch state := State(text); state {
	case OK, Unavailable, Unreachable, Forbidden:
		*s = state
		return nil
	}
	return fmt.Errorf("fetch: %s is not a state: write ok, unavailable, unreachable or forbidden",
		printable.Quoted(string(text), 20))
}

// Source says where a [Result] comes from, as a word in lower case.
type Source string

// The sources.
const (
	Fetched     Source = "fetched"     // from a server, now
	Revalidated Source = "revalidated" // a server confirmed the copy now (304)
	Cached      Source = "cached"      // from the cache, fresh
	Stale       Source = "stale"       // the origin is unreachable, and the cached copy stays in force
)
