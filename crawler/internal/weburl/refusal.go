package weburl

import (
	"fmt"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Refusal is the reason why a link is not visited. The zero value means that it is
// visited.
type Refusal uint8

// The refusals.
const (
	None        Refusal = iota // the link is visited
	OtherScheme                // not of http or https: mailto, javascript, data, ftp
	Relative                   // relative without a base
	UserInfo                   // with a user name or a password, which a robot never sends
	BadHost                    // the host is missing, or is neither a valid DNS name nor an address
	BadPort                    // the port is not a number from 1 to 65535
	TooLong                    // longer than MaxLength

	// Refusals is the number of refusals, for arrays that count them.
	Refusals = int(TooLong) + 1
)

var refusals = [Refusals]struct{ name, sentence string }{
	None:        {"none", "nothing is wrong with it"},
	OtherScheme: {"scheme", "the scheme is not http or https: only these are visited"},
	Relative:    {"relative", "it is not absolute: write https://, the host, and the path"},
	UserInfo: {"user-info",
		`there is a user name or a password before the "@": leave them out, a robot never sends them`},
	BadHost: {"host", "the host is missing, or neither a name that DNS can have nor an address"},
	BadPort: {"port", "the port is not a number from 1 to 65535"},
	TooLong: {"too-long", "it is longer than the crawler takes"},
}

// String returns the name of the refusal: "none", "scheme", "relative",
// "user-info", "host", "port" or "too-long".
func (r Refusal) String() string {
	if int(r) < len(refusals) {
		return refusals[r].name
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of the refusal.
func (r Refusal) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// An Error is the reason why a text is not a URL that can be visited.
type Error struct {
	URL     string // as given
	Refusal Refusal
}

// Error returns the URL, escaped and cut if it is long, the problem, and its remedy.
func (e *Error) Error() string {
	sentence := "unknown"
	if int(e.Refusal) < len(refusals) {
		sentence = refusals[e.Refusal].sentence
	}
	return fmt.Sprintf("wrong URL %s: %s", printable.Quoted(e.URL, 200), sentence)
}
