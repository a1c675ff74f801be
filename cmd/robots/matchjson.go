package main

import (
	"bufio"
	"bytes"
	"encoding/json"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// jsonResults writes one JSON object, with each result on a line of its own:
//
//	{"file": …, "dialect": …, "results": [{"agent", "url", "allowed", "reason", "line", "rule"}], "records": …}
//
// With several dialects, a result has their answers in an object "answers", and
// whether their verdicts "differ". An answer to why has "group", "path" and
// "candidates" too. Where the policy is that of an origin, there is no "file",
// and each result has "robots_txt"; with pages it has "page".
type jsonResults struct {
	w        *bufio.Writer
	file     string
	dialects []robots.Dialect
	all, why bool

	begun   bool
	results int
	line    []byte
	list    *recordList
}

func (w *jsonResults) result(r *result) error {
	w.begin()
	b := w.line[:0]
	if w.results > 0 {
		b = append(b, ',')
	}
	w.results++
	b = append(b, "\n  {\"agent\":"...)
	b = appendJSON(b, r.robot.Name)
	b = append(b, `,"url":`...)
	b = appendJSON(b, r.url)
	if r.site != nil && r.site.origin() != "" {
		b = append(b, `,"robots_txt":`...)
		if r.site.past != nil {
			b = appendJSON(b, r.site.past)
		} else {
			b = appendJSON(b, originOf(r.site.fetched))
		}
	}
	if r.err != nil {
		b = append(b, `,"error":`...)
		b = appendJSON(b, r.err.Error())
	}
	if len(r.answers) == 0 {
		w.line = append(b, '}')
		_, err := w.w.Write(printable.JSON(w.line))
		return err
	}
	if !w.all {
		b = append(b, ',')
		b = w.answer(b, &r.answers[0])
	} else {
		b = append(b, `,"differ":`...)
		b = appendJSON(b, r.differ())
		b = append(b, `,"answers":{`...)
		for i, d := range w.dialects {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, d)
			b = append(b, ":{"...)
			b = w.answer(b, &r.answers[i])
			b = append(b, '}')
		}
		b = append(b, '}')
	}
	if r.page != nil {
		b = append(b, `,"page":`...)
		b = appendJSON(b, r.page)
	}
	w.line = append(b, '}')
	_, err := w.w.Write(printable.JSON(w.line))
	return err
}

// A fromOrigin is where a policy was fetched from, in short.
type fromOrigin struct {
	Origin string       `json:"origin"`
	State  fetch.State  `json:"state"`
	Status int          `json:"status,omitempty"`
	Source fetch.Source `json:"source"`
	Cause  string       `json:"cause,omitempty"`
}

func originOf(r *fetch.Result) fromOrigin {
	return fromOrigin{r.Origin, r.State, r.Status, r.Source, r.Cause}
}

// MarshalJSON returns an object with what came, and the verdict about it.
func (p *pageResult) MarshalJSON() ([]byte, error) {
	errText := ""
	if p.got.err != nil {
		errText = p.got.err.Error()
	}
	return json.Marshal(struct {
		URL       string       `json:"url"`
		Redirects []string     `json:"redirects,omitempty"` // URLs that were asked for before
		Status    int          `json:"status,omitempty"`
		Type      string       `json:"content_type,omitempty"`
		Closed    bool         `json:"closed,omitempty"` // it was not read, as nobody may
		Error     string       `json:"error,omitempty"`
		Verdict   page.Verdict `json:"verdict"`
	}{p.got.url, p.got.hops, p.got.status, p.got.kind, p.got.closed, errText, p.verdict})
}

// answer appends the members of an answer.
func (w *jsonResults) answer(b []byte, e *robots.Explanation) []byte {
	b = e.Match.AppendFields(b)
	if w.why {
		b = append(b, `,"group":`...)
		b = appendJSON(b, e.Group)
		b = append(b, `,"path":`...)
		b = appendJSON(b, e.Path)
		b = append(b, `,"candidates":`...)
		b = appendJSON(b, e.Candidates)
	}
	return b
}

// begin writes what comes before the results, once.
func (w *jsonResults) begin() {
	if w.begun {
		return
	}
	w.begun = true
	b := append(w.line[:0], '{')
	if w.file != "" {
		b = append(b, `"file": `...)
		b = appendJSON(b, w.file)
		b = append(b, ", "...)
	}
	if w.all {
		b = append(b, `"dialects": `...)
		b = appendJSON(b, w.dialects)
	} else {
		b = append(b, `"dialect": `...)
		b = appendJSON(b, w.dialects[0])
	}
	w.line = append(b, `, "results": [`...)
	w.w.Write(printable.JSON(w.line)) // an error stays in the writer until it is flushed
}

func (w *jsonResults) records(list *recordList) error {
	w.list = list
	return nil
}

// end completes the object, even where an error ended the work, which it then
// has as "error".
func (w *jsonResults) end(err error) error {
	w.begin()
	b := w.line[:0]
	if w.results > 0 {
		b = append(b, '\n')
	}
	b = append(b, ']')
	if w.list != nil {
		b = append(b, `, "records": `...)
		b = appendJSON(b, w.list)
	}
	if err != nil {
		b = append(b, `, "error": `...)
		b = appendJSON(b, err.Error())
	}
	_, err = w.w.Write(printable.JSON(append(b, "}\n"...)))
	return err
}

// appendJSON appends a value that has a form in JSON. Unlike [json.Marshal], it
// leaves the "&" of URLs as it is.
func appendJSON(b []byte, v any) []byte {
	buffer := bytes.NewBuffer(b)
	e := json.NewEncoder(buffer)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // of the types here, there is none
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}
