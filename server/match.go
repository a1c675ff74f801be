package server

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/server/answers"
)

// Limits of a question.
const (
	maxURL    = 16 << 10 // bytes
	maxAgent  = 1 << 10  // bytes
	maxAgents = answers.MaxAgents
)

// matchQuery has the parameters of GET /v1/match.
type matchQuery struct {
	URL     string   `query:"url" doc:"the URL to ask about, absolute" required:"true" maxBytes:"16384"`
	Agent   []string `query:"agent" doc:"a robot: its product token, such as ExampleBot, its User-Agent header, or a name that people use, such as claude, OpenAI or ai-train, which has a result for each robot; several names with commas between them; repeat it for other robots; without it, a robot that no group names" maxBytes:"1024" maxItems:"100"`
	Unknown string   `query:"unknown" doc:"true takes tokens and headers only, and any name" enum:"false,true"`
	Dialect string   `query:"dialect" doc:"the document by which robots.txt is read" default:"rfc9309" enum:"rfc9309,google,koster1994,koster1996,kollar1996"`
}

// match answers GET /v1/match.
func (s *Server) match(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q matchQuery
	if err := route.read(r, &q.URL, &q.Agent, &q.Unknown, &q.Dialect); err != nil {
		return err
	}
	if err := checkURL("url", q.URL); err != nil {
		return err
	}
	unknown, err := parseBool("unknown", q.Unknown)
	if err != nil {
		return err
	}
	subjects, err := s.subjects(q.Agent, unknown)
	if err != nil {
		return err
	}
	dialect, err := parseDialect(q.Dialect)
	if err != nil {
		return err
	}
	results := s.origins.ask(r, ask.Question{URL: q.URL, Robots: subjects, Dialects: []robots.Dialect{dialect}})
	if err := failure(results[0]); err != nil {
		return err
	}
	buffer := newBuffer()
	b := printable.AppendString(append(buffer.bytes, `{"url":`...), q.URL)
	b = append(append(append(b, `,"dialect":"`...), dialect.String()...), `","results":[`...)
	start := len(b)
	for i, result := range results {
		if i > 0 {
			b = append(b, ',')
		}
		b = printable.AppendString(append(b, `{"agent":`...), result.Robot.Name)
		b = printable.AppendString(append(b, `,"token":`...), result.Robot.Tokens[0])
		b = append(result.Answers[0].Match.AppendFields(append(b, ',')), '}')
	}
	end := len(b)
	from := versionOf(results[0])
	b = append(append(append(b, `],"robots":{`...), from.source...), "}}\n"...)
	buffer.bytes = b // which may have grown
	if writeFresh(w, r, b, from, b[start:end]) == nil {
		buffer.free()
	}
	return nil
}

// checkURL returns a problem if a parameter is missing or too long. The inquirer checks the URL.
func checkURL(name, url string) error {
	switch {
	case url == "":
		return badParameter.problem(fmt.Sprintf("the parameter %s is missing: give an absolute URL", name))
	case len(url) > maxURL:
		return badURL.problem(fmt.Sprintf("the URL has %d bytes, more than %d", len(url), maxURL))
	}
	return nil
}

// parseDialect returns the dialect with a name; "" is RFC 9309.
func parseDialect(name string) (robots.Dialect, error) {
	if name == "" {
		return robots.RFC9309, nil
	}
	d, err := robots.ParseDialect(name)
	if err != nil {
		return d, badParameter.problem(err.Error())
	}
	return d, nil
}

// failure returns why a result has no answer.
func failure(r *ask.Result) error {
	if r.Err == nil {
		return nil
	}
	if err := robots.CheckURL(r.URL); err != nil {
		return err
	}
	if _, err := fetch.Origin(r.URL); err != nil {
		return err
	}
	return r.Err
}

// robotsQuery has the parameters of GET /v1/robots.
type robotsQuery struct {
	Origin string `query:"origin" doc:"the origin, such as https://example.com, or any URL of it" required:"true" maxBytes:"16384"`
}

// robots answers GET /v1/robots.
func (s *Server) robots(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q robotsQuery
	if err := route.read(r, &q.Origin); err != nil {
		return err
	}
	if err := checkURL("origin", q.Origin); err != nil {
		return err
	}
	result := s.origins.ask(r, ask.Question{URL: q.Origin})[0]
	if err := failure(result); err != nil {
		return err
	}
	from := versionOf(result)
	b := append([]byte{'{'}, from.source...)
	if f := inForce(from.result); f != nil {
		b = printable.AppendText(b, f.Policy.String())
	}
	writeFresh(w, r, append(b, "}\n"...), from, nil)
	return nil
}

// inForce returns the text in force, or nil.
func inForce(r *fetch.Result) *fetch.File {
	if r.State == fetch.OK || r.Source == fetch.Stale {
		return r.File
	}
	return nil
}

// appendSource appends the members of an api.Source.
func appendSource(b []byte, r *fetch.Result) []byte {
	b = printable.AppendString(append(b, `"origin":`...), r.Origin)
	b = printable.AppendString(append(b, `,"state":`...), string(r.State))
	if r.Status != 0 {
		b = strconv.AppendInt(append(b, `,"status":`...), int64(r.Status), 10)
	}
	fetched, sum := r.CheckedAt, ""
	if f := inForce(r); f != nil {
		fetched, sum = f.FetchedAt, f.SHA256
	}
	b = fetched.UTC().AppendFormat(append(b, `,"fetched_at":"`...), time.RFC3339)
	b = r.FreshUntil.UTC().AppendFormat(append(b, `","fresh_until":"`...), time.RFC3339)
	b = append(b, '"')
	if sum != "" {
		b = append(append(append(b, `,"sha256":"`...), sum...), '"')
	}
	return b
}
