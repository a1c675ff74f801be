package audit

import (
	"time"
)

// A Report is the result of an audit. It is stable JSON. Lists are sorted, so that two reports of
// the same requests are equal.
type Report struct {
	Lines      int64 `json:"lines"` // Requests, Unreadable, empty lines, comments and directives
	Requests   int64 `json:"requests"`
	Unreadable int64 `json:"unreadable"`
	Unnamed    int64 `json:"unnamed"` // of Requests, those without a User-Agent header

	// Proxied counts the requests of robots that a proxy in front of the server sent, if nearly all
	// came that way: from a few addresses that sent nearly all people too, or mostly from published
	// ranges of content delivery networks. Then no request is forged, Robot.Hours lacks some
	// requests, and no address of a proxy is in Robot.Addresses. Proxies has up to 50 addresses of
	// the proxy.
	Proxied int64    `json:"proxied,omitempty"`
	Proxies []string `json:"proxies,omitempty"`

	First time.Time `json:"first,omitzero"` // the times of the first and last request
	Last  time.Time `json:"last,omitzero"`

	Hosts []Host `json:"hosts"`
	// requests to hosts that Hosts lacks: it has 1,000 beside those of Options
	OtherHosts int64 `json:"other_hosts,omitempty"`

	Robots []Robot `json:"robots"` // the most certain violations first, then the most requests, then by token
	// WithoutHours is the number of robots and programs without Hours, because all hours together
	// would be too many.
	WithoutHours int `json:"without_hours,omitempty"`

	Others   *Others   `json:"others,omitempty"` // robots and programs in no table, beyond the first 10,000
	Unjudged Unjudged  `json:"unjudged"`         // requests of robots and programs that are not judged
	Versions []InForce `json:"versions"`

	// the most evidence first, then the most requests; up to 1,000
	Suspects     []Suspect `json:"suspects"`
	MoreSuspects int       `json:"more_suspects,omitempty"` // suspects that Suspects lacks
	// the requests of clients that do not call themselves robots
	Sample Sample `json:"sample"`
	// the fastest minutes of clients, from 120 requests on; up to 20
	Peaks        []Peak `json:"peaks"`
	CallerSample Sample `json:"robot_sample"` // the requests of robots and programs, for Peaks

	// Notes are what else a reader of the report must know, such as which lines could not be read.
	// The program that prints the report adds them; Part.Report has none.
	Notes []string `json:"notes"`
}

// A Host is a host of the logs. The Name of requests whose lines have no host is "".
type Host struct {
	Name     string `json:"name"`
	Requests int64  `json:"requests"`
	Judged   bool   `json:"judged"` // whether versions of its robots.txt are known

	RobotsTxt Answers `json:"robots_txt"` // zero for hosts that are not judged
}

// Answers counts the answers to GET /robots.txt at a host, to robots and others. If they contradict
// the versions, then the server served another file.
type Answers struct {
	Read      int64 `json:"read"`       // 200 and 304
	OtherSize int64 `json:"other_size"` // of Read, those with another size than the version has
	Nothing   int64 `json:"nothing"`    // 404, 410, 418 and 451
	Forbidden int64 `json:"forbidden"`  // 401, 402 and 403
	Failed    int64 `json:"failed"`     // 429 and 5xx
}

// Unjudged counts requests by the first of these reasons that holds. Requests for /robots.txt are
// not counted: they are never a violation.
type Unjudged struct {
	Program int64 `json:"program"` // of programs that do not call themselves robots
	Device  int64 `json:"device"`  // of people's devices, in the name of a robot
	Own     int64 `json:"own"`     // of the site's own software, which asks its server over loopback
	Forged  int64 `json:"forged"`  // of clients that are not the robot they name
	Target  int64 `json:"target"`  // without a path: "*", an authority, not of HTTP
	Host    int64 `json:"host"`    // to hosts without versions
	Others  int64 `json:"others"`  // of robots and programs whose tokens were too many to keep
	// of robots to which only "*" would apply, and that do not crawl or, as documented, do not obey
	// "*"
	Everyone int64 `json:"everyone"`
}

// Others counts requests of robots and programs that are not in the table, if the logs name more
// than 10,000 of these: the report has the 10,000 with the most certain violations, then the most
// requests, and Others counts the rest. Of more than 131,072 tokens, those with the largest hashes
// are not judged: they have no Violations here, and count as Unjudged.Others.
type Others struct {
	Requests   int64   `json:"requests"`
	Bytes      int64   `json:"bytes"`
	Violations Count   `json:"violations"`
	Clients    Clients `json:"clients"`
}

// InForce is a version with the period when it was in force.
type InForce struct {
	Host  string    `json:"host"`
	ID    string    `json:"id"`
	State State     `json:"state"`
	From  time.Time `json:"from,omitzero"` // as given, or as the log's answers show
	To    time.Time `json:"to,omitzero"`
	Late  bool      `json:"late,omitempty"` // the log's answers show that it began later than given
}

// A Robot reports on one robot. Its requests, bytes, times, violations and pace do not include the
// requests of clients that forged its name.
type Robot struct {
	Token    string   `json:"token"`
	Kind     string   `json:"kind"`  // "robot" or "program"
	Obeys    string   `json:"obeys"` // "yes", "partly", "no" or "unknown", by its operator's documents
	Operator string   `json:"operator"`
	Purposes []string `json:"purposes"`

	Requests int64 `json:"requests"`
	// of Requests, those compared with robots.txt; if 0, the absence of violations means nothing
	Judged    int64     `json:"judged"`
	Bytes     int64     `json:"bytes"`
	RobotsTxt int64     `json:"robots_txt"`         // requests for /robots.txt with GET or HEAD
	LastRead  time.Time `json:"last_read,omitzero"` // of the last GET of /robots.txt with status 200 or 304
	Unread    Unread    `json:"unread"`
	Refused   int64     `json:"refused"` // answers 401, 403, 429 and 444
	First     time.Time `json:"first,omitzero"`
	Last      time.Time `json:"last,omitzero"`

	Clients    Clients    `json:"clients"`
	Identity   Identity   `json:"identity"`
	Violations Violations `json:"violations"`
	Forged     Forged     `json:"forged"`
	Pace       Pace       `json:"pace"`
	Statuses   Statuses   `json:"statuses"`

	// Hours are the hours with requests. If the robots of the table have more than 524,288 hours
	// together, these robots have Days instead. Robots in no table have at most 262,144 hours
	// together: those with the largest hashes of their tokens have none.
	Hours []Hour `json:"hours,omitempty"`
	Days  []Hour `json:"days,omitempty"`

	// Addresses are those of its disallowed requests with the most certain violations, then with
	// the most requests: up to 50 of AddressCount.
	Addresses    []Address `json:"addresses"`
	AddressCount int64     `json:"address_count"`
	// its headers, cut to 256 bytes: those with the smallest hashes, up to 5
	UserAgents []string `json:"user_agents"`
}

// Identity counts requests by agent.Result.
type Identity struct {
	Verified     int64 `json:"verified"`
	Forged       int64 `json:"forged"`
	Unverifiable int64 `json:"unverifiable"`
	Device       int64 `json:"device"`
}

// Count counts disallowed requests: their sum is the number of disallowed requests.
type Count struct {
	Certain  int64 `json:"certain"`
	Informed int64 `json:"informed"`
	Grace    int64 `json:"grace"`
}

// Violations counts the disallowed requests of a robot.
type Violations struct {
	Count
	Verified Count `json:"verified"` // of Count, those of verified clients
	Everyone Count `json:"everyone"` // of Count, those that a rule for everyone disallows: see Rule
	// AfterRedirect counts of Count the requests that came from an address up to ten seconds after
	// its last redirect there (301, 302, 303, 307 or 308), one for each redirect, and none that is
	// a redirect itself: the site may have sent the robot there.
	AfterRedirect int64 `json:"after_redirect"`
	// Normalized counts other requests: those that are allowed as they are written, were answered
	// with 2xx, and are disallowed once their paths have no empty or dot segments, parameters, or
	// escaped slashes, dots and semicolons. RFC 9309 does not forbid them.
	Normalized int64 `json:"normalized"`
	// the most certain violations first, then the most requests, then by host and by time
	Rules []Rule `json:"rules"`
}

// A Rule is a rule that requests broke. Requests, Example, First and Last describe the certain
// violations, or all disallowed requests if there are no certain ones. Everyone is set if the rule
// is in a group that names "*".
type Rule struct {
	Host     string `json:"host"`
	Version  string `json:"version"`
	Line     int    `json:"line"`
	Rule     string `json:"rule"`
	Everyone bool   `json:"everyone"`
	Count
	Requests int64     `json:"requests"`
	Example  Example   `json:"example"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// An Example is a line of a log as evidence.
type Example struct {
	Log  string `json:"log"`
	Line int    `json:"line"`
	Text string `json:"text"` // up to 4,096 bytes
}

// Forged counts the requests of clients that are not the robot they name.
type Forged struct {
	Requests   int64   `json:"requests"`
	Clients    Clients `json:"clients"`
	Violations int64   `json:"violations"` // those that the version at their time disallows to the robot
}

// Pace is how fast a robot requested paths other than /robots.txt, over all its addresses and by
// host, at the hosts that are judged. Programs have no pace. Crawl-delay, Request-rate and
// Visit-time are not in RFC 9309: a robot that does not keep them does not violate it.
//
// Faster, Exceeded and Outside count the requests that break every version on which the robot may
// rely. They are the sums of Versions, and mean nothing if Judged is 0.
type Pace struct {
	Asked  *float64 `json:"asked"`  // the longest Crawl-delay that was in force for it, in seconds, or nil
	Faster int64    `json:"faster"` // gaps that were certainly shorter than the shortest delay on which it may rely
	Median *float64 `json:"median"` // of the gaps, in seconds, or nil without gaps
	Peak   int64    `json:"peak"`   // the most requests in a minute of the clock

	// Judged is how many requests could be compared with a pace: those at a certain time, of robots
	// whose operators do not say that they ignore Crawl-delay. Times without a zone are uncertain
	// unless Options.Zone is set; in the hour that the end of daylight saving repeats they are
	// always uncertain.
	Judged      int64         `json:"judged"`
	RequestRate *RequestRate  `json:"request_rate"` // nil if none was in force for it
	VisitTime   *VisitTime    `json:"visit_time"`   // nil if none was in force for it
	Versions    []PaceVersion `json:"versions"`     // those that asked for a pace while it was judged, by host and time
}

// RequestRate counts the requests of a robot that came faster than Request-rate asked.
type RequestRate struct {
	Asked    string `json:"asked"`    // the slowest rate that was in force for it, without its time of the day
	Exceeded int64  `json:"exceeded"` // requests that were certainly too many in the period of the rate
}

// VisitTime counts the requests of a robot at other times of the day than Visit-time asked.
type VisitTime struct {
	Asked   string `json:"asked"`   // the times in force for it; of several, the shortest
	Outside int64  `json:"outside"` // requests that were outside by more than Options.Slack
}

// A PaceVersion is a version that asked a robot for a pace, and how the robot kept it while the
// version was in force.
type PaceVersion struct {
	Host    string    `json:"host"`
	Version string    `json:"version"`
	From    time.Time `json:"from,omitzero"`

	CrawlDelay  *float64 `json:"crawl_delay"`
	RequestRate []string `json:"request_rate"` // as "10/1m 1300-1659"
	VisitTime   []string `json:"visit_time"`   // as "0600-0845"

	Requests int64 `json:"requests"` // of Pace.Judged
	Faster   int64 `json:"faster"`
	Exceeded int64 `json:"exceeded"`
	Outside  int64 `json:"outside"`
}

// Statuses counts requests by the class of their status code.
type Statuses struct {
	Informational int64 `json:"1xx"`
	Successful    int64 `json:"2xx"`
	Redirected    int64 `json:"3xx"`
	ClientError   int64 `json:"4xx"`
	ServerError   int64 `json:"5xx"`
	Other         int64 `json:"other"`
}
