package pageask

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/inplace"
	"github.com/robotsexclusion/robots/cmd/internal/say/changetext"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/proof/merge"
)

// maxPaths is the maximum number of paths that a change closes to all.
const maxPaths = 100

// A changeQuestion asks for a text in which the site is closed to robots and opened to others, and
// paths are closed to all. Close and Open are purposes and product tokens. A robot that is named by
// its token in one of them is left out of the purposes of the other.
type changeQuestion struct {
	Policy   uint32   `json:"policy"`
	Close    []string `json:"close"`
	Open     []string `json:"open"`
	Paths    []string `json:"paths"`
	Language string   `json:"language"`
}

// A changeAnswer is the text, and what it means.
type changeAnswer struct {
	Text     string            `json:"text"`
	Lines    string            `json:"lines"` // that are added and removed, as diff -u shows them
	Costs    []changetext.Cost `json:"costs"`
	Notes    []string          `json:"notes"`
	Also     []string          `json:"also"`     // closed robots that read pages for search too
	Commands []string          `json:"commands"` // that make the same text one after the other; none for paths
}

// change answers page-change, by the code of the verbs block, allow and build.
func change(e *engine.Engine, q changeQuestion) (*changeAnswer, error) {
	p, err := e.Policy(q.Policy)
	if err != nil {
		return nil, err
	}
	if len(q.Paths) > maxPaths {
		return nil, wrong(engine.TooMany, "the question has %d paths, more than %d: ask about fewer at a time",
			len(q.Paths), maxPaths)
	}
	if what := lint.NotRobots(p, q.Language); what != "" {
		return nil, wrong(engine.BadValue, "%s", what)
	}
	closed, err := subjects(p, q.Close, q.Language)
	if err != nil {
		return nil, err
	}
	open, err := subjects(p, q.Open, q.Language)
	if err != nil {
		return nil, err
	}
	c := changer{language: language.Parse(q.Language), answer: changeAnswer{Text: p.String(),
		Costs: []changetext.Cost{}, Notes: []string{}, Also: []string{}, Commands: []string{}}}
	if err := c.robots(q.Close, closed, open, false); err != nil {
		return nil, err
	}
	if err := c.robots(q.Open, open, closed, true); err != nil {
		return nil, err
	}
	if err := c.paths(q.Paths, q.Language); err != nil {
		return nil, err
	}
	c.answer.Lines = changetext.Lines("robots.txt", p.String(), c.answer.Text, false)
	return &c.answer, nil
}

// subjects returns the robots of names, as the verbs block and allow take them.
func subjects(p *robots.Policy, names []string, code string) ([]agent.Subject, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if err := checkNames(names); err != nil {
		return nil, err
	}
	all, err := namesIn(p, code).Resolve(names)
	if err != nil {
		return nil, wrong(engine.BadValue, "%v", err)
	}
	return inplace.Once(all), nil
}

// A changer makes the changes of a question, one after the other.
type changer struct {
	language language.Language
	answer   changeAnswer
}

// robots closes the site to robots, or opens it to them, except to those of others that are named
// by their tokens.
func (c *changer) robots(names []string, all, others []agent.Subject, open bool) error {
	var except []string
	all = slices.DeleteFunc(slices.Clone(all), func(s agent.Subject) bool {
		is := slices.ContainsFunc(others, func(other agent.Subject) bool {
			return len(other.Called) == 0 && strings.EqualFold(other.Tokens[0], s.Tokens[0])
		})
		if is {
			except = append(except, s.Tokens[0])
		}
		return is
	})
	if len(all) == 0 {
		return nil
	}
	edit, err := inplace.Do(c.answer.Text, inplace.Wish{Robots: all, Open: open}, c.language)
	if err != nil {
		return wrong(engine.Undecided, "%v", err)
	}
	command := "robots block "
	if open {
		command = "robots allow "
	}
	command += strings.Join(names, ",")
	if len(except) > 0 {
		command += " --except " + strings.Join(except, ",")
	}
	does := changetext.Change{File: "robots.txt", Open: open, Edit: edit, Robots: all, Page: true}
	m := changetext.Of(does, c.language)
	a := &c.answer
	a.Text = edit.Text
	a.Costs, a.Notes, a.Also = append(a.Costs, m.Costs...), append(a.Notes, m.Notes...), append(a.Also, m.Also...)
	a.Commands = append(a.Commands, command)
	return nil
}

// paths closes paths to all robots.
func (c *changer) paths(paths []string, code string) error {
	if len(paths) == 0 {
		return nil
	}
	o := merge.Options{Language: code}
	for _, path := range paths {
		if strings.ContainsFunc(path, unicode.IsControl) {
			return wrong(engine.BadValue, "%q is not a path: it has a control character, such as an end of a line",
				path)
		}
		o.Wishes = append(o.Wishes, merge.Wish{Robots: "*", Path: path})
	}
	file, err := merge.Join([]merge.Fragment{{Name: "robots.txt", Text: []byte(c.answer.Text)}}, o)
	if refused := (*merge.Error)(nil); errors.As(err, &refused) {
		var all []string
		for _, p := range refused.Problems {
			all = append(all, p.Message)
		}
		return wrong(engine.BadValue, "%s", strings.Join(all[:min(len(all), 10)], "; "))
	}
	if err != nil {
		return undecided(err)
	}
	c.answer.Text = forReaders(c.answer.Text, withoutHead(file.Text))
	c.answer.Notes = append(c.answer.Notes, file.Notes...)
	c.answer.Commands = []string{}
	return nil
}

// checkNames refuses names that cannot stand in a group.
func checkNames(names []string) error {
	if len(names) > maxAgents {
		return wrong(engine.TooMany, "the question has %d names, more than %d: ask about fewer at a time", len(names),
			maxAgents)
	}
	for _, name := range names {
		if name != "*" && !inplace.IsName(name) {
			return wrong(engine.BadValue, "%q is not a name for robots.txt", name)
		}
	}
	return nil
}

// withoutHead returns a built text without the comment at its head, which names the options of a
// command that readers of the page have not used.
func withoutHead(text string) string {
	if head, rest, ok := strings.Cut(text, "\n\n"); ok && strings.HasPrefix(head, "# Built by ") {
		return rest
	}
	return text
}

// forReaders returns a built text with the comments at the head of its fragment at its own head,
// and without the names of options in its comments. Each rule keeps the number of its line.
func forReaders(fragment, text string) string {
	lines := strings.Split(text, "\n")
	var head []string
	for line := range strings.Lines(fragment) {
		if line = strings.TrimRight(line, "\r\n"); strings.HasPrefix(line, "#") {
			head = append(head, line)
		} else if strings.TrimSpace(line) != "" {
			break
		}
	}
	agents := 0
	for agents < len(lines) && strings.HasPrefix(strings.ToLower(lines[agents]), "user-agent:") {
		agents++
	}
	if end := agents + len(head); end <= len(lines) && slices.Equal(lines[agents:end], head) {
		copy(lines, slices.Concat(head, slices.Clone(lines[:agents])))
	}
	for i, line := range lines {
		if names, ok := strings.CutPrefix(line, "# --block "); ok {
			lines[i] = "# closed to " + names
		} else if names, ok := strings.CutPrefix(line, "# --allow "); ok {
			lines[i] = "# open to " + names
		}
	}
	return strings.Join(lines, "\n")
}
