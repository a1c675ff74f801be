package testweb

import (
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Violation is an action that a polite robot would not have taken.
type Violation struct {
	What Offence
	At   time.Duration // since the web began
	Host string        // origin, or the address if it is not on the web
	Path string        // empty if no single path is concerned
	Why  string

	// Requests are at most ten lines of the log that prove the violation.
	Requests []Request
}

// String returns the violation with the lines of the log, each on a line.
func (v Violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.4f s: %s: %s%s: %s", v.At.Seconds(), v.What, v.Host, printable.Text(v.Path),
		printable.Text(v.Why))
	for _, r := range v.Requests {
		fmt.Fprintf(&b, "\n\t%s", r)
	}
	return b.String()
}

// An Offence is a kind of violation.
type Offence uint8

// The offences.
const (
	Disallowed    Offence = iota // robots.txt does not allow the request
	BeforeRobots                 // no robots.txt was known or available, or it was too old
	OutOfHours                   // outside of Visit-time
	TooEarly                     // the pause before the request was too short
	Overlap                      // another request to the host was open
	Crowd                        // too many open requests to hosts of one address
	SideEffect                   // the request has a side effect, or is neither GET nor HEAD
	Refused                      // a connection to an address that a dial filter must refuse
	Trapped                      // too many requests into a trap
	Twice                        // the same page again, before its time
	Unconditional                // the same page again, without If-None-Match or If-Modified-Since
	Nofollowed                   // only nofollow links lead there
	Stray                        // no link leads there
	Missed                       // a reachable page was not fetched
	Nobody                       // a request for a host outside the web, or with the wrong scheme
	Anonymous                    // the User-Agent lacks the product token
)

var offenceNames = []string{
	"disallowed", "before robots.txt", "out of hours", "too early", "overlap", "crowd", "side effect",
	"refused address",
	"trapped", "twice", "unconditional", "nofollowed", "stray", "missed", "no such host", "anonymous",
}

// String returns the name of the offence, such as "too early".
func (o Offence) String() string {
	if int(o) < len(offenceNames) {
		return offenceNames[o]
	}
	return "unknown"
}
