package questions

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotname"
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
	Agents   []string    `json:"agents"`  // names of robots; without them, any robot
	Unknown  bool        `json:"unknown"` // take names that look misspelt
	Links    bool        `json:"links"`
	Reading  string      `json:"reading"`
	Language string      `json:"language"` // of diagnostics and sentences
}

// readPage answers with the JSON of a page.Doc, and with "for", the decision for each robot and its
// "sentence"; "notes" about robots that nobody knows; "follow", whether the first robot may follow
// each link; and "diagnostics", as "robots page --lint" prints them.
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
	doc, err := page.Read(strings.NewReader(q.HTML), o)
	if err != nil {
		return nil, wrong(engine.Fault, "%v", err) // a string gives no errors
	}
	asked, notes, err := q.robots(doc)
	if err != nil {
		return nil, err
	}
	type decision struct {
		Agent    string         `json:"agent"`
		Decision *page.Decision `json:"decision"`
		Sentence string         `json:"sentence"`
	}
	var more struct {
		For         []decision        `json:"for"`
		Notes       []string          `json:"notes,omitempty"`
		Follow      []bool            `json:"follow,omitempty"`
		Diagnostics []page.Diagnostic `json:"diagnostics"`
	}
	more.Notes = notes
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

// robots returns the robots of the question, with notes about those that neither the table nor the
// page knows. A program may ask about its own robot; a name that looks misspelt is an error.
func (q *pageQuestion) robots(doc *page.Doc) (asked []agent.Subject, notes []string, err error) {
	if len(q.Agents) == 0 {
		return []agent.Subject{builtin.SubjectNamed("*")}, nil, nil
	}
	if err := robotname.CheckSize(q.Agents, maxAgents); err != nil {
		return nil, nil, wrong(engine.BadValue, "%v", err)
	}
	known := robotname.Names{Language: language.Parse(q.Language)}
	for _, d := range doc.Directives {
		if d.Robot != "" {
			known.Add(d.Robot)
		}
	}
	asked, err = known.Resolve(q.Agents)
	nobody, isUnknown := errors.AsType[*robotname.UnknownError](err)
	switch {
	case isUnknown && !q.Unknown && nobody.Mistyped():
		return nil, nil, wrong(engine.BadValue, "%s", robotname.InJSON(nobody))
	case isUnknown:
		notes = nobody.Notes()
	case err != nil:
		return nil, nil, wrong(engine.BadValue, "%v", err)
	}
	return asked, notes, nil
}
