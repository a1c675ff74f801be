package inquire

import (
	"encoding/json"
	"strconv"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A Result is what was found out about a robot and a URL.
type Result struct {
	Robot    agent.Subject
	URL      string
	Dialects []robots.Dialect
	Answers  []robots.Explanation // one for each dialect, only the match unless the question asks why; none if there is no policy
	Source   *Source              // of the policy, if there are answers
	Page     *Page                // if the page was asked for
	Verdict  page.Verdict         // of robots.txt and the page, if there is a Page
	Err      error                // why an answer is missing

	why bool
}

// Differ reports whether the dialects do not all give the same verdict.
func (r *Result) Differ() bool {
	for _, a := range r.Answers {
		if a.Match.Allowed != r.Answers[0].Match.Allowed {
			return true
		}
	}
	return false
}

// Refused reports whether the robot may not fetch the URL in one of the dialects, or not
// index its page.
func (r *Result) Refused() bool {
	for _, a := range r.Answers {
		if !a.Match.Allowed {
			return true
		}
	}
	return r.Page != nil && !r.Verdict.Index
}

// MarshalJSON returns an object with "agent" and "url", the members of the answer, and
// "robots_txt" where the policy is that of an origin. With several dialects it has their
// answers in an object "answers", and whether their verdicts "differ". An answer to why
// has "group", "path" and "candidates" too; with a page there is "page", and where an
// answer is missing "error".
func (r *Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the object of [Result.MarshalJSON] to b, so that many results need one
// buffer.
func (r *Result) AppendJSON(b []byte) []byte {
	start := len(b)
	b = printable.AppendJSON(append(b, `{"agent":`...), r.Robot.Name)
	b = append(b, `,"url":`...)
	b = printable.AppendJSON(b, r.URL)
	if s := r.Source; s != nil && s.Origin != "" {
		b = append(b, `,"robots_txt":`...)
		if s.Fetched != nil {
			b = printable.AppendJSON(b, originOf(s.Fetched))
		} else {
			b = printable.AppendJSON(b, s.Version)
		}
	}
	if r.Err != nil {
		b = append(b, `,"error":`...)
		b = printable.AppendJSON(b, r.Err.Error())
	}
	if len(r.Answers) > 0 {
		b = r.appendAnswers(b)
	}
	if r.Page != nil {
		object, _ := json.Marshal(pageJSON(r.Page, r.Verdict)) // its types always have a JSON form
		b = append(append(b, `,"page":`...), object...)
	}
	b = append(b, '}')
	return append(b[:start], printable.JSON(b[start:])...)
}

// appendAnswers appends the members of the answer, or those of the answers of several
// dialects.
func (r *Result) appendAnswers(b []byte) []byte {
	if len(r.Answers) == 1 {
		return r.appendAnswer(append(b, ','), &r.Answers[0])
	}
	b = append(b, `,"differ":`...)
	b = strconv.AppendBool(b, r.Differ())
	b = append(b, `,"answers":{`...)
	for i, d := range r.Dialects {
		if i > 0 {
			b = append(b, ',')
		}
		b = printable.AppendJSON(b, d)
		b = append(b, ":{"...)
		b = r.appendAnswer(b, &r.Answers[i])
		b = append(b, '}')
	}
	return append(b, '}')
}

// appendAnswer appends the members of an answer.
func (r *Result) appendAnswer(b []byte, e *robots.Explanation) []byte {
	b = e.Match.AppendFields(b)
	if r.why {
		b = append(b, `,"group":`...)
		b = printable.AppendJSON(b, e.Group)
		b = append(b, `,"path":`...)
		b = printable.AppendJSON(b, e.Path)
		b = append(b, `,"candidates":`...)
		b = printable.AppendJSON(b, e.Candidates)
	}
	return b
}

// A fetchedFrom is where a policy was fetched from, in short.
type fetchedFrom struct {
	Origin string       `json:"origin"`
	State  fetch.State  `json:"state"`
	Status int          `json:"status,omitempty"`
	Source fetch.Source `json:"source"`
	Cause  string       `json:"cause,omitempty"`
}

func originOf(r *fetch.Result) fetchedFrom {
	return fetchedFrom{r.Origin, r.State, r.Status, r.Source, r.Cause}
}

// A pageVerdict is a page, and the verdict about it.
type pageVerdict struct {
	URL       string       `json:"url"`
	Redirects []string     `json:"redirects,omitempty"`
	Status    int          `json:"status,omitempty"`
	Type      string       `json:"content_type,omitempty"`
	Closed    bool         `json:"closed,omitempty"`
	Error     string       `json:"error,omitempty"`
	Verdict   page.Verdict `json:"verdict"`
}

func pageJSON(p *Page, v page.Verdict) pageVerdict {
	text := ""
	if p.Err != nil {
		text = p.Err.Error()
	}
	return pageVerdict{p.URL, p.Redirects, p.Status, p.Type, p.Closed, text, v}
}
