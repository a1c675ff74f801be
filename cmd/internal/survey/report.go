package survey

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An Answer is the outcome of fetching the robots.txt of an origin: a result, or an error.
type Answer struct {
	Origin string // or a text that is not an origin
	Result fetch.Result
	Err    error
}

// A Report has an answer and the content of its robots.txt.
type Report struct {
	Answer
	groups   int
	rules    int
	sitemaps []string
	names    []string // names of robots with groups, in lower case, without duplicates
	says     []says   // for the robots asked about
}

// says has the content of a policy for one robot.
type says struct {
	Agent      string       `json:"agent"`
	Group      string       `json:"group"` // the robot's name in the file, or "" if there is no group
	Rules      int          `json:"rules"`
	Root       robots.Match `json:"root"` // whether "/" is allowed
	CrawlDelay float64      `json:"crawl_delay,omitempty"`
}

// Limits for what is kept of one origin: only a hostile file has more.
const (
	mostNames    = 1000
	mostSitemaps = 1000
)

// NewReport returns the report of an answer, with the content for these robots.
func NewReport(a Answer, asked []agent.Subject) *Report {
	r := &Report{Answer: a}
	if a.Err != nil {
		return r
	}
	policy := a.Result.Policy
	seen := make(map[string]bool)
	for _, g := range policy.Groups() {
		r.groups++
		for range g.Rules() {
			r.rules++
		}
		for _, name := range g.Agents() {
			if name = strings.ToLower(name); !seen[name] && len(r.names) < mostNames {
				seen[name] = true
				r.names = append(r.names, name)
			}
		}
	}
	for _, s := range policy.Sitemaps() {
		if len(r.sitemaps) < mostSitemaps {
			r.sitemaps = append(r.sitemaps, s.URL.String())
		}
	}
	for _, robot := range asked {
		g := robot.Group(policy)
		s := says{Agent: robot.Name, Group: g.Token(), Root: g.Match("/")}
		for range g.Rules() {
			s.Rules++
		}
		if delay, ok := g.CrawlDelay(); ok {
			s.CrawlDelay = delay.Delay.Seconds()
		}
		r.says = append(r.says, s)
	}
	return r
}

// MarshalJSON returns the object of the result with the content of the file, or an object with
// "origin" and "error".
func (r *Report) MarshalJSON() ([]byte, error) {
	if r.Err != nil {
		return json.Marshal(struct {
			Origin string `json:"origin"`
			Error  string `json:"error"`
		}{r.Origin, r.Err.Error()})
	}
	result, err := json.Marshal(r.Result)
	if err != nil {
		return nil, err
	}
	more, err := json.Marshal(struct {
		Groups   int      `json:"groups"`
		Rules    int      `json:"rules"`
		Sitemaps []string `json:"sitemaps,omitempty"`
		Names    []string `json:"names,omitempty"`
		For      []says   `json:"for,omitempty"`
	}{r.groups, r.rules, r.sitemaps, r.names, r.says})
	if err != nil {
		return nil, err
	}
	return append(append(result[:len(result)-1], ','), more[1:]...), nil
}

// state returns the cell for the outcome.
func (r *Report) state() columns.Cell {
	switch {
	case r.Err != nil:
		return columns.Red("error")
	case r.Result.State == fetch.OK:
		return columns.Green("ok")
	case r.Result.State == fetch.Unavailable:
		return columns.Text("unavailable")
	}
	return columns.Red(string(r.Result.State))
}

// text returns the outcome as a sentence.
func (r *Report) text() string {
	if r.Err != nil {
		return printable.Shown(r.Origin) + ": " + printable.Text(r.Err.Error())
	}
	text := r.Result.String()
	if r.Result.File != nil && r.Result.State == fetch.OK {
		text += fmt.Sprintf("; %s in %s", language.Count(r.rules, "rule"), language.Count(r.groups, "group"))
	}
	if err := r.Result.CacheErr; err != nil {
		text += "; the cache failed: " + printable.Text(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return text
}

// beneath returns lines with the content for each robot.
func (r *Report) beneath() (lines []string) {
	for _, s := range r.says {
		line := fmt.Sprintf("    %s: ", printable.Shown(s.Agent))
		if s.Group != "" {
			line += fmt.Sprintf("group %s, %s; ", printable.Text(s.Group), language.Count(s.Rules, "rule"))
		}
		line += "/ is " + s.Root.String()
		if s.CrawlDelay > 0 {
			line += fmt.Sprintf("; crawl delay %v", time.Duration(s.CrawlDelay*float64(time.Second)))
		}
		lines = append(lines, line)
	}
	return lines
}

// inline returns the verdicts for the robots asked about.
func (r *Report) inline() (text string) {
	for _, s := range r.says {
		if s.Agent != "*" {
			verdict := "disallowed"
			if s.Root.Allowed {
				verdict = "allowed"
			}
			text += fmt.Sprintf("; %s: / %s", printable.Shown(s.Agent), verdict)
		}
	}
	return text
}
