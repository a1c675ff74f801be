package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A report is the output of fetch for one origin: the outcome of fetching, and the content.
type report struct {
	*fetched
	groups   int
	rules    int
	sitemaps []string
	names    []string // names of robots with groups, in lower case, without duplicates
	says     []says   // for the robots on the command line
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

func newReport(f *fetched, asked []agent.Subject) *report {
	r := &report{fetched: f}
	if f.err != nil {
		return r
	}
	policy := f.result.Policy
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
func (r *report) MarshalJSON() ([]byte, error) {
	if r.err != nil {
		return json.Marshal(struct {
			Origin string `json:"origin"`
			Error  string `json:"error"`
		}{r.origin, explainFetch(r.err).Error()})
	}
	result, err := json.Marshal(r.result)
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
func (r *report) state() columns.Cell {
	switch {
	case r.err != nil:
		return columns.Red("error")
	case r.result.State == fetch.OK:
		return columns.Green("ok")
	case r.result.State == fetch.Unavailable:
		return columns.Text("unavailable")
	}
	return columns.Red(r.result.State.String())
}

// text returns the outcome as a sentence.
func (r *report) text() string {
	if r.err != nil {
		return shown(r.origin) + ": " + printable.Text(explainFetch(r.err).Error())
	}
	text := r.result.String()
	if r.result.File != nil && r.result.State == fetch.OK {
		text += fmt.Sprintf("; %s in %s", count(r.rules, "rule"), count(r.groups, "group"))
	}
	if err := r.result.CacheErr; err != nil {
		text += "; the cache failed: " + printable.Text(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return text
}

// beneath returns lines with the content for each robot.
func (r *report) beneath() (lines []string) {
	for _, s := range r.says {
		line := fmt.Sprintf("    %s: ", shown(s.Agent))
		if s.Group != "" {
			line += fmt.Sprintf("group %s, %s; ", printable.Text(s.Group), count(s.Rules, "rule"))
		}
		line += "/ is " + s.Root.String()
		if s.CrawlDelay > 0 {
			line += fmt.Sprintf("; crawl delay %v", time.Duration(s.CrawlDelay*float64(time.Second)))
		}
		lines = append(lines, line)
	}
	return lines
}

// inline returns the verdicts for the robots named on the command line.
func (r *report) inline() (text string) {
	for _, s := range r.says {
		if s.Agent != "*" {
			verdict := "disallowed"
			if s.Root.Allowed {
				verdict = "allowed"
			}
			text += fmt.Sprintf("; %s: / %s", shown(s.Agent), verdict)
		}
	}
	return text
}

// saveText saves the fetched text in a folder, if the origin has a text.
func saveText(folder string, r *fetch.Result) error {
	if r.State != fetch.OK {
		return nil
	}
	return saveAs(folder, r.Origin, r.Policy.String())
}

// saveAs saves the text of an origin in a folder.
func saveAs(folder, origin, text string) error {
	name := strings.TrimPrefix(origin, "https://")
	name = strings.ReplaceAll(name, "://", "_")                          // http
	name = strings.NewReplacer(":", "_", "[", "", "]", "").Replace(name) // ports and addresses: not all systems accept ":" in names
	name = filepath.Join(folder, name+".robots.txt")
	err := putFile(name, text, 0o644, false)
	if err != nil {
		return fmt.Errorf("cannot save %s: %w", name, cause(err))
	}
	return nil
}
