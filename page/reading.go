package page

import (
	"fmt"
	"slices"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// A Reading is a way to resolve contradictions between directives.
type Reading uint8

// The readings.
const (
	// Restrictive gives precedence to the most restrictive of contradicting directives, from any
	// tag or header, as search engines do today.
	Restrictive Reading = iota

	// Reading1996 is the reading of the Spidering BOF report of 1996. If ALL is present, it
	// decides and all other directives are ignored. Otherwise, of opposite directives, such as
	// FOLLOW and NOFOLLOW, the permitting one wins. NOINDEX alone also means NOFOLLOW. All tags
	// and headers are read like one tag.
	Reading1996
)

var readings = [...]string{"restrictive", "1996"}

// String returns "restrictive" or "1996".
func (r Reading) String() string {
	if int(r) < len(readings) {
		return readings[r]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the reading's name.
func (r Reading) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It ignores case, and returns an error
// for an unknown name.
func (r *Reading) UnmarshalText(text []byte) (err error) {
	*r, err = parseReading(string(text))
	return err
}

// parseReading returns the reading with a name, ignoring case.
func parseReading(name string) (Reading, error) {
	if i := slices.Index(readings[:], htmltoken.Lower(name)); i >= 0 {
		return Reading(i), nil
	}
	return Restrictive, fmt.Errorf("unknown reading %q: it is restrictive or 1996", name)
}

// In returns the same document with another reading.
func (d *Doc) In(r Reading) *Doc {
	other := *d
	other.reading = r
	return &other
}

// prefers reports whether a has precedence over b.
func (r Reading) prefers(a, b level) bool {
	if r == Reading1996 {
		return a > b
	}
	return a < b
}
