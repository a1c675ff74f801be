// Package pageask answers the questions of the web page that package engine does not have: about
// all known robots at once, by the groups of a robots.txt that they obey. [Questions] goes to
// [engine.New].
//
// Each question names a policy of the engine by its handle.
package pageask

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotname"
)

// Limits of questions.
const (
	maxText   = 500 << 10 // bytes of a text for proofs, as much as RFC 9309 (section 2.5) asks robots to read
	maxURLs   = 1000
	maxAgents = 1000 // names
)

// Questions returns the questions of the page.
func Questions() []engine.Question {
	return []engine.Question{
		{Name: "page-robots", Answer: knownRobots},
		{Name: "page-matrix", Answer: question(matrix)},
		{Name: "page-reach", Answer: question(reach)},
		{Name: "page-explain", Answer: question(explain)},
		{Name: "page-change", Answer: question(change)},
		{Name: "page-export", Answer: question(exports)},
		{Name: "page-address", Answer: question(address)},
		{Name: "page-card", Answer: question(report)},
		{Name: "page-lint", Answer: question(lintAll)},
	}
}

// wrong returns an engine's error with a formatted message.
func wrong(code engine.Code, format string, args ...any) error {
	return &engine.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// question returns the Answer of a question whose object has the members of Q.
func question[Q, A any](answer func(*engine.Engine, Q) (A, error)) func(*engine.Engine, []byte) ([]byte, error) {
	return func(e *engine.Engine, object []byte) ([]byte, error) {
		var q Q
		decoder := json.NewDecoder(bytes.NewReader(object))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&q); err != nil {
			return nil, wrong(engine.BadValue, "the question is not the object that is read: %s",
				printable.Clipped(err.Error(), 200))
		}
		a, err := answer(e, q)
		if err != nil {
			return nil, err
		}
		b, err := json.Marshal(a)
		return printable.JSON(b), err
	}
}

// A group is the rules of a text that several robots obey, with the robots.
type group struct {
	Name string `json:"name"` // the first in its user-agent lines, or "" if no group is for the robots
	Line int    `json:"line"` // of its first user-agent line; 0 for no group

	// Robots are the known robots that obey the group, by their places in the answer to
	// page-robots.
	Robots []int `json:"robots"`
	// Names are the robots of the question that obey the group.
	Names []string `json:"names"`
	// Others says that the group is for all unknown robots that the text does not name.
	Others bool `json:"others"`
	// Reach is how much of the site is open to the robots; only page-reach answers it.
	Reach string `json:"reach,omitempty"`

	rules *robots.Group
}

// grouping collects robots by the groups that they obey, in the order of the robots.
type grouping struct {
	policy *robots.Policy
	groups []*group
	places map[string]*group // by the lines of the groups
}

func groupingOf(p *robots.Policy) *grouping {
	return &grouping{policy: p, places: make(map[string]*group)}
}

// of returns the group that a robot obeys.
func (s *grouping) of(robot agent.Subject) *group {
	rules := robot.Group(s.policy)
	var key []byte
	for _, line := range rules.Lines() {
		key = binary.AppendUvarint(key, uint64(line))
	}
	g := s.places[string(key)]
	if g == nil {
		g = &group{Robots: []int{}, Names: []string{}, rules: rules}
		if names := rules.Agents(); len(names) > 0 {
			g.Name, g.Line = names[0], rules.Line()
		}
		s.places[string(key)] = g
		s.groups = append(s.groups, g)
	}
	return g
}

// knownSubjects are all known robots, in the order of the answer to page-robots.
var knownSubjects = sync.OnceValue(func() (all []agent.Subject) {
	var table *agent.Table // of package agent
	for a := range agent.All() {
		all = append(all, table.SubjectNamed(a.Token))
	}
	return all
})

// all adds all known robots, and the unknown ones.
func (s *grouping) all() {
	s.of(agent.Subject{Tokens: []string{"*"}}).Others = true
	for i, robot := range knownSubjects() {
		g := s.of(robot)
		g.Robots = append(g.Robots, i)
	}
}

// namesIn returns the names of robots that a question about a policy may use.
func namesIn(p *robots.Policy, code string) *robotname.Names {
	known := &robotname.Names{Language: language.Parse(code)}
	for _, g := range p.Groups() {
		known.Add(g.Agents()...)
	}
	return known
}

// named adds the robots of a question, and returns notes about those that nobody knows: a person
// who is typing gets answers about the name as it is.
func (s *grouping) named(names []string, code string) (notes []string, err error) {
	if err := robotname.CheckSize(names, maxAgents); err != nil {
		return nil, wrong(engine.TooMany, "%v: ask about fewer at a time", err)
	}
	all, err := namesIn(s.policy, code).Resolve(names)
	if nobody, ok := errors.AsType[*robotname.UnknownError](err); ok {
		notes = nobody.Notes()
	} else if err != nil {
		return nil, wrong(engine.BadValue, "%v", err)
	}
	for _, robot := range all {
		g := s.of(robot)
		g.Names = append(g.Names, robot.Name)
	}
	return notes, nil
}

// A robotsAnswer is the answer to page-robots.
type robotsAnswer struct {
	Version  string        `json:"version"`
	Robots   []agent.Agent `json:"robots"`
	Purposes []string      `json:"purposes"`
	Fields   []knownField  `json:"fields"`
}

// A knownField is a field of robots.txt, for the editor.
type knownField struct {
	Name     string `json:"name"`
	Document string `json:"document"`
	Example  string `json:"example"`
	Read     bool   `json:"read"`
}

// knownRobots answers page-robots: the facts that no text changes.
func knownRobots(*engine.Engine, []byte) ([]byte, error) {
	a := robotsAnswer{Version: agent.Version}
	for robot := range agent.All() {
		a.Robots = append(a.Robots, robot)
	}
	for p := range agent.Purposes() {
		a.Purposes = append(a.Purposes, p.String())
	}
	for _, f := range robots.Fields() {
		a.Fields = append(a.Fields, knownField{f.Name, f.Document, f.Example, f.Read})
	}
	b, err := json.Marshal(a)
	return printable.JSON(b), err
}

// A matrixQuestion is about URLs, and robots by their names; without Agents, about all known
// robots.
type matrixQuestion struct {
	Policy   uint32   `json:"policy"`
	URLs     []string `json:"urls"`
	Agents   []string `json:"agents"`
	Language string   `json:"language"` // of notes
}

// A matrixAnswer has for each group a verdict for each URL.
type matrixAnswer struct {
	Groups   []*group `json:"groups"`
	Verdicts verdicts `json:"verdicts"`
	Notes    []string `json:"notes,omitempty"` // about names that nobody knows
}

// verdicts are rows of numbers: the line of the deciding rule in the bits from 4 on, and whether
// the robots may fetch the URL in bit 0. The number -1 is for a text that is not a URL.
type verdicts [][]int

// MarshalJSON returns the rows. encoding/json takes ten times as long for them, at each key.
func (v verdicts) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, row := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		for j, n := range row {
			if j > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(n), 10)
		}
		b = append(b, ']')
	}
	return append(b, ']'), nil
}

// matrix answers page-matrix.
func matrix(e *engine.Engine, q matrixQuestion) (*matrixAnswer, error) {
	if len(q.URLs) > maxURLs {
		return nil, wrong(engine.TooMany, "the question has %d addresses, more than %d: ask about fewer at a time",
			len(q.URLs), maxURLs)
	}
	p, err := e.Policy(q.Policy)
	if err != nil {
		return nil, err
	}
	s := groupingOf(p)
	var notes []string
	if len(q.Agents) == 0 {
		s.all()
	} else if notes, err = s.named(q.Agents, q.Language); err != nil {
		return nil, err
	}
	wrong := make([]bool, len(q.URLs))
	for i, url := range q.URLs {
		wrong[i] = robots.CheckURL(url) != nil
	}
	a := &matrixAnswer{Groups: s.groups, Notes: notes}
	for _, g := range s.groups {
		row := make([]int, len(q.URLs))
		for i, url := range q.URLs {
			if wrong[i] {
				row[i] = -1
				continue
			}
			m := g.rules.Match(url)
			row[i] = m.Rule.Line << 4
			if m.Allowed {
				row[i] |= 1
			}
		}
		a.Verdicts = append(a.Verdicts, row)
	}
	return a, nil
}

// An explainQuestion is about a robot and a URL.
type explainQuestion struct {
	Policy   uint32 `json:"policy"`
	Agent    string `json:"agent"`
	URL      string `json:"url"`
	Language string `json:"language"` // of notes
}

// An explainAnswer has the explanations of all dialects, and the engines that read otherwise.
type explainAnswer struct {
	Tokens   []string        `json:"tokens"` // names that the robot obeys, the most specific first
	Dialects []explanation   `json:"dialects"`
	Asked    []string        `json:"asked"`           // engines that are not dialects
	Engines  []engineVerdict `json:"engines"`         // those whose answer differs from RFC 9309
	Notes    []string        `json:"notes,omitempty"` // about a name that nobody knows
}

// An explanation is the explanation of a dialect.
type explanation struct {
	Dialect     robots.Dialect     `json:"dialect"`
	Explanation robots.Explanation `json:"explanation"`
}

// maxCandidates is the maximum number of rules of an explanation.
const maxCandidates = 200

// explain answers page-explain.
func explain(e *engine.Engine, q explainQuestion) (*explainAnswer, error) {
	if err := robots.CheckURL(q.URL); err != nil {
		return nil, wrong(engine.BadURL, "%v", err)
	}
	p, err := e.Policy(q.Policy)
	if err != nil {
		return nil, err
	}
	if err := robotname.CheckSize([]string{q.Agent}, maxAgents); err != nil {
		return nil, wrong(engine.TooMany, "%v", err)
	}
	robot, err := namesIn(p, q.Language).One(q.Agent)
	nobody, isUnknown := errors.AsType[*robotname.UnknownError](err)
	if err != nil && !isUnknown {
		return nil, wrong(engine.BadValue, "%v", err)
	}
	a := &explainAnswer{Tokens: robot.Obeys()}
	if isUnknown {
		a.Notes = nobody.Notes()
	}
	for _, d := range robots.Dialects() {
		x := robot.Group(p.In(d)).Explain(q.URL)
		x.Candidates = x.Candidates[:min(len(x.Candidates), maxCandidates)]
		a.Dialects = append(a.Dialects, explanation{d, x})
	}
	a.Asked, a.Engines = engines(p, robot, q.URL)
	return a, nil
}

// undecided returns an engine's error for an error of a proof.
func undecided(err error) error {
	var e *engine.Error
	if errors.As(err, &e) {
		return err
	}
	return wrong(engine.Undecided, "%v", err)
}
