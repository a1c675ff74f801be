package robottest

import "github.com/robotsexclusion/robots/internal/language"

// A Level is a set of duties, each level on top of the one before.
type Level uint8

// The levels.
const (
	None      Level = iota // not even the duties of Basic are shown
	Basic                  // the robot obeys robots.txt
	Polite                 // it does not burden the server
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
	Sentence string `json:"sentence"` // in English; the robot is its subject

	// Optional duties are shown only by robots that do what few need to do. A duty that is not
	// shown does not keep a robot from its level then.
	Optional bool `json:"optional,omitempty"`

	site  string   // the exercise that shows it; "" if all do
	with  []string // exercises that are needed too, or that suffice if all show the duty
	needs need
	judge func(t *trial, s *site) verdict
	text  language.Text // of Sentence
	args  []any
}

// A need says which requests a verdict needs. The log keeps the first ones of each host.
type need uint8

const (
	allRequests   need = iota
	allFiles           // all requests for robots.txt
	firstRequests      // the first ones, or any, or those that Web.count counts
)

// In returns the sentence in a language.
func (d *Duty) In(l language.Language) string { return d.text.In(l, d.args...) }

// duties are all duties, in the order of reports.
var duties = inEnglish([]Duty{
	{ID: "robots-first", Level: Basic, Section: "RFC 9309, 2.3", with: []string{"disallow", "empty"},
		needs: firstRequests, judge: robotsFirst,
		text: language.New("asks a host for robots.txt before anything else")},
	{ID: "origins", Level: Basic, Section: "RFC 9309, 2.3", with: []string{"disallow", "empty"}, needs: firstRequests,
		judge: origins, Optional: true,
		text: language.New("asks each origin for a robots.txt of its own: scheme, host and port")},
	{ID: "disallow", Level: Basic, Section: "RFC 9309, 2.2.2", site: "disallow", judge: obeys,
		text: language.New("keeps away from disallowed paths")},
	{ID: "closed-host", Level: Basic, Section: "RFC 9309, 2.2.2", site: "closed", with: []string{"sitemap"},
		judge: staysAway,
		text:  language.New("requests no page of a host that is closed as a whole")},
	{ID: "own-group", Level: Basic, Section: "RFC 9309, 2.2.1", site: "own-group", judge: obeys,
		text: language.New("obeys the group of its own product token, and not that of everyone")},
	{ID: "token-case", Level: Basic, Section: "RFC 9309, 2.2.1", site: "group-case", judge: obeys,
		text: language.New("finds its group whatever the case of the letters")},
	{ID: "joined-groups", Level: Basic, Section: "RFC 9309, 2.2.1", site: "joined-groups", judge: obeys,
		text: language.New("obeys all groups of its product token as one")},
	{ID: "longest-match", Level: Basic, Section: "RFC 9309, 2.2.2", site: "longest", judge: obeys,
		text: language.New("lets the longest rule that matches decide")},
	{ID: "allow-on-tie", Level: Basic, Section: "RFC 9309, 2.2.2", site: "tie", judge: obeys,
		text: language.New("prefers Allow to a Disallow that is equally long")},
	{ID: "wildcards", Level: Basic, Section: "RFC 9309, 2.2.3", site: "wildcards", judge: obeys,
		text: language.New("reads * and $ in paths")},
	{ID: "escapes", Level: Basic, Section: "RFC 9309, 2.2.2", site: "escapes", judge: obeys,
		text: language.New("compares paths in one form of percent-encoding")},
	{ID: "queries", Level: Basic, Section: "RFC 9309, 2.2.2", site: "queries", judge: obeys,
		text: language.New("compares rules with the query of a URL too")},
	{ID: "byte-order-mark", Level: Basic, Section: "SPEC 2; RFC 3629, 6", site: "mark", judge: obeys,
		text: language.New("reads a file that begins with a byte order mark")},
	{ID: "line-ends", Level: Basic, Section: "RFC 9309, 2.2; SPEC 2", site: "line-ends", judge: obeys,
		text: language.New("reads lines that end with CR, LF or CRLF, and a last line without an end")},
	{ID: "unknown-lines", Level: Basic, Section: "RFC 9309, 2.2 and 2.2.4", site: "unknown-lines", judge: obeys,
		text: language.New("reads on after comments, empty lines, unknown records and lines that are not records")},
	{ID: "empty-file", Level: Basic, Section: "RFC 9309, 2.2.1", site: "empty", judge: obeys,
		text: language.New("visits a host with an empty robots.txt")},
	{ID: "missing-file", Level: Basic, Section: "RFC 9309, 2.3.1.3", site: "missing", judge: obeys,
		text: language.New("visits a host without a robots.txt (404)")},
	{ID: "forbidden-file", Level: Basic, Section: "RFC 9309, 2.3.1.3", site: "forbidden", judge: obeys,
		text: language.New("may visit a host that refuses its robots.txt (403)")},
	{ID: "server-error", Level: Basic, Section: "RFC 9309, 2.3.1.4", site: "server-error", with: []string{"sitemap"},
		judge: staysAway,
		text:  language.New("requests no page while robots.txt is answered with a server error")},
	{ID: "no-answer", Level: Basic, Section: "RFC 9309, 2.3.1.4", site: "no-answer", with: []string{"sitemap"},
		judge: staysAway,
		text:  language.New("requests no page while the request for robots.txt has no answer")},
	{ID: "five-redirects", Level: Basic, Section: "RFC 9309, 2.3.1.2", site: "moved", judge: obeys,
		text: language.New("follows five redirects of robots.txt")},
	{ID: "redirect-elsewhere", Level: Basic, Section: "RFC 9309, 2.3.1.2", site: "elsewhere", with: []string{"aside"},
		judge: obeys,
		text:  language.New("follows a redirect of robots.txt to another host, and applies the file to the first one")},
	{ID: "large-file", Level: Basic, Section: "RFC 9309, 2.5", site: "large", judge: obeys,
		text: language.New("reads at least the first 500 KiB of robots.txt")},
	{ID: "html-file", Level: Basic, Section: "RFC 9309, 2.3.1.1", site: "html", judge: obeys,
		text: language.New("visits a host whose robots.txt is an HTML page without rules")},

	{ID: "name", Level: Polite, Section: "RFC 9309, 2.2.1", needs: firstRequests, judge: namesItself,
		text: language.New("names itself with a product token in User-Agent")},
	{ID: "contact", Level: Polite, Section: "SPEC 7; RFC 9110, 10.1.2 and 10.1.5", needs: firstRequests,
		judge: givesContact,
		text:  language.New("gives the address of a page or a mailbox in User-Agent")},
	{ID: "one-at-a-time", Level: Polite, Section: "SPEC 7", site: "one-at-a-time", judge: oneAtATime,
		text: language.New("makes one request at a time to a host")},
	{ID: "crawl-delay", Level: Polite, Section: "SPEC 4 and 7", site: "delay", judge: keepsDelay,
		text: language.New(
			"keeps a Crawl-delay of 2 seconds (at least %[1]s from start to start)"), args: []any{leastGap.String()}},
	{ID: "pause", Level: Polite, Section: "SPEC 7", site: "pause", judge: pauses,
		text: language.New(
			"pauses where nothing asks for it: %[1]d ⟨request/requests⟩ to a host in a row take at least %[2]s"),
		args: []any{burst, leastBurst.String()}},
	{ID: "retry-after", Level: Polite, Section: "RFC 9110, 10.2.3; RFC 6585, 4", site: "retry-seconds", judge: waits,
		text: language.New("stays away from a host as long as Retry-After asks, in seconds")},
	{ID: "retry-date", Level: Polite, Section: "RFC 9110, 10.2.3", site: "retry-date", judge: waits,
		text: language.New("stays away from a host until the date in Retry-After")},
	{ID: "robots-kept", Level: Polite, Section: "RFC 9309, 2.4", with: []string{"pause"}, needs: allFiles,
		judge: keepsFile,
		text: language.New(
			"keeps robots.txt: at most %[1]d ⟨request/requests⟩ for a good one at a host"), args: []any{mostFiles}},
	{ID: "once", Level: Polite, Section: "SPEC 7", with: []string{"pause"}, judge: fetchesOnce,
		text: language.New(
			"does not fetch a good page again and again: at most %[1]d ⟨time/times⟩"), args: []any{mostFetches}},
	{ID: "redirect-loop", Level: Polite, Section: "RFC 9110, 15.4", site: "loop", judge: leavesLoop,
		text: language.New("leaves a loop of redirects: at most %[1]d ⟨request/requests⟩"), args: []any{mostHops}},
	{ID: "dead-pages", Level: Polite, Section: "SPEC 7", site: "dead", judge: givesUp,
		text: language.New(
			"gives up a page that has a server error: at most %[1]d ⟨try/tries⟩"), args: []any{mostTries}},
	{ID: "cut-pages", Level: Polite, Section: "SPEC 7", site: "cut", judge: givesUp,
		text: language.New(
			"gives up a page whose connection breaks: at most %[1]d ⟨try/tries⟩"), args: []any{mostTries}},
	{ID: "slows-down", Level: Polite, Section: "SPEC 7; RFC 9110, 15.6.4", site: "overload", judge: slowsDown,
		text: language.New(
			"slows down when a host answers 503: at most %[1]d ⟨request/requests⟩ in the next %[2]s"),
		args: []any{mostSoon, overload.String()}},
	{ID: "safe-methods", Level: Polite, Section: "RFC 9110, 9.2.1", with: []string{"side-effects"},
		needs: firstRequests, judge: safeMethods,
		text: language.New("sends no form: requests have the methods GET and HEAD")},
	{ID: "gone-page", Level: Polite, Section: "SPEC 7", site: "gone", judge: asksOnce,
		text: language.New(
			"does not ask again for a page that does not exist: at most %[1]d ⟨time/times⟩"), args: []any{mostFetches}},

	{ID: "calendar", Level: Exemplary, Section: "SPEC 7", site: "calendar", judge: leavesTree,
		text: language.New(
			"leaves an endless calendar: at most %[1]d ⟨request/requests⟩"), args: []any{mostInside}},
	{ID: "session-ids", Level: Exemplary, Section: "SPEC 7", site: "sessions", judge: leavesTree,
		text: language.New(
			"leaves pages whose links have a new session number each time: at most %[1]d ⟨request/requests⟩"),
		args: []any{mostInside}},
	{ID: "deeper-paths", Level: Exemplary, Section: "SPEC 7", site: "deeper", judge: leavesTree,
		text: language.New(
			"leaves paths that get longer and longer: at most %[1]d ⟨request/requests⟩"), args: []any{mostInside}},
	{ID: "link-nofollow", Level: Exemplary, Section: "SPEC 5", site: "link-nofollow", judge: avoids,
		text: language.New("does not follow links with rel=nofollow")},
	{ID: "page-nofollow", Level: Exemplary, Section: "SPEC 5", site: "page-nofollow", judge: avoids,
		text: language.New("does not follow the links of a page whose META tag says nofollow")},
	{ID: "header-nofollow", Level: Exemplary, Section: "SPEC 5", site: "header-nofollow", judge: avoids,
		text: language.New("does not follow the links of a page whose X-Robots-Tag says nofollow")},
	{ID: "side-effects", Level: Exemplary, Section: "SPEC 7", site: "side-effects", judge: avoids,
		text: language.New("avoids URLs whose names say that a visit changes something")},
	{ID: "request-rate", Level: Exemplary, Section: "SPEC 4 and 7", site: "rate", judge: keepsRate,
		text: language.New(
			"keeps a Request-rate of one page in 3 seconds (at least %[1]s from start to start)"),
		args: []any{leastRate.String()}},
	{ID: "visit-time", Level: Exemplary, Section: "SPEC 4 and 7", site: "visit-time", with: []string{"sitemap"},
		judge: staysAway,
		text:  language.New("requests no page outside the Visit-time")},
	{ID: "endless-page", Level: Exemplary, Section: "SPEC 7", site: "endless", judge: cuts,
		text: language.New("leaves a page without an end, before it has read 64 MiB")},
	{ID: "slow-page", Level: Exemplary, Section: "SPEC 7", site: "slow", judge: cuts,
		text: language.New("leaves a page that sends a byte every two seconds, within four minutes")},
	{ID: "sitemap", Level: Exemplary, Section: "SPEC 4 and 7", site: "sitemap", needs: firstRequests,
		judge: readsSitemap, Optional: true,
		text: language.New("visits pages that only a sitemap names")},
	{ID: "conditional", Level: Exemplary, Section: "SPEC 6; RFC 9110, 13.1", with: []string{"pause"},
		needs: firstRequests, judge: asksConditionally, Optional: true,
		text: language.New("asks with the validator of its copy when it requests robots.txt again")},
})

// inEnglish fills in the sentences.
func inEnglish(list []Duty) []Duty {
	for i := range list {
		list[i].Sentence = list[i].In(language.English)
	}
	return list
}
