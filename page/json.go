package page

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/html/htmltoken"
	"github.com/robotsexclusion/robots/internal/printable"
)

// MarshalJSON returns an object with the facts of the page: "title", "description", "keywords",
// "state", "original", "canonicals", "tdm_policy", "charset", "size", "cut", "directives", "links"
// and "nosnippet", and "error" where the page was not read.
func (d *Doc) MarshalJSON() ([]byte, error) {
	return marshal(struct {
		Title       string      `json:"title"`
		Description string      `json:"description"`
		Keywords    []string    `json:"keywords,omitempty"`
		State       string      `json:"state"`
		Original    string      `json:"original,omitempty"`
		Canonicals  []Reference `json:"canonicals,omitempty"`
		TDMPolicy   string      `json:"tdm_policy,omitempty"`
		Charset     Charset     `json:"charset"`
		Size        int64       `json:"size"`
		Cut         string      `json:"cut"`
		Error       string      `json:"error,omitempty"`
		Directives  []Directive `json:"directives"`
		Links       []Link      `json:"links,omitempty"`
		NoSnippet   []Section   `json:"nosnippet,omitempty"`
	}{
		d.Title, d.Description, d.Keywords, d.state(), d.Original, d.Canonicals, d.TDMPolicy, d.Charset,
		d.Size, d.Cut.String(), errorText(d.Err), append([]Directive{}, d.Directives...), d.Links, d.NoSnippet,
	})
}

// state returns how the page changes, in the words of META DOCUMENT-STATE.
func (d *Doc) state() string {
	if d.Dynamic {
		return "dynamic"
	}
	return "static"
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// MarshalJSON returns an object with "name", "robot", "value", "source", and
// "error" where the directive asks nothing.
func (d Directive) MarshalJSON() ([]byte, error) { return marshal(d.object()) }

// A directiveObject is a directive in JSON.
type directiveObject struct {
	Name    string `json:"name"`
	Robot   string `json:"robot,omitempty"`
	Value   string `json:"value,omitempty"`
	Source  Source `json:"source"`
	Error   string `json:"error,omitempty"`
	InForce *bool  `json:"in_force,omitempty"`
}

func (d *Directive) object() directiveObject {
	o := directiveObject{Name: d.Name, Robot: d.Robot, Value: d.Value, Source: d.Source}
	if d.Err != nil {
		o.Error = d.Err.Error()
	}
	return o
}

// MarshalJSON returns an object with the members of [Decision.AppendFields],
// "reading", "error" where the page was not read, and "because": the directives that are
// for the robot, each with "in_force".
func (d *Decision) MarshalJSON() ([]byte, error) {
	because := make([]directiveObject, len(d.counts))
	for i, c := range d.counts {
		because[i] = c.object()
		inForce := c.decides != 0
		because[i].InForce = &inForce
	}
	list, err := marshal(because)
	if err != nil {
		return nil, err
	}
	b := d.appendFields([]byte{'{'})
	b = fmt.Appendf(b, `,"reading":"%s"`, d.Reading)
	if d.Err != nil {
		b = printable.AppendString(append(b, `,"error":`...), d.Err.Error())
	}
	return fmt.Appendf(b, `,"because":%s}`, list), nil
}

// MarshalJSON returns an object with "fetch", "index" and "follow", and the
// objects of both verdicts as "match" and "page".
func (v Verdict) MarshalJSON() ([]byte, error) {
	return marshal(struct {
		Fetch  bool         `json:"fetch"`
		Index  bool         `json:"index"`
		Follow bool         `json:"follow"`
		Match  robots.Match `json:"match"`
		Page   *Decision    `json:"page,omitempty"`
	}{v.Fetch, v.Index, v.Follow, v.Match, v.Decision})
}

// appendFields appends the members "index", "follow" and "directives" of an
// object, without its braces, so that the object can have others too. The last is an object of the
// directives in force, each with its value, where ALL and NONE are expanded: {"noindex": true,
// "max-snippet": 50}. A value is true, a number, the size of an image preview, or the time of
// unavailable_after as in RFC 3339.
func (d *Decision) appendFields(b []byte) []byte {
	b = append(b, `"index":`...)
	b = strconv.AppendBool(b, d.Index)
	b = append(b, `,"follow":`...)
	b = strconv.AppendBool(b, d.Follow)
	b = append(b, `,"directives":{`...)
	var done [len(terms)]bool
	for t := topic(0); t < topics; t++ {
		for i := range d.counts {
			c := &d.counts[i]
			if c.decides&(1<<t) == 0 {
				continue
			}
			term := c.term
			switch term.name {
			case "all", "none":
				term = lookup(spelledOut[t][term.level])
			}
			n := term.index()
			if done[n] {
				continue
			}
			done[n] = true
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(b, '"')
			b = append(b, term.name...)
			b = append(b, `":`...)
			b = c.appendValue(b)
		}
	}
	return append(b, '}')
}

// spelledOut has the names of what NONE and ALL say about a topic.
var spelledOut = [...][2]string{
	indexing:  {refused: "noindex", permitted: "index"},
	following: {refused: "nofollow", permitted: "follow"},
}

// appendValue appends the value of a known directive as JSON.
func (d *Directive) appendValue(b []byte) []byte {
	switch d.term.form {
	case count, reservation:
		return strconv.AppendInt(b, int64(d.number), 10)
	case size:
		return printable.AppendString(b, htmltoken.Lower(d.Value))
	case date:
		return printable.AppendString(b, d.time.Format(time.RFC3339))
	}
	return append(b, "true"...)
}

// marshal returns v as JSON that is safe for a terminal.
func marshal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return printable.JSON(text), err
}
