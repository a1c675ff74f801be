// Package questions has the questions about whole texts, robots and pages that an engine answers in
// JSON.
package questions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/lint/format"
	"github.com/robotsexclusion/robots/server/answers"
	"github.com/robotsexclusion/robots/server/api"
)

// All returns all questions. Policies are named by their handles.
func All() []engine.Question {
	return []engine.Question{
		{Name: "lint", Answer: answer(lintText)},
		{Name: "fix", Answer: answer(fixText)},
		{Name: "format", Answer: answer(formatText)},
		{Name: "diff", Answer: answer(diff)},
		{Name: "prove", Answer: answer(prove)},
		{Name: "minimize", Answer: answer(minimize)},
		{Name: "agents", Answer: answer(agents)},
		{Name: "lookup", Answer: answer(lookup)},
		{Name: "page", Answer: answer(readPage)},
	}
}

// wrong returns an error with a formatted message.
func wrong(code engine.Code, format string, args ...any) error {
	return &engine.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// answer returns a function that reads a question of type Q, and answers it.
func answer[Q any](work func(*engine.Engine, *Q) ([]byte, error)) func(*engine.Engine, []byte) ([]byte, error) {
	return func(e *engine.Engine, object []byte) ([]byte, error) {
		q := new(Q)
		decoder := json.NewDecoder(bytes.NewReader(object))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(q); err != nil {
			return nil, wrong(engine.BadValue, "the question is not the object that the engine reads: %v", err)
		}
		if _, err := decoder.Token(); err != io.EOF {
			return nil, wrong(engine.BadValue, "the question has more than one JSON value")
		}
		b, err := work(e, q)
		if bad := (*answers.Error)(nil); errors.As(err, &bad) {
			err = wrong(engine.BadValue, "%s", printable.Clipped(bad.Detail, 1000))
		}
		return b, err
	}
}

// policy returns the policy with a handle. Texts for whole questions are not larger than for the
// service, because nothing can interrupt the work.
func policy(e *engine.Engine, handle uint32) (*robots.Policy, error) {
	p, err := e.Policy(handle)
	if err == nil && len(p.String()) > answers.MaxText {
		return nil, wrong(engine.TooLarge,
			"the text has %d bytes, more than %d, which is as much as RFC 9309 asks robots to read: shorten it",
			len(p.String()), answers.MaxText)
	}
	return p, err
}

// policyOnly is a question about a policy, without options.
type policyOnly struct {
	Policy uint32 `json:"policy"`
}

// lintQuestion is a question of lint, without the text.
type lintQuestion struct {
	policyOnly
	api.LintQuestion
	Origin string `json:"origin"` // of the file, if it is known
	Limit  int    `json:"limit"`  // of the diagnostics of a check; 0 is 100
}

// options returns the policy and the options.
func (q *lintQuestion) options(e *engine.Engine) (*robots.Policy, lint.Options, error) {
	p, err := policy(e, q.Policy)
	if err != nil {
		return nil, lint.Options{}, err
	}
	if q.Robots != nil || q.RobotsBase64 != nil {
		return nil, lint.Options{}, wrong(engine.BadValue, "a text is given: parse it, and give the policy")
	}
	o, err := answers.LintOptions(&q.LintQuestion, nil)
	o.Origin, o.Limit = q.Origin, q.Limit
	return p, o, err
}

// lintText answers with an api.Report.
func lintText(e *engine.Engine, q *lintQuestion) ([]byte, error) {
	p, o, err := q.options(e)
	if err != nil {
		return nil, err
	}
	return lint.File{Name: "robots.txt", Report: lint.Run(p, o)}.AppendJSON(nil), nil
}

// fixText answers with the text after all safe fixes.
func fixText(e *engine.Engine, q *lintQuestion) ([]byte, error) {
	p, o, err := q.options(e)
	if err != nil {
		return nil, err
	}
	return textAnswer(lint.Run(p, o).Fix()), nil
}

// formatText answers with the formatted text.
func formatText(e *engine.Engine, q *policyOnly) ([]byte, error) {
	p, err := policy(e, q.Policy)
	if err != nil {
		return nil, err
	}
	return textAnswer(format.Source(p.String())), nil
}

// textAnswer returns an object with "text", or "text_base64" if the text is not UTF-8.
func textAnswer(text string) []byte {
	b := printable.AppendText(nil, text)
	b[0] = '{' // in place of the comma
	return append(b, '}')
}

type diffQuestion struct {
	Before  uint32   `json:"before"`
	After   uint32   `json:"after"`
	Agents  []string `json:"agents"`
	Unknown bool     `json:"unknown"`
}

// diff answers with an api.Difference.
func diff(e *engine.Engine, q *diffQuestion) ([]byte, error) {
	before, err := policy(e, q.Before)
	if err != nil {
		return nil, err
	}
	after, err := policy(e, q.After)
	if err != nil {
		return nil, err
	}
	return answers.Diff(before, after.In(before.Dialect()), q.Agents, q.Unknown, nil)
}

type proveQuestion struct {
	policyOnly
	Claims  string `json:"claims"`
	Unknown bool   `json:"unknown"`
}

// prove answers with api.Proofs.
func prove(e *engine.Engine, q *proveQuestion) ([]byte, error) {
	p, err := policy(e, q.Policy)
	if err != nil {
		return nil, err
	}
	return answers.Prove(p, q.Claims, q.Unknown, nil)
}

// minimize answers with an api.Minimized.
func minimize(e *engine.Engine, q *policyOnly) ([]byte, error) {
	p, err := policy(e, q.Policy)
	if err != nil {
		return nil, err
	}
	return answers.Minimize(p, nil)
}

type agentsQuestion struct {
	Search   string   `json:"search"`   // a token, a header, or a part of a name; "" is all robots
	Purposes []string `json:"purposes"` // only robots with one of these
}

// builtin is the table of package agent.
var builtin *agent.Table

// agents answers with the known robots, as "robots agents --json" prints them.
func agents(_ *engine.Engine, q *agentsQuestion) ([]byte, error) {
	var purposes agent.Purpose
	for _, name := range q.Purposes {
		p, ok := agent.ParsePurpose(name)
		if !ok {
			return nil, wrong(engine.BadValue, "there is no purpose %s: there are %s", printable.Quoted(name, 100),
				purposeNames())
		}
		purposes |= p
	}
	var found []agent.Agent
	if q.Search == "" {
		found = slices.Collect(builtin.All())
	} else {
		found, _ = builtin.Search(q.Search)
	}
	if purposes != 0 {
		found = slices.DeleteFunc(found, func(a agent.Agent) bool { return !a.Purposes.Has(purposes) })
	}
	return builtin.AppendJSON(nil, found), nil
}

func purposeNames() string {
	var names []string
	for p := range agent.Purposes() {
		names = append(names, p.String())
	}
	return strings.Join(names, ", ")
}

type lookupQuestion struct {
	Agent   string `json:"agent"`   // the name of one robot, or a User-Agent header
	Unknown bool   `json:"unknown"` // it is a token or a header, and may be any
}

// lookup answers with the robot that a text names: the tokens that it obeys, and the facts of the
// table.
func lookup(_ *engine.Engine, q *lookupQuestion) ([]byte, error) {
	s, err := q.robot()
	if err != nil {
		return nil, wrong(engine.BadValue, "%s", err)
	}
	var facts agent.Agent
	if len(s.Tokens) > 0 && !agent.IsHeader(q.Agent) {
		facts = builtin.Named(s.Tokens[0])
	}
	if !facts.Known() {
		facts = builtin.Lookup(q.Agent) // "ExampleBot/1.0" is a robot by its name
	}
	return printable.JSON(printable.AppendJSON(nil, struct {
		Name   string      `json:"name"`
		Tokens []string    `json:"tokens"`
		Alone  bool        `json:"alone"`
		Facts  agent.Agent `json:"facts"`
	}{s.Name, append([]string{}, s.Tokens...), s.Alone, facts})), nil
}

// robot returns the robot that is looked up. A program asks about its own robot too, so a name that
// nobody knows is a product token; but if another was probably meant, it is an error. The header of
// a visitor, with unknown, has an answer whatever it is: commas are a part of it.
func (q *lookupQuestion) robot() (agent.Subject, error) {
	if q.Unknown {
		s := builtin.Subject(q.Agent)
		if len(s.Tokens) == 0 {
			a := builtin.Lookup(q.Agent)
			s.Tokens, s.Alone = a.Tokens(), !a.Everyone()
		}
		return s, nil
	}
	if err := robotname.CheckSize([]string{q.Agent}, maxAgents); err != nil {
		return agent.Subject{}, err
	}
	s, err := new(robotname.Names).One(q.Agent)
	nobody, isUnknown := errors.AsType[*robotname.UnknownError](err)
	switch {
	case isUnknown && !nobody.Mistyped():
		return s, nil
	case isUnknown:
		return s, errors.New(robotname.InJSON(nobody))
	}
	return s, err
}
