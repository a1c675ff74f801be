package fetch

import (
	"fmt"
	"slices"

	"github.com/robotsexclusion/robots/internal/printable"
)

// State is the outcome of the last attempt to fetch robots.txt.
type State uint8

// The states. They are stored by name: never rename.
const (
	// OK: the server sent a text, or confirmed the last one (RFC 9309, section 2.3.1.1).
	OK State = 1

	// Unavailable: the server said that there is no robots.txt for us: 4xx, a redirect without
	// a usable target, or more than five redirects (section 2.3.1.3). Everything is allowed.
	// Unreachable becomes Unavailable after 30 days.
	Unavailable State = 2

	// Unreachable: 429, 5xx, a failure of the network, DNS or TLS, or a timeout (section
	// 2.3.1.4). Nothing is allowed, unless a copy is in force.
	Unreachable State = 3

	// Forbidden: 401 or 403 while [Client.ObeyForbidden] is set. Nothing is allowed.
	Forbidden State = 4
)

var states = [...]string{OK: "ok", Unavailable: "unavailable", Unreachable: "unreachable", Forbidden: "forbidden"}

// String returns the name of the state: "ok", "unavailable", "unreachable" or "forbidden". The
// name is empty for the zero State, which no result has.
func (s State) String() string {
	if int(s) < len(states) {
		return states[s]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the state's name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *State) UnmarshalText(text []byte) error {
	i := slices.Index(states[:], string(text))
	if i <= 0 {
		return fmt.Errorf("fetch: %s is not a state: write ok, unavailable, unreachable or forbidden", printable.Quoted(string(text), 20))
	}
	*s = State(i)
	return nil
}

// Source says where a [Result] comes from.
type Source uint8

// The sources.
const (
	Fetched     Source = iota + 1 // from a server, now
	Revalidated                   // a server confirmed the copy now (304)
	Cached                        // from the cache, fresh
	Stale                         // the origin is unreachable, and the cached copy stays in force
)

var sources = [...]string{"", "fetched", "revalidated", "cached", "stale"}

// String returns the source's name: "fetched", "revalidated", "cached" or
// "stale".
func (s Source) String() string {
	if int(s) < len(sources) {
		return sources[s]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the source's name.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
