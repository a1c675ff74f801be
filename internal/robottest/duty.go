package robottest

import "fmt"

// A Level is a set of duties, each level on top of the one before.
type Level uint8

// The levels.
const (
	None      Level = iota // not even the duties of Basic are shown
	Basic                  // the robot obeys robots.txt
	Polite                 // it is no burden
	Exemplary              // it does what a careful author would do
)

var levelNames = [...]string{"none", "basic", "polite", "exemplary"}

// Levels returns the names of the levels that a robot can reach, in order.
func Levels() []string { return levelNames[Basic:] }

// ParseLevel returns the level with a name.
func ParseLevel(name string) (Level, bool) {
	for l := Basic; l <= Exemplary; l++ {
		if levelNames[l] == name {
			return l, true
		}
	}
	return None, false
}

// String returns the name of the level.
func (l Level) String() string { return levelNames[l] }

// MarshalText returns the text of String.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// A Duty is one thing that a robot does, or does not do.
type Duty struct {
	ID       string `json:"id"`
	Level    Level  `json:"level"`
	Section  string `json:"section"`  // of RFC 9309, or of another document
	Sentence string `json:"sentence"` // the robot is its subject

	// Optional duties are shown only by robots that do what few need to do. A duty that is not
	// shown does not keep a robot from its level then.
	Optional bool `json:"optional,omitempty"`

	site  string // the exercise that shows it; "" if all do
	judge func(t *trial, s *site) verdict
}

// Duties returns all duties, by level.
func Duties() []Duty { return duties }

// duties are all duties, in the order of reports.
var duties = []Duty{
	{ID: "robots-first", Level: Basic, Section: "RFC 9309, 2.3", judge: robotsFirst,
		Sentence: "asks a host for robots.txt before anything else"},
	{ID: "origins", Level: Basic, Section: "RFC 9309, 2.3", judge: origins, Optional: true,
		Sentence: "asks each origin for a robots.txt of its own: scheme, host and port"},
	{ID: "disallow", Level: Basic, Section: "RFC 9309, 2.2.2", site: "disallow", judge: obeys,
		Sentence: "keeps away from disallowed paths"},
	{ID: "closed-host", Level: Basic, Section: "RFC 9309, 2.2.2", site: "closed", judge: staysAway,
		Sentence: "requests no page of a host that is closed as a whole"},
	{ID: "own-group", Level: Basic, Section: "RFC 9309, 2.2.1", site: "own-group", judge: obeys,
		Sentence: "obeys the group of its own product token, and not that of everyone"},
	{ID: "token-case", Level: Basic, Section: "RFC 9309, 2.2.1", site: "group-case", judge: obeys,
		Sentence: "finds its group whatever the case of the letters"},
	{ID: "joined-groups", Level: Basic, Section: "RFC 9309, 2.2.1", site: "joined-groups", judge: obeys,
		Sentence: "obeys all groups of its product token as one"},
	{ID: "longest-match", Level: Basic, Section: "RFC 9309, 2.2.2", site: "longest", judge: obeys,
		Sentence: "lets the longest rule that matches decide"},
	{ID: "allow-on-tie", Level: Basic, Section: "RFC 9309, 2.2.2", site: "tie", judge: obeys,
		Sentence: "prefers Allow to a Disallow that is equally long"},
	{ID: "wildcards", Level: Basic, Section: "RFC 9309, 2.2.3", site: "wildcards", judge: obeys,
		Sentence: "reads * and $ in paths"},
	{ID: "escapes", Level: Basic, Section: "RFC 9309, 2.2.2", site: "escapes", judge: obeys,
		Sentence: "compares paths in one form of percent-encoding"},
	{ID: "queries", Level: Basic, Section: "RFC 9309, 2.2.2", site: "queries", judge: obeys,
		Sentence: "compares rules with the query of a URL too"},
	{ID: "byte-order-mark", Level: Basic, Section: "RFC 9309, 2.3", site: "mark", judge: obeys,
		Sentence: "reads a file that begins with a byte order mark"},
	{ID: "line-ends", Level: Basic, Section: "RFC 9309, 2.2", site: "line-ends", judge: obeys,
		Sentence: "reads lines that end with CR, LF or CRLF, and a last line without an end"},
	{ID: "unknown-lines", Level: Basic, Section: "RFC 9309, 2.2.4", site: "unknown-lines", judge: obeys,
		Sentence: "reads on after comments, unknown records and lines that are no records"},
	{ID: "empty-file", Level: Basic, Section: "RFC 9309, 2.2.1", site: "empty", judge: obeys,
		Sentence: "visits a host with an empty robots.txt"},
	{ID: "missing-file", Level: Basic, Section: "RFC 9309, 2.3.1.3", site: "missing", judge: obeys,
		Sentence: "visits a host without a robots.txt (404)"},
	{ID: "forbidden-file", Level: Basic, Section: "RFC 9309, 2.3.1.3", site: "forbidden", judge: obeys,
		Sentence: "may visit a host that refuses its robots.txt (403)"},
	{ID: "server-error", Level: Basic, Section: "RFC 9309, 2.3.1.4", site: "server-error", judge: staysAway,
		Sentence: "requests no page while robots.txt is answered with a server error"},
	{ID: "no-answer", Level: Basic, Section: "RFC 9309, 2.3.1.4", site: "no-answer", judge: staysAway,
		Sentence: "requests no page while the request for robots.txt has no answer"},
	{ID: "five-redirects", Level: Basic, Section: "RFC 9309, 2.3.1.2", site: "moved", judge: obeys,
		Sentence: "follows five redirects of robots.txt"},
	{ID: "redirect-elsewhere", Level: Basic, Section: "RFC 9309, 2.3.1.2", site: "elsewhere", judge: obeys,
		Sentence: "follows a redirect of robots.txt to another host, and applies the file to the first one"},
	{ID: "large-file", Level: Basic, Section: "RFC 9309, 2.5", site: "large", judge: obeys,
		Sentence: "reads at least the first 500 KiB of robots.txt"},
	{ID: "html-file", Level: Basic, Section: "RFC 9309, 2.3.1.1", site: "html", judge: obeys,
		Sentence: "visits a host whose robots.txt is a page of HTML without rules"},

	{ID: "name", Level: Polite, Section: "RFC 9309, 2.2.1", judge: namesItself,
		Sentence: "names itself with a product token in User-Agent"},
	{ID: "contact", Level: Polite, Section: "SPEC 7; RFC 9110, 10.1.2 and 10.1.5", judge: givesContact,
		Sentence: "gives the address of a page or a mailbox in User-Agent or From"},
	{ID: "one-at-a-time", Level: Polite, Section: "SPEC 7", site: "one-at-a-time", judge: oneAtATime,
		Sentence: "makes one request at a time to a host"},
	{ID: "crawl-delay", Level: Polite, Section: "SPEC 4 and 7", site: "delay", judge: keepsDelay,
		Sentence: fmt.Sprintf("keeps a Crawl-delay of 2 seconds (at least %v from start to start)", leastGap)},
	{ID: "pause", Level: Polite, Section: "SPEC 7", site: "pause", judge: pauses,
		Sentence: fmt.Sprintf("pauses where nothing asks for it: %d requests to a host in a row take at least %v", burst, leastBurst)},
	{ID: "retry-after", Level: Polite, Section: "RFC 9110, 10.2.3; RFC 6585, 4", site: "retry-seconds", judge: waits,
		Sentence: "stays away from a host as long as Retry-After asks, in seconds"},
	{ID: "retry-date", Level: Polite, Section: "RFC 9110, 10.2.3", site: "retry-date", judge: waits,
		Sentence: "stays away from a host until the date in Retry-After"},
	{ID: "robots-kept", Level: Polite, Section: "RFC 9309, 2.4", judge: keepsFile,
		Sentence: fmt.Sprintf("keeps robots.txt: at most %d requests for a good one at a host", mostFiles)},
	{ID: "once", Level: Polite, Section: "SPEC 7", judge: fetchesOnce,
		Sentence: fmt.Sprintf("does not fetch a good page again and again: at most %d times", mostFetches)},
	{ID: "redirect-loop", Level: Polite, Section: "RFC 9110, 15.4", site: "loop", judge: leavesLoop,
		Sentence: fmt.Sprintf("leaves a loop of redirects: at most %d requests", mostHops)},
	{ID: "dead-pages", Level: Polite, Section: "SPEC 7", site: "dead", judge: givesUp,
		Sentence: fmt.Sprintf("gives up a page that has a server error: at most %d tries", mostTries)},
	{ID: "cut-pages", Level: Polite, Section: "SPEC 7", site: "cut", judge: givesUp,
		Sentence: fmt.Sprintf("gives up a page whose connection breaks: at most %d tries", mostTries)},
	{ID: "slows-down", Level: Polite, Section: "SPEC 7; RFC 9110, 15.6.4", site: "overload", judge: slowsDown,
		Sentence: fmt.Sprintf("slows down when a host answers 503: at most %d requests in the next %v", mostSoon, overload)},
	{ID: "safe-methods", Level: Polite, Section: "RFC 9110, 9.2.1", judge: safeMethods,
		Sentence: "sends no form: requests have the methods GET and HEAD"},
	{ID: "gone-page", Level: Polite, Section: "SPEC 7", site: "gone", judge: asksOnce,
		Sentence: fmt.Sprintf("does not ask again for a page that does not exist: at most %d times", mostFetches)},

	{ID: "calendar", Level: Exemplary, Section: "SPEC 7", site: "calendar", judge: leavesTree,
		Sentence: fmt.Sprintf("leaves a calendar without an end: at most %d requests", mostInside)},
	{ID: "session-ids", Level: Exemplary, Section: "SPEC 7", site: "sessions", judge: leavesTree,
		Sentence: fmt.Sprintf("leaves pages whose links have a new session number each time: at most %d requests", mostInside)},
	{ID: "deeper-paths", Level: Exemplary, Section: "SPEC 7", site: "deeper", judge: leavesTree,
		Sentence: fmt.Sprintf("leaves paths that get longer and longer: at most %d requests", mostInside)},
	{ID: "link-nofollow", Level: Exemplary, Section: "SPEC 5", site: "link-nofollow", judge: avoids,
		Sentence: "does not follow links with rel=nofollow"},
	{ID: "page-nofollow", Level: Exemplary, Section: "SPEC 5", site: "page-nofollow", judge: avoids,
		Sentence: "does not follow the links of a page whose META tag says nofollow"},
	{ID: "header-nofollow", Level: Exemplary, Section: "SPEC 5", site: "header-nofollow", judge: avoids,
		Sentence: "does not follow the links of a page whose X-Robots-Tag says nofollow"},
	{ID: "side-effects", Level: Exemplary, Section: "SPEC 7", site: "side-effects", judge: avoids,
		Sentence: "avoids URLs whose names say that a visit changes something"},
	{ID: "request-rate", Level: Exemplary, Section: "SPEC 4 and 7", site: "rate", judge: keepsRate,
		Sentence: fmt.Sprintf("keeps a Request-rate of one page in 3 seconds (at least %v from start to start)", leastRate)},
	{ID: "visit-time", Level: Exemplary, Section: "SPEC 4 and 7", site: "visit-time", judge: staysAway,
		Sentence: "requests no page outside the Visit-time"},
	{ID: "endless-page", Level: Exemplary, Section: "SPEC 7", site: "endless", judge: cuts,
		Sentence: "leaves a page without an end, before it has read 64 MiB"},
	{ID: "slow-page", Level: Exemplary, Section: "SPEC 7", site: "slow", judge: cuts,
		Sentence: "leaves a page that sends a byte every two seconds, within four minutes"},
	{ID: "sitemap", Level: Exemplary, Section: "SPEC 4 and 7", site: "sitemap", judge: readsSitemap, Optional: true,
		Sentence: "visits pages that only a sitemap names"},
	{ID: "conditional", Level: Exemplary, Section: "SPEC 6; RFC 9110, 13.1", judge: asksConditionally, Optional: true,
		Sentence: "asks with the validator of its copy when it requests robots.txt again"},
}
