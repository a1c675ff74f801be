package result

import (
	"fmt"
	"slices"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Reason is why a URL was not visited, or gave no page. Reasons are counted, and are
// written to the results.
type Reason uint8

// The reasons. They are stored by number and by name: never renumber or rename, add at
// the end.
const (
	None           Reason = 0  // the URL was visited
	Disallowed     Reason = 1  // robots.txt disallows the URL
	OutOfScope     Reason = 2  // the URL is outside the scope of the crawl
	Excluded       Reason = 3  // a pattern of the crawl excludes the URL
	TooDeep        Reason = 4  // the URL is too many links away from a seed
	HostBudget     Reason = 5  // the budget of pages or bytes of its host is spent
	Trap           Reason = 6  // the URL looks like one of endlessly many, or like one whose visit has an effect
	Nofollow       Reason = 7  // the page asks not to follow its links, or this one
	OtherScheme    Reason = 8  // the scheme is not http or https
	BadURL         Reason = 9  // the URL cannot be requested
	TooLong        Reason = 10 // the URL is too long
	Redirected     Reason = 11 // the URL redirects to another URL, which is visited instead
	Redirects      Reason = 12 // too many redirects led to the URL
	NotFound       Reason = 13 // the server has no such page: 404 or 410
	ClientError    Reason = 14 // another status of 4xx
	ServerError    Reason = 15 // a status of 5xx, after all retries
	Unsuitable     Reason = 16 // the media type is not wanted
	Duplicate      Reason = 17 // another URL has the same content
	nearDuplicate  Reason = 18 // no longer used: Repetitive replaced it
	RefusedAddress Reason = 19 // the crawler does not connect to the address of the host
	Unreachable    Reason = 20 // the host could not be reached, after all retries
	Failed         Reason = 21 // the request failed in another way, after all retries
	NotModified    Reason = 22 // the page has not changed
	// the link is on a page that repeats others, and the pages behind such links repeat others too:
	// see crawl.ClosedShape
	Repetitive Reason = 23
	Broken     Reason = 24 // the body broke off, or could not be decoded, after all retries
	LongPause  Reason = 25 // robots.txt asks for longer pauses than the crawl makes

	// Reasons is the number of reasons, for arrays of counts.
	Reasons = int(LongPause) + 1

	// unknown is a reason of another version of this program. It is never stored.
	unknown Reason = 255
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
	nearDuplicate:  "near-duplicate",
	RefusedAddress: "refused-address",
	Unreachable:    "unreachable",
	Failed:         "failed",
	NotModified:    "not-modified",
	Repetitive:     "repetitive",
	Broken:         "broken",
	LongPause:      "long-pause",
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
