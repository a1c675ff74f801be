// Package robotstxt has the API of github.com/temoto/robotstxt, answered by this module. A program
// changes its import line and nothing else:
//
//	import "github.com/temoto/robotstxt"
//	import robotstxt "github.com/robotsexclusion/robots/compat/temoto"
//
// Groups are found as in the original: by the longest name in the file that is a prefix of the
// robot's name. So Googlebot-Image obeys the group for Googlebot. Everything else follows RFC 9309.
// doc/migrating.md in the repository shows which answers differ, how often on real files, and why.
// It also lists, for each call of temoto, the call of package robots that gives a reason.
package robotstxt

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
)

// WhitespaceChars has no effect. The original reads it as the white space of its parser; the white
// space of RFC 9309 is fixed.
var WhitespaceChars = []rune{' ', '\t', '\v'}

// RobotsData is a robots.txt. The zero value has no rules. It is safe for concurrent use.
type RobotsData struct {
	Host     string   // the value of the last Host line
	Sitemaps []string // the values of the Sitemap lines, as written

	policy *robots.Policy  // nil if there are no rules
	names  map[string]bool // of the groups, in lower case, without "*"
	most   int             // the length of the longest name
}

// A Group is the rules for a robot. The zero value has no rules. It is safe for concurrent use.
type Group struct {
	// Agent is the name in the file that matched, or "*". In the original it is always empty.
	Agent string
	// CrawlDelay is the longest Crawl-delay of the group, or 0.
	CrawlDelay time.Duration

	group *robots.Group // nil if there are no rules
}

// A ParseError has the errors of a file. No function returns it: every text is a robots.txt, and
// lines that are not understood have no effect, as RFC 9309, section 2.3.1.5 asks.
type ParseError struct {
	Errs []error
}

// Error returns a line for each error.
func (e ParseError) Error() string {
	text := "Parse error(s): \n"
	for _, err := range e.Errs {
		text += err.Error() + "\n"
	}
	return text
}

// FromStatusAndBytes reads the answer to a request for robots.txt. Everything is allowed for 4xx,
// and nothing for 429 and 5xx. The error says that the status is none of these, and not 2xx.
func FromStatusAndBytes(statusCode int, body []byte) (*RobotsData, error) {
	switch {
	case statusCode >= 200 && statusCode < 300:
		return FromBytes(body)
	case statusCode == http.StatusTooManyRequests, statusCode >= 500 && statusCode < 600:
		return &RobotsData{policy: robots.DisallowAll()}, nil
	case statusCode >= 400 && statusCode < 500:
		return &RobotsData{policy: robots.AllowAll()}, nil
	}
	return nil, errors.New("Unexpected status: " + strconv.Itoa(statusCode))
}

// FromStatusAndString is like [FromStatusAndBytes] for a string.
func FromStatusAndString(statusCode int, body string) (*RobotsData, error) {
	return FromStatusAndBytes(statusCode, []byte(body))
}

// FromResponse is like [FromStatusAndBytes] for a response, whose body it reads and does not close.
// Like the original it returns nil without an error if res is nil. Package fetch has a FromResponse
// with limits.
func FromResponse(res *http.Response) (*RobotsData, error) {
	if res == nil {
		return nil, nil
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	return FromStatusAndBytes(res.StatusCode, body)
}

// FromBytes reads a robots.txt. The error is always nil. As in the original, body may be used again
// afterwards.
func FromBytes(body []byte) (r *RobotsData, err error) { return FromString(string(body)) }

// FromString reads a robots.txt. The error is always nil.
func FromString(body string) (r *RobotsData, err error) {
	r = &RobotsData{policy: robots.ParseString(body), names: make(map[string]bool)}
	for _, g := range r.policy.Groups() {
		for _, name := range g.Agents() {
			if name != "*" {
				r.names[strings.ToLower(name)] = true
				r.most = max(r.most, len(name))
			}
		}
	}
	for _, record := range r.policy.Records("sitemap") {
		r.Sitemaps = append(r.Sitemaps, record.Value)
	}
	for _, record := range r.policy.Records("host") {
		r.Host = record.Value
	}
	return r, nil
}

// TestAgent reports whether a robot may fetch a path with its query, or an absolute URL. Any other
// text is never allowed.
func (r *RobotsData) TestAgent(path, agent string) bool { return r.FindGroup(agent).Test(path) }

// FindGroup returns the group with the longest name that is a prefix of agent, in letters of any
// case, or else the group for everyone. It never returns nil.
func (r *RobotsData) FindGroup(agent string) *Group {
	if r.policy == nil {
		return new(Group)
	}
	agent = strings.ToLower(agent)
	g := &Group{group: r.policy.For()}
	for n := min(len(agent), r.most); n > 0; n-- {
		if r.names[agent[:n]] {
			g.group = r.policy.For(agent[:n])
			break
		}
	}
	g.Agent = g.group.Token()
	delay, _ := g.group.CrawlDelay()
	g.CrawlDelay = delay.Delay
	return g
}

// Test reports whether the robot of the group may fetch a path: see [RobotsData.TestAgent].
func (g *Group) Test(path string) bool {
	if strings.HasPrefix(path, "//") {
		path = "https://example.com" + path // a path, as in the original: not a host
	}
	group := g.group
	if group == nil {
		group = new(robots.Group)
	}
	return group.Allowed(path)
}
