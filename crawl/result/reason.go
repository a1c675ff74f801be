package result

import (
	"fmt"
	"slices"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Reason is why a URL was not visited, or came to nothing. Each is counted, and
// stands in the results.
type Reason uint8

// The reasons. They are stored by number and by name: never renumber or rename, add at
// the end.
const (
	None           Reason = 0  // it was visited
	Disallowed     Reason = 1  // robots.txt closes it
	OutOfScope     Reason = 2  // it does not belong to the crawl
	Excluded       Reason = 3  // a pattern of the crawl excludes it
	TooDeep        Reason = 4  // it is too many links away from a seed
	HostBudget     Reason = 5  // its host has given as many pages or bytes as it should
	Trap           Reason = 6  // it looks like one of endlessly many, or like one that does something
	Nofollow       Reason = 7  // the page asks not to follow its links, or this one
	OtherScheme    Reason = 8  // it is not of http or https
	BadURL         Reason = 9  // it is not a URL that can be requested
	TooLong        Reason = 10 // it is too long
	Redirected     Reason = 11 // it leads to another URL, which is visited in its place
	Redirects      Reason = 12 // too many redirects led to it
	NotFound       Reason = 13 // the server has no such page: 404 or 410
	ClientError    Reason = 14 // another answer of 4xx
	ServerError    Reason = 15 // an answer of 5xx that did not go away
	Unsuitable     Reason = 16 // it is of a type that nobody asked for
	Duplicate      Reason = 17 // another URL has the same content
	NearDuplicate  Reason = 18 // the host has nearly the same content too often; nothing gets this reason since there is Repetitive
	RefusedAddress Reason = 19 // its address is one that the crawler does not connect to
	Unreachable    Reason = 20 // the host could not be reached, again and again
	Failed         Reason = 21 // the request failed in another way, again and again
	NotModified    Reason = 22 // it is as it was
	Repetitive     Reason = 23 // a page that repeats others led to it, and what such pages lead to there repeats others too: see crawl.ClosedShape
	Broken         Reason = 24 // its body broke off, or could not be decoded, again and again

	// Reasons is how many there are, for arrays that count them.
	Reasons = int(Broken) + 1

	// Unknown is a reason of another version of this program. It is not stored.
	Unknown Reason = 255
)

var reasons = [Reasons]string{
	None:           "",
	Disallowed:     "disallowed",
	OutOfScope:     "out-of-scope",
	Excluded:       "excluded",
	TooDeep:        "too-deep",
	HostBudget:     "host-budget",
	Trap:           "trap",
	Nofollow:       "nofollow",
	OtherScheme:    "scheme",
	BadURL:         "bad-url",
	TooLong:        "too-long",
	Redirected:     "redirected",
	Redirects:      "redirects",
	NotFound:       "not-found",
	ClientError:    "client-error",
	ServerError:    "server-error",
	Unsuitable:     "unsuitable",
	Duplicate:      "duplicate",
	NearDuplicate:  "near-duplicate",
	RefusedAddress: "refused-address",
	Unreachable:    "unreachable",
	Failed:         "failed",
	NotModified:    "not-modified",
	Repetitive:     "repetitive",
	Broken:         "broken",
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
		return fmt.Errorf("result: unknown reason %s", printable.Quoted(string(name), 100))
	}
	*r = Reason(i)
	return nil
}
