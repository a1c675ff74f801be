package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/server"
)

// TestPageAnswers asks the web page's worker and engine, in Node, the conformance vectors and
// random questions about real files: the explanation for all dialects, and the table for RFC 9309.
// The page has texts in UTF-8 only, and finds the robot in a name or header as package agent does.
// ROBOTS_PAGE_ALL asks 100,000 questions, also about large files, which takes six minutes of the
// processor.
func TestPageAnswers(t *testing.T) {
	corpus.Unraced(t)
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	script := filepath.Join("testdata", "page.mjs")
	explanation := &conformance.Program{Args: []string{"node", script}, Timeout: time.Minute}
	table := &conformance.Program{Args: []string{"node", script, "--matrix"}, Timeout: time.Minute}
	sections, left := pageSections(t)
	report, err := conformance.Run(t.Context(), explanation, sections)
	fatal.If(t, err)
	asked := 0
	for _, p := range report.Profiles {
		asked += p.Asks
	}
	t.Logf("vectors: %d asked, %d that the page cannot be asked", asked, left)
	if report.Missed(true) || asked < 10*left {
		t.Errorf("%+v", report)
	}

	number, size := corpus.Cases(600, 2000), 16<<10
	if os.Getenv("ROBOTS_PAGE_ALL") != "" {
		number, size = 100_000, 1<<20
	}
	questions := randomQuestions(t, number, size)
	var first []conformance.Question // for the table
	for i := range questions {
		q := &questions[i]
		if !isOneToken(q.Agent) {
			q.Agent = "*"
		}
		if q.RobotsBase64 != nil {
			text := string([]rune(string(q.RobotsBase64)))
			q.RobotsBase64, q.Robots = nil, &text
		}
		if i < len(questions)/4 {
			one := *q
			one.Dialect = robots.RFC9309.String()
			first = append(first, one)
		}
	}
	compareAnswers(t, explanation, questions, tabled, true)
	compareAnswers(t, table, first, tabled, false)
}

// tabled returns the group of the robot that the table finds in a text.
func tabled(p *robots.Policy, name string) (*robots.Group, bool) { return agent.Group(p, name), true }

// isOneToken reports whether a text is a token or header of one robot, and no other name of it, by
// which the page finds other robots, or several.
func isOneToken(name string) bool {
	found, _ := (*agent.Table)(nil).Resolve(name)
	return len(found) == 1 && len(found[0].Called) == 0
}

// pageSections returns the vectors that the page can be asked, and the number of the others: texts
// that are not UTF-8, and names in which the page finds another robot, or none.
func pageSections(t *testing.T) (sections []conformance.Section, left int) {
	all, err := conformance.Sections()
	fatal.If(t, err)
	for _, section := range all {
		cases := section.Cases
		section.Cases = nil
		for _, c := range cases {
			asks := slices.Clone(c.Asks)
			c.Asks = slices.DeleteFunc(asks, func(a conformance.Ask) bool {
				return c.RobotsBase64 != nil || !isOneToken(a.Agent) ||
					strings.Trim(strings.ToLower(a.Agent), "abcdefghijklmnopqrstuvwxyz_-") != ""
			})
			left += len(asks) - len(c.Asks)
			section.Cases = append(section.Cases, c)
		}
		sections = append(sections, section)
	}
	return sections, left
}

// TestService asks the service over HTTP the conformance vectors, and random questions about real
// files.
func TestService(t *testing.T) {
	s := httptest.NewServer(server.New(server.Config{}))
	defer s.Close()
	askVectors(t, service(s.URL))
	compareAnswers(t, service(s.URL), randomQuestions(t, corpus.Cases(2000, 100_000), 1<<20), asked, true)
}

// asked returns the group of the robot that a question of the ask protocol names: a robot of the
// table by its token, its header or a common name that the policy has no group for, and any other
// as the dialect takes names. ok is false for a text that names several, and for a name with blanks
// that is nearly that of a robot.
func asked(p *robots.Policy, name string) (group *robots.Group, ok bool) {
	robot, blank := agent.Lookup(name), strings.Contains(name, " ")
	switch {
	case strings.Contains(name, ",") && !agent.IsHeader(name):
		return nil, false
	case robot.Known() && (!blank || agent.IsHeader(name)):
		return agent.Group(p, name), true
	}
	own := p.For(name)
	found, err := (*agent.Table)(nil).Resolve(name)
	nobody := (*agent.UnknownError)(nil)
	switch {
	case own.Token() != "" && own.Token() != "*" || agent.IsHeader(name):
		return own, true
	case len(found) > 1 && found[0].Common:
		return nil, false
	case len(found) == 1 && found[0].Common:
		return found[0].Group(p), true
	case robot.Known():
		return (*agent.Table)(nil).SubjectNamed(robot.Token).Group(p), true
	case blank && errors.As(err, &nobody) && nobody.Meant != "":
		return nil, false
	}
	return own, true
}

// A service is the address of a service that answers POST /v1/match.
type service string

func (s service) Ask(ctx context.Context, questions []conformance.Question) (answers []conformance.Answer, err error) {
	for len(questions) > 0 {
		n, size := 0, 0 // a request ends before a text, and has less bytes than the service takes
		for n < len(questions) && (n == 0 || n < 500 && size < 4<<20 || questions[n].RobotsBase64 == nil) {
			size += len(questions[n].RobotsBase64)
			n++
		}
		some, err := s.askSome(ctx, questions[:n])
		answers = append(answers, some...)
		if err != nil {
			return answers, err
		}
		questions = questions[n:]
	}
	return answers, nil
}

// askSome asks questions with one request.
func (s service) askSome(ctx context.Context, questions []conformance.Question) (answers []conformance.Answer,
	err error) {
	var body bytes.Buffer
	for _, q := range questions {
		line, err := json.Marshal(q)
		if err != nil {
			return nil, err
		}
		body.Write(append(line, '\n'))
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, string(s)+"/v1/match", &body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/jsonl")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	for d := json.NewDecoder(answer.Body); ; {
		var a conformance.Answer
		switch err := d.Decode(&a); {
		case err == io.EOF && len(answers) == len(questions):
			return answers, nil
		case err != nil:
			return answers, fmt.Errorf("the service gave %d answers of %d: %w", len(answers), len(questions), err)
		}
		answers = append(answers, a)
	}
}
