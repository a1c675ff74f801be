package monitor

import (
	"fmt"
	"strings"
	"time"
)

// A Kind says what a finding is about.
type Kind string

// The kinds. Stored, and sent to receivers: never change a word.
const (
	ClosedSite   Kind = "closed-site"   // all robots lost the whole site
	ClosedSearch Kind = "closed-search" // search engines lost paths
	OpenedSite   Kind = "opened-site"   // the whole site was closed, and is open
	Closed       Kind = "closed"        // other robots lost paths
	Opened       Kind = "opened"        // robots gained paths
	Undecided    Kind = "undecided"     // the comparison of the rules took too many cases
	Records      Kind = "records"       // records beside the rules changed
	Status       Kind = "status"        // robots.txt has another status
	Redirected   Kind = "redirect"      // robots.txt redirects to another URL
	PageChanged  Kind = "page"          // a page says something else to search engines
	Mistake      Kind = "mistake"       // lint finds a mistake that was not there

	Unreachable Kind = "unreachable" // no answer, or 429 or 5xx
	HTML        Kind = "html"        // an HTML page in place of robots.txt
	Empty       Kind = "empty"       // an empty text in place of robots.txt
	Unusable    Kind = "unusable"    // a text without a line for robots in place of robots.txt
	Challenge   Kind = "challenge"   // a page that asks whether the client is a person
	UTF16       Kind = "utf-16"      // a text in UTF-16, in which robots find no rules
	Cut         Kind = "cut"         // robots ignore the end of a file that is too long
	Claim       Kind = "claim"       // a claim does not hold
	Unexpected  Kind = "unexpected"  // other rules than in the expected file
	Unread      Kind = "unread"      // the expected file could not be read
	Vantage     Kind = "vantage"     // another file for another User-Agent header
	Certificate Kind = "certificate" // it ends soon, or is not valid
	BadSitemap  Kind = "sitemap"     // a sitemap that robots.txt names has a fault
)

// A Severity says how urgent a finding is.
type Severity uint8

// The severities. Stored: never renumber.
const (
	Notice   Severity = 1 // good to know
	Warning  Severity = 2 // somebody should look at the site
	Critical Severity = 3 // the site loses visitors, or shows what it wants to hide
)

// severityNames has the words of JSON. Stored: never change a word.
var severityNames = map[Severity]string{Notice: "notice", Warning: "warning", Critical: "critical"}

// String returns a word such as "warning".
func (s Severity) String() string {
	if name, ok := severityNames[s]; ok {
		return name
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// MarshalText implements [encoding.TextMarshaler].
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Severity) UnmarshalText(text []byte) error {
	for severity, name := range severityNames {
		if name == string(text) {
			*s = severity
			return nil
		}
	}
	return fmt.Errorf("monitor: %q is not a severity: write notice, warning or critical", text)
}

// A Finding is one thing that is wrong with a site, or that changed. It is plain data. Strangers
// wrote its strings:
// [Finding.Sentence] is safe to show.
type Finding struct {
	Kind     Kind     `json:"kind"`
	Severity Severity `json:"severity"`
	Subject  string   `json:"subject,omitempty"`  // the claim, URL of a page, User-Agent header or check
	Robots   []string `json:"robots,omitempty"`   // product tokens; "*" is all that robots.txt does not name
	Patterns []string `json:"patterns,omitempty"` // of the rules that decide; or the records
	Witness  string   `json:"witness,omitempty"`  // a path that shows it

	// Before and After are what changed, for example statuses; After alone is a detail.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`

	Since time.Time `json:"since,omitzero"` // of Unreachable: the first failure; of Certificate: its end

	// The reverse change would be more severe than a notice, as this one is: so a repair would be
	// an incident if the change were normal at once.
	fragile bool
}

const (
	maxListed = 20   // robots, patterns or records in a finding
	maxLength = 1000 // bytes of each: strangers write rules of any length, and findings are stored and sent
)

// listed returns the start of a list, without repetitions.
func listed(all []string) (list []string) {
	seen := make(map[string]bool)
	for _, s := range all {
		if len(s) > maxLength {
			s = strings.ToValidUTF8(s[:maxLength], "") + "…"
		}
		if len(list) < maxListed && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}
