// Package card makes the report card of a robots.txt: what the file says to the robots of each
// purpose, for all URLs; its mistakes; what search engines read otherwise; its sitemaps; and the
// commands that fit. The command prints the card, and the service sends it.
package card

import (
	"errors"
	"slices"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A Card is the report of a robots.txt. Its strings are printable.
type Card struct {
	Subject   string     `json:"subject" doc:"the name of the file, or the origin"`
	Answer    *Response  `json:"answer,omitempty" doc:"how the server answered, if it was asked"`
	Bytes     int        `json:"bytes" doc:"the size of the text"`
	Groups    int        `json:"groups" doc:"the number of groups"`
	NotRobots string     `json:"not_robots,omitempty" doc:"why the text is not a robots.txt: it allows everything"`
	Purposes  []Purpose  `json:"purposes" doc:"what it says to robots by purpose; a robot may have several"`
	Named     []Says     `json:"named" doc:"what it says to other robots that it names"`
	NamedMore int        `json:"named_more,omitempty" doc:"the number of further names, which were not looked at"`
	Everyone  Says       `json:"everyone" doc:"what it says to robots that it does not name"`
	Mistakes  Mistakes   `json:"mistakes" doc:"what lint finds"`
	Sitemaps  []string   `json:"sitemaps" doc:"the first sitemaps"`
	MoreMaps  int        `json:"sitemaps_more,omitempty" doc:"the number of further sitemaps"`
	Elsewhere []Reading  `json:"elsewhere" doc:"paths for which a search engine answers otherwise than RFC 9309"`
	Undecided bool       `json:"undecided,omitempty" doc:"there may be more such paths, in too many cases"`
	LostAt    int        `json:"lost_at_line,omitempty" doc:"the line at which Google and Bing stop, after 500 KiB"`
	Next      []Proposal `json:"next" doc:"commands that fit, at most three"`
}

// A Response is the answer of a server for robots.txt.
type Response struct {
	State       string   `json:"state" doc:"what it means" enum:"ok,unavailable,unreachable,forbidden"`
	Status      int      `json:"status,omitempty" doc:"of the last answer; missing without an answer"`
	URL         string   `json:"url" doc:"the last URL that was asked for"`
	Redirects   []string `json:"redirects,omitempty" doc:"the URLs that were asked for before, in order"`
	ContentType string   `json:"content_type,omitempty" doc:"the header Content-Type"`
	Cause       string   `json:"cause,omitempty" doc:"why the state is not ok"`
	Copy        bool     `json:"copy,omitempty" doc:"the server failed, and an older copy is in force"`
	Cut         bool     `json:"cut,omitempty" doc:"the text is longer, and only its beginning was read"`
	MaxAge      *int     `json:"max_age,omitempty" doc:"seconds for which caches may use the answer, if it says so"`
}

// A Purpose is what a robots.txt says to the robots of a purpose.
type Purpose struct {
	Purpose string `json:"purpose" doc:"such as ai-train"`
	Robots  int    `json:"robots" doc:"the number of known robots with the purpose"`
	Says    []Says `json:"says" doc:"what it says, to most robots first"`
}

// The states of Says, which are proven for all paths.
const (
	Open         = "open"          // every path is allowed
	Closed       = "closed"        // no path is allowed, except /robots.txt
	OpenExcept   = "open-except"   // all is allowed, except paths of some patterns
	ClosedExcept = "closed-except" // all is disallowed, except paths of some patterns
	Undecided    = "undecided"     // a proof took too many cases
)

// Says is what a group says to its robots, proven for all paths.
type Says struct {
	State    string   `json:"state" doc:"for all paths" enum:"open,closed,open-except,closed-except,undecided"`
	Robots   []string `json:"robots" doc:"the product tokens"`
	Lines    []int    `json:"lines,omitempty" doc:"the lines of the groups that the robots obey, ten at most"`
	Patterns []string `json:"patterns,omitempty" doc:"the first patterns of the exceptions"`
	Count    int      `json:"count,omitempty" doc:"the number of such patterns"`
	AtMost   bool     `json:"at_most,omitempty" doc:"some of these may decide nothing, in too many cases to prove"`
}

// Mistakes are the findings of lint.
type Mistakes struct {
	Errors   int       `json:"errors" doc:"the number of errors"`
	Warnings int       `json:"warnings" doc:"the number of warnings"`
	Infos    int       `json:"infos" doc:"the number of infos, which are not among the findings"`
	Findings []Finding `json:"findings" doc:"the first errors, then the first warnings"`
	Fixes    int       `json:"fixes" doc:"the number of findings that lint repairs by itself"`
}

// A Finding is a mistake.
type Finding struct {
	Line     int    `json:"line" doc:"the number of the line, starting at 1"`
	Severity string `json:"severity" doc:"how bad the mistake is" enum:"error,warning"`
	Check    string `json:"check" doc:"the name of the check"`
	Message  string `json:"message" doc:"what is wrong, and why"`
}

// A Reading is a path for which a search engine gives a robot another answer.
type Reading struct {
	Reader  string `json:"reader" doc:"the search engine" enum:"google,bing,yandex,apple"`
	Agent   string `json:"agent" doc:"the robot"`
	Path    string `json:"path" doc:"the path"`
	Allowed bool   `json:"allowed" doc:"the answer of the search engine"`
	Line    int    `json:"line,omitempty" doc:"the line by which it decides, if one does"`
	Rule    string `json:"rule,omitempty" doc:"that line, as the search engine understands it"`
}

// A Proposal is a command line, and what it does.
type Proposal struct {
	Command string `json:"command" doc:"to be typed in a shell"`
	Does    string `json:"does" doc:"what it does"`
	step    Step
}

// Step returns where the page does the same.
func (p Proposal) Step() Step { return p.step }

// A Step is where the page does what a Proposal does. Without a View only the command does it.
type Step struct {
	View     string `json:"view,omitempty"`     // its name on the page; "findings" is under the editor
	Robots   string `json:"robots,omitempty"`   // to ask about there
	Address  string `json:"address,omitempty"`  // to ask about there
	Purposes string `json:"purposes,omitempty"` // to close there
}

// A ReportQuestion is the body of POST /v1/report, which the service answers with a Card. Its text
// is Robots or RobotsBase64.
type ReportQuestion struct {
	Robots       *string `json:"robots,omitempty" doc:"the text of robots.txt" maxBytes:"512000"`
	RobotsBase64 []byte  `json:"robots_base64,omitempty" doc:"the text, if it is not UTF-8" maxBytes:"512000"`
	Language     string  `json:"language,omitempty" doc:"of messages; without it, English" enum:"en,es,ko,ru"`
}

// Limits of a card.
const (
	maxFindings = 10
	maxSitemaps = 10
	maxReadings = 10
	maxPatterns = 10
)

// Options are what a card needs beside the text.
type Options struct {
	Subject  string       // the name of the file, or the origin
	Site     bool         // the subject is an origin
	Answer   *Response    // of the origin, if its server was asked
	Robots   *agent.Table // nil is the table of package agent
	Language language.Language

	// Flags returns the flags of the card that a command on it repeats, after its verb.
	Flags func(command string) []string
}

// Make returns the card of a policy in the dialect RFC 9309.
func Make(p *robots.Policy, o Options) *Card {
	text := p.String()
	c := &Card{Subject: printable.Text(o.Subject), Bytes: len(text), Groups: len(p.Groups()),
		Sitemaps: []string{}, Elsewhere: []Reading{}}
	lintOptions := lint.Options{Robots: o.Robots, Language: o.Language.String()}
	if o.Site {
		lintOptions.Origin = o.Subject
	}
	if c.Answer = o.Answer; c.Answer != nil && c.Answer.Status != 0 {
		lintOptions.Response = responseOf(c.Answer)
	}
	c.NotRobots = lint.NotRobots(p, o.Language.String())
	c.says(p, o.Robots)
	c.mistakes(lint.Run(p, lintOptions))
	for _, s := range p.Sitemaps() {
		if len(c.Sitemaps) == maxSitemaps {
			c.MoreMaps++
		} else {
			c.Sitemaps = append(c.Sitemaps, printable.Clipped(s.URL.String(), maxURL))
		}
	}
	if c.NotRobots == "" {
		c.compare(p, o.Robots)
	}
	c.Next = c.next(o)
	return c
}

// maxURL is the maximum number of bytes of a URL or a rule on the card.
const maxURL = 2 << 10

// responseOf returns the answer for lint.
func responseOf(a *Response) *lint.Response {
	r := &lint.Response{URL: a.URL, Redirects: a.Redirects, Status: a.Status, Cause: a.Cause}
	if a.State == "ok" {
		r.ContentType = a.ContentType
		if a.MaxAge != nil {
			r.MaxAge = lint.Age{Known: true, Age: time.Duration(*a.MaxAge) * time.Second}
		}
	}
	return r
}

// mistakes adds the findings of lint: errors, then warnings.
func (c *Card) mistakes(r *lint.Report) {
	m := &c.Mistakes
	m.Errors = r.Count(lint.Error)
	m.Warnings = r.Count(lint.Warning) - m.Errors
	m.Infos = r.Count(lint.Info) - m.Errors - m.Warnings
	m.Findings = []Finding{}
	for _, severity := range []lint.Severity{lint.Error, lint.Warning} {
		for _, d := range r.Diagnostics {
			if d.Severity == severity && len(m.Findings) < maxFindings {
				m.Findings = append(m.Findings, Finding{d.Line, severity.String(), d.Check.Name,
					printable.Clipped(d.Message, maxURL)})
			}
		}
	}
	for _, d := range r.Diagnostics {
		if d.Fix != nil && d.Fix.Safe && d.Severity > lint.Info {
			m.Fixes++
		}
		if d.Check.Name == "too-large" && d.Severity == lint.Error {
			c.LostAt = d.Line
		}
	}
}

// engines are the readers whose differences are on the card: the documents before RFC 9309 matter
// to few.
var engines = slices.DeleteFunc(proof.Readers(), func(r proof.Reader) bool { return r.Operator == "" })

// Limits of the search for differences.
const (
	compareStates = 1 << 8 // of each of its parts
	maxCompared   = 32     // robots that the text names
)

// compare adds the paths for which search engines give their robots other answers, one for each
// engine, robot and answer.
func (c *Card) compare(p *robots.Policy, table *agent.Table) {
	runs := func(r proof.Reader, name string) bool { return table.Named(name).Operator == r.Operator }
	names := []string{"*"}
	named, _, _ := named(p)
	for _, name := range named {
		if slices.ContainsFunc(engines, func(r proof.Reader) bool { return runs(r, name) }) {
			names = append(names, name)
		}
	}
	c.Undecided = len(names) > maxCompared
	found, err := proof.Portable(p, proof.Options{Robots: table, Limit: compareStates, Readers: engines,
		Agents: names[:min(len(names), maxCompared)]})
	c.Undecided = c.Undecided || errors.Is(err, pathset.ErrUndecided)
	for _, d := range found {
		if d.Agent != "*" && !runs(d.Reader, d.Agent) || len(c.Elsewhere) == maxReadings {
			continue
		}
		r := Reading{Reader: d.Reader.Name, Agent: printable.Clipped(d.Agent, maxURL),
			Path: printable.Clipped(d.Witness, maxURL), Allowed: d.Other.Allowed}
		if d.Other.Reason == robots.DecidingRule {
			r.Line, r.Rule = d.Other.Rule.Line, printable.Clipped(d.Other.Rule.String(), maxURL)
		}
		c.Elsewhere = append(c.Elsewhere, r)
	}
}
