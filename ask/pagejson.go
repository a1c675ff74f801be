package ask

import (
	"encoding/json"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A pageObject is what a page says, in JSON.
type pageObject struct {
	URL         string           `json:"url"`
	Redirects   []string         `json:"redirects,omitempty"`
	Status      int              `json:"status,omitempty"`
	Type        string           `json:"content_type,omitempty"`
	Title       string           `json:"title,omitempty"`
	Description string           `json:"description,omitempty"`
	Keywords    []string         `json:"keywords,omitempty"`
	Canonical   string           `json:"canonical,omitempty"`
	Original    string           `json:"original,omitempty"`
	TDMPolicy   string           `json:"tdm_policy,omitempty"`
	State       string           `json:"state"`
	Charset     string           `json:"charset,omitempty"`
	Bytes       int64            `json:"bytes"`
	Cut         string           `json:"cut,omitempty"`
	Error       string           `json:"error,omitempty"` // why the page was not read
	Directives  []page.Directive `json:"directives"`
	For         []decisionObject `json:"for"`
	Links       []linkObject     `json:"links,omitempty"`
}

// A decisionObject is the decision for a robot.
type decisionObject struct {
	Agent    string         `json:"agent"`
	Decision *page.Decision `json:"decision"`
}

// A linkObject is a link of the page, and whether the first robot may follow it.
type linkObject struct {
	URL     string   `json:"url"`
	Element string   `json:"element"`
	Rel     []string `json:"rel,omitempty"`
	Line    int      `json:"line"`
	Follow  bool     `json:"follow"`
}

// AppendJSON appends an object with what the page says to robots, as "robots page --json" prints
// it: the facts for indexers, the "directives", and in "for" the decision for each robot. With
// links, it has the links of p.Doc, and whether the first robot may follow each. The page needs
// a Doc.
func (p *Page) AppendJSON(b []byte, robots []agent.Subject, links bool) []byte {
	doc := p.Doc
	o := pageObject{
		URL: p.URL, Redirects: p.Redirects, Status: p.Status, Type: p.Type,
		Title: doc.Title, Description: doc.Description, Keywords: doc.Keywords, Original: doc.Original,
		TDMPolicy: doc.TDMPolicy,
		State:     "static", Charset: doc.Charset.Name, Bytes: doc.Size, Directives: append([]page.Directive{},
			doc.Directives...),
	}
	if doc.Dynamic {
		o.State = "dynamic"
	}
	o.Canonical, _ = doc.Canonical()
	if doc.Cut != 0 {
		o.Cut = doc.Cut.String()
	}
	if doc.Err != nil {
		o.Error = doc.Err.Error()
	}
	for _, r := range robots {
		o.For = append(o.For, decisionObject{r.Name, doc.For(r.PageNames()...)})
	}
	if links && len(robots) > 0 {
		d := doc.For(robots[0].PageNames()...)
		for _, l := range doc.Links {
			o.Links = append(o.Links, linkObject{l.URL, l.Element, l.Rel, l.Source.Line, d.Link(l).Follow})
		}
	}
	object, _ := json.Marshal(o) // its types always have a JSON form
	return append(b, printable.JSON(object)...)
}
