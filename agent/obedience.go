package agent

import "github.com/robotsexclusion/robots/agent/internal/robotlist"

// Obedience is whether a robot obeys robots.txt.
type Obedience uint8

// The kinds of obedience.
const (
	Unsaid  Obedience = iota // nobody says
	Obeys                    // it reads robots.txt and obeys it
	Partly                   // it obeys in some cases, or in some points
	Ignores                  // it does not read robots.txt, or not for this use
)

// String returns "yes", "partly", "no" or "unknown".
func (o Obedience) String() string {
	if int(o) < len(robotlist.Obediences) {
		return robotlist.Obediences[o]
	}
	return "unknown"
}

// Delay is how a robot reads the number of a Crawl-delay record.
type Delay uint8

// The readings of Crawl-delay.
const (
	delayUnsaid  Delay = iota // nobody says
	DelayIgnored              // nothing
	DelayPause                // seconds between two requests
	DelayRate                 // a window of seconds with one request at most, at any time within
)

// String returns "no", "pause", "rate" or "unknown".
func (d Delay) String() string {
	if int(d) < len(robotlist.Delays) {
		return robotlist.Delays[d]
	}
	return "unknown"
}
