package engine

import (
	"encoding/json"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// facts are what a policy says to a robot beside the rules.
type facts struct {
	Group      string   `json:"group"`                 // the name in the file by which the robot was found, or ""
	Line       int      `json:"line,omitempty"`        // of its first user-agent line
	CrawlDelay *float64 `json:"crawl_delay,omitempty"` // seconds
	Sitemaps   []string `json:"sitemaps"`              // of the whole file
}

// Facts returns what a policy says to a robot beside the rules, as JSON: "group", "line", "crawl_delay" in seconds, and
// "sitemaps".
func (e *Engine) Facts(handle, robot uint32) ([]byte, error) {
	p, err := e.policy(handle)
	if err != nil {
		return nil, err
	}
	g, err := p.robot(robot)
	if err != nil {
		return nil, err
	}
	f := facts{Group: g.Token(), Line: g.Line(), Sitemaps: []string{}}
	if d, ok := g.CrawlDelay(); ok {
		seconds := d.Delay.Seconds()
		f.CrawlDelay = &seconds
	}
	for _, s := range p.Sitemaps() {
		f.Sitemaps = append(f.Sitemaps, s.URL.String())
	}
	b, err := json.Marshal(f)
	return printable.JSON(b), err
}

// About returns what JavaScript has to know of an engine, as JSON: the names of dialects and reasons by their numbers,
// the questions, and the limits.
func (e *Engine) About() []byte {
	about := struct {
		Dialects  []robots.Dialect `json:"dialects"`
		Reasons   []string         `json:"reasons"`
		Questions []string         `json:"questions"`
		MaxText   int              `json:"max_text"`
	}{robots.Dialects(), Reasons(), []string{}, MaxText}
	for _, q := range e.questions {
		about.Questions = append(about.Questions, q.Name)
	}
	return printable.AppendJSON(nil, about)
}
