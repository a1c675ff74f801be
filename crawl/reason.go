package crawl

import (
	"fmt"
	"slices"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Reason is why a URL was not visited, or came to nothing. Each is counted, and
// stands in the results.
type Reason uint8

// The reasons.
const (
	None           Reason = iota // it was visited
	Disallowed                   // robots.txt closes it
	OutOfScope                   // it does not belong to the crawl
	Excluded                     // a pattern of the crawl excludes it
	TooDeep                      // it is too many links away from a seed
	HostBudget                   // its host has given as many pages or octets as it should
	Trap                         // it looks like one of endlessly many, or like one that does something
	Nofollow                     // the page asks not to follow its links, or this one
	OtherScheme                  // it is not of http or https
	BadURL                       // it is no URL that can be asked for
	TooLong                      // it is too long
	Redirected                   // it leads to another URL, which is visited in its place
	Redirects                    // too many redirects led to it
	NotFound                     // the server has no such page: 404 or 410
	ClientError                  // another answer of 4xx
	ServerError                  // an answer of 5xx that did not go away
	Unsuitable                   // it is of a type that nobody asked for
	Duplicate                    // another URL has the same content
	NearDuplicate                // the host has nearly the same content too often
	RefusedAddress               // its address is one that the crawler does not connect to
	Unreachable                  // the host could not be reached, again and again
	Failed                       // the request failed in another way, again and again
	NotModified                  // it is as it was

	// Reasons is how many there are, for arrays that count them.
	Reasons = int(NotModified) + 1
)

var reasons = [Reasons]string{
	"", "disallowed", "out-of-scope", "excluded", "too-deep", "host-budget", "trap", "nofollow",
	"scheme", "bad-url", "too-long", "redirected", "redirects", "not-found", "client-error", "server-error", "unsuitable",
	"duplicate", "near-duplicate", "refused-address", "unreachable", "failed", "not-modified",
}

// String returns the name of the reason, such as "disallowed"; it is empty for
// None.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of the reason.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler] for the names of reasons.
func (r *Reason) UnmarshalText(name []byte) error {
	i := slices.Index(reasons[:], string(name))
	if i < 0 {
		return fmt.Errorf("crawl: unknown reason %s", printable.Quoted(string(name), 100))
	}
	*r = Reason(i)
	return nil
}
