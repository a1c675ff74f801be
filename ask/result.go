package ask

import (
	"encoding/json"
	"strconv"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A Result is the answer about a robot and a URL. Do not modify a Result.
type Result struct {
	Robot    agent.Subject
	URL      string
	Dialects []robots.Dialect
	// one for each dialect, none without a policy; Path and Candidates only with Question.Why
	Answers []robots.Explanation
	Source  *Source      // of the policy; nil without a policy
	Page    *Page        // if the question asks for the page
	Verdict page.Verdict // of robots.txt and the page together, if there is a Page
	Err     error        // why an answer is missing

	why bool
}

// Differ reports whether the dialects give different verdicts.
func (r *Result) Differ() bool {
	for _, a := range r.Answers {
		if a.Match.Allowed != r.Answers[0].Match.Allowed {
			return true
		}
	}
	return false
}

// Refused reports whether the robot may not fetch the URL in one of the dialects, or may not
// index the page.
func (r *Result) Refused() bool {
	for _, a := range r.Answers {
		if !a.Match.Allowed {
			return true
		}
	}
	return r.Page != nil && !r.Verdict.Index
}

// MarshalJSON returns an object with "agent", "url", the members of the answer, and
// "robots_txt" if the policy is that of an origin. With several dialects, the object has
// "answers" by dialect and "differ" instead of one answer. An answer has "group", the name that
// its group was found by, if there is one, and an explained one "path" and "candidates". The
// object has "page" if there is a page, and "error" if an answer is missing.
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
	if r.why || e.Group != "" {
		b = append(b, `,"group":`...)
		b = printable.AppendJSON(b, e.Group)
	}
	if r.why {
		b = append(b, `,"path":`...)
		b = printable.AppendJSON(b, e.Path)
		b = append(b, `,"candidates":`...)
		b = printable.AppendJSON(b, e.Candidates)
	}
	return b
}

// A fetchedFrom is the short form of a fetch.Result.
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

// A pageVerdict is a page and its verdict.
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
