package engine

import (
	"strconv"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// About returns what JavaScript has to know of an engine, as JSON: the names of dialects and
// reasons by their numbers, the questions, and the limits.
func (e *Engine) About() []byte {
	var dialects, questions []string
	for _, d := range robots.Dialects() {
		dialects = append(dialects, d.String())
	}
	for _, q := range e.questions {
		questions = append(questions, q.Name)
	}
	b := appendStrings([]byte(`{"dialects":`), dialects)
	b = appendStrings(append(b, `,"reasons":`...), Reasons())
	b = appendStrings(append(b, `,"questions":`...), questions)
	b = strconv.AppendInt(append(b, `,"max_text":`...), MaxText, 10)
	return append(b, '}')
}

// appendStrings appends a list of strings as JSON.
func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = printable.AppendString(b, s)
	}
	return append(b, ']')
}

// Facts returns the facts in a policy for a robot other than rules, as JSON: "group", the name in
// the file that matched the robot; "line", the number of its first user-agent line, or 0;
// "crawl_delay" in seconds, or null; and "sitemaps", the values of the sitemap records of the whole
// file, some of which may not be URLs.
func (e *Engine) Facts(handle, robot uint32) ([]byte, error) {
	p, err := e.policy(handle)
	if err != nil {
		return nil, err
	}
	g, err := p.robot(robot)
	if err != nil {
		return nil, err
	}
	b := printable.AppendString([]byte(`{"group":`), g.Token())
	b = strconv.AppendInt(append(b, `,"line":`...), int64(g.Line()), 10)
	b = append(b, `,"crawl_delay":`...)
	if d, ok := g.CrawlDelay(); ok {
		b = strconv.AppendFloat(b, d.Delay.Seconds(), 'g', -1, 64)
	} else {
		b = append(b, "null"...)
	}
	var sitemaps []string
	for _, r := range p.Records("sitemap") {
		sitemaps = append(sitemaps, r.Value)
	}
	b = appendStrings(append(b, `,"sitemaps":`...), sitemaps)
	return append(b, '}'), nil
}
