package fetch

import (
	"fmt"
	"slices"

	"github.com/robotsexclusion/robots/internal/printable"
)

// State tells what came of the last attempt to fetch robots.txt.
type State uint8

// The states. They are stored by name: never rename.
const (
	// OK: the server gave a text, or said that the last one is still right
	// (RFC 9309, section 2.3.1.1).
	OK State = 1

	// Unavailable: the server said that there is none for us: 4xx, a redirect
	// that leads nowhere, or more than five (section 2.3.1.3). Everything is
	// allowed. It is also what Unreachable becomes after 30 days.
	Unavailable State = 2

	// Unreachable: 429, 5xx, or the network, DNS, TLS or time (section
	// 2.3.1.4). Nothing is allowed, unless a copy is still in force.
	Unreachable State = 3

	// Forbidden: 401 or 403, and [Client.ObeyForbidden] is set. Nothing is
	// allowed.
	Forbidden State = 4
)

var states = [...]string{OK: "ok", Unavailable: "unavailable", Unreachable: "unreachable", Forbidden: "forbidden"}

// String returns the state's name: "ok", "unavailable", "unreachable" or
// "forbidden". It is empty for the zero State, which no result has.
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

// Source tells how a client came to a [Result].
type Source uint8

// The sources.
const (
	Fetched     Source = iota + 1 // a server was asked now
	Revalidated                   // a server was asked now, and said that the copy is still right (304)
	Cached                        // the cache has it, and it is fresh
	Stale                         // the origin is unreachable, and the copy stays in force
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
