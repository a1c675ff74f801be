package agent

// Obedience tells whether a robot does what robots.txt asks.
type Obedience uint8

// The kinds of obedience.
const (
	Unsaid  Obedience = iota // nobody says
	Obeys                    // it reads robots.txt and obeys it
	Partly                   // it obeys in some cases, or in some points
	Ignores                  // it does not read it, or not for this
)

var obediences = [...]string{"unknown", "yes", "partly", "no"}

// String returns "yes", "partly", "no" or "unknown".
func (o Obedience) String() string {
	if int(o) < len(obediences) {
		return obediences[o]
	}
	return "unknown"
}

// Delay tells what a robot takes the number of a Crawl-delay record for.
type Delay uint8

// The readings of Crawl-delay.
const (
	delayUnsaid  Delay = iota // nobody says
	DelayIgnored              // nothing
	DelayPause                // seconds between two requests
	DelayRate                 // seconds in which it makes one request at most, wherever in them
)

var delays = [...]string{"unknown", "no", "pause", "rate"}

// String returns "no", "pause", "rate" or "unknown".
func (d Delay) String() string {
	if int(d) < len(delays) {
		return delays[d]
	}
	return "unknown"
}
