package testweb

import (
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Violation is something that a polite robot would not have done.
type Violation struct {
	What Offence
	At   time.Duration // since the web began
	Host string        // its origin; or the address, if it is none of the web
	Path string        // empty where it is about no single one
	Why  string

	// Requests are the lines of the log that show it, at most ten.
	Requests []Request
}

// String returns the violation with the lines of the log, each on a line.
func (v Violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.4f s: %s: %s%s: %s", v.At.Seconds(), v.What, v.Host, printable.Text(v.Path), printable.Text(v.Why))
	for _, r := range v.Requests {
		fmt.Fprintf(&b, "\n\t%s", r)
	}
	return b.String()
}

// An Offence is a kind of violation.
type Offence uint8

// The offences.
const (
	Disallowed    Offence = iota // robots.txt did not allow the request
	BeforeRobots                 // there was no robots.txt yet, none could be had, or it was too old
	OutOfHours                   // it was not in the Visit-time
	TooEarly                     // the pause before it was too short
	Overlap                      // another request to the host was open
	Crowd                        // too many requests to hosts of one address were open
	SideEffect                   // it did something, or it was neither GET nor HEAD
	Refused                      // a connection to an address that a dial filter must refuse
	Trapped                      // too many requests into a trap
	Twice                        // the same page again, before its time
	Unconditional                // the same page again, without If-None-Match or If-Modified-Since
	Nofollowed                   // only links that are not to be followed lead there
	Stray                        // no link leads there
	Missed                       // a page that can be reached was not fetched
	Nobody                       // the request is for a host that is not of this web, or the other scheme
	Anonymous                    // User-Agent does not have the product token
)

var offenceNames = []string{
	"disallowed", "before robots.txt", "out of hours", "too early", "overlap", "crowd", "side effect", "refused address",
	"trapped", "twice", "unconditional", "nofollowed", "stray", "missed", "no such host", "anonymous",
}

// String returns the name of the offence, such as "too early".
func (o Offence) String() string {
	if int(o) < len(offenceNames) {
		return offenceNames[o]
	}
	return "unknown"
}
