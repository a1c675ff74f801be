package questions

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// Limits of a page.
const (
	maxPage      = 16 << 20 // bytes
	maxPageLinks = 10_000
	maxAgents    = 100
)

// pageQuestion is a question about a page.
type pageQuestion struct {
	HTML     string      `json:"html"`
	Headers  [][2]string `json:"headers"` // names and values
	URL      string      `json:"url"`     // against which links are resolved
	Agents   []string    `json:"agents"`  // product tokens or User-Agent headers; without them, any robot
	Links    bool        `json:"links"`
	Reading  string      `json:"reading"`
	Language string      `json:"language"` // of diagnostics and sentences
}

// readPage answers with the JSON of a page.Doc, and with "for", the decision for each robot and its
// "sentence"; "follow", whether the first robot may follow each link; and "diagnostics", as "robots
// page --lint" prints them.
func readPage(_ *engine.Engine, q *pageQuestion) ([]byte, error) {
	o := page.Options{Header: make(http.Header), MaxSize: maxPage, Lint: true, Language: q.Language}
	if q.Links {
		o.MaxLinks = maxPageLinks
	}
	for _, h := range q.Headers {
		name := strings.TrimSpace(h[0])
		if name == "" || strings.ContainsAny(h[0]+h[1], "\r\n") {
			return nil, wrong(engine.BadValue, "%s is not the name of a header: write it as X-Robots-Tag",
				printable.Quoted(h[0], 100))
		}
		o.Header.Add(name, strings.TrimSpace(h[1]))
	}
	if strings.TrimSpace(o.Header.Get("Content-Type")) == "" {
		o.Header.Set("Content-Type", "text/html; charset=utf-8") // JSON is always UTF-8
	}
	if q.Reading != "" {
		if err := o.Reading.UnmarshalText([]byte(q.Reading)); err != nil {
			return nil, wrong(engine.BadValue, "%v", err)
		}
	}
	if q.URL != "" {
		u, err := url.Parse(q.URL)
		if err != nil || !u.IsAbs() {
			return nil, wrong(engine.BadURL, "%s is not an absolute URL", printable.Quoted(q.URL, 100))
		}
		o.URL = u
	}
	if len(q.Agents) > maxAgents {
		return nil, wrong(engine.BadValue, "%d robots are given, more than %d", len(q.Agents), maxAgents)
	}
	var asked []agent.Subject
	for _, name := range q.Agents {
		asked = append(asked, builtin.Subject(name))
	}
	if len(asked) == 0 {
		asked = []agent.Subject{builtin.Subject("*")}
	}
	doc, err := page.Read(strings.NewReader(q.HTML), o)
	if err != nil {
		return nil, wrong(engine.Fault, "%v", err) // a string gives no errors
	}
	type decision struct {
		Agent    string         `json:"agent"`
		Decision *page.Decision `json:"decision"`
		Sentence string         `json:"sentence"`
	}
	var more struct {
		For         []decision        `json:"for"`
		Follow      []bool            `json:"follow,omitempty"`
		Diagnostics []page.Diagnostic `json:"diagnostics"`
	}
	for _, s := range asked {
		d := doc.For(s.PageNames()...)
		more.For = append(more.For, decision{s.Name, d, d.Sentence(q.Language)})
	}
	for _, link := range doc.Links {
		more.Follow = append(more.Follow, more.For[0].Decision.Link(link).Follow)
	}
	more.Diagnostics = append([]page.Diagnostic{}, doc.Diagnostics...)
	b := printable.AppendJSON(nil, doc)
	b[len(b)-1] = ',' // in place of the brace
	return printable.JSON(append(b, printable.AppendJSON(nil, more)[1:]...)), nil
}
