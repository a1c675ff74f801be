package lsp

import (
	"context"
	"errors"
	"strings"

	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/matchtext"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotname"
)

// The commands that a client may ask for.
const (
	explainCommand = "robots.explain" // of a lens: shows the explanation of a line
	matchCommand   = "robots.match"   // answers whether robots may fetch a URL
)

// maxAsked is the maximum number of robots of a question.
const maxAsked = 100

// A verdict is the answer of matchCommand for a robot.
type verdict struct {
	Robot    string `json:"robot"`
	Allowed  bool   `json:"allowed"`
	Reason   string `json:"reason"`
	Line     int    `json:"line,omitempty"` // from 1 on, if a rule decides
	Group    string `json:"group,omitempty"`
	Sentence string `json:"sentence"`
}

// execute runs a command. Explain shows the explanation of a line to the user, for clients that
// have no better place for it: its arguments are the document and the line, from 0 on. Match
// answers with a verdict for each robot: its arguments are the document, a URL or a path, and the
// names of robots with commas between them, or nothing for robots that the document does not name.
func (s *session) execute(req *jrpc2.Request) (work, error) {
	var p struct {
		Command   string `json:"command"`
		Arguments []any  `json:"arguments"`
	}
	if err := req.UnmarshalParams(&p); err != nil {
		return nil, err
	}
	if p.Command != explainCommand && p.Command != matchCommand {
		return nil, jrpc2.Errorf(jrpc2.InvalidParams, "there is no command %s: the commands are %s and %s",
			printable.Quoted(p.Command, maxShown), explainCommand, matchCommand)
	}
	argument := func(i int) (text string) {
		if i < len(p.Arguments) {
			text, _ = p.Arguments[i].(string)
		}
		return text
	}
	d := s.documents[argument(0)]
	if d == nil {
		return nil, notOpen(argument(0))
	}
	if p.Command == matchCommand {
		url, names, l := argument(1), argument(2), language.Parse(s.settings.language)
		return func(ctx context.Context) (answer any, err error) {
			s.work(ctx, func() { answer, err = verdictsIn(d, url, names, l) })
			return answer, err
		}, nil
	}
	line := 0.0
	if len(p.Arguments) > 1 {
		line, _ = p.Arguments[1].(float64)
	}
	return func(ctx context.Context) (any, error) {
		s.work(ctx, func() {
			found, _ := d.hover(&client{}, placeParams{Position: position{Line: int(line)}})
			if h, ok := found.(hover); ok {
				s.rpc.Notify(ctx, "window/showMessage", messageParams{messageInfo, h.Contents.Value})
			}
		})
		return nil, nil
	}, nil
}

// verdictsIn answers whether robots may fetch a URL, by the text of a document.
func verdictsIn(d *document, url, names string, l language.Language) (any, error) {
	if d.trouble != noTrouble {
		return nil, jrpc2.Errorf(requestFailed, "the document is not checked: its diagnostic says why")
	}
	if err := robots.CheckURL(url); err != nil {
		return nil, jrpc2.Errorf(requestFailed, "%s", printable.Clipped(language.Explain(l, err), 1000))
	}
	asked := []agent.Subject{{Name: "*", Tokens: []string{"*"}}}
	if names != "" {
		known := &robotname.Names{Language: l}
		for _, g := range d.policy().Groups() {
			known.Add(g.Agents()...)
		}
		var err error
		if err = robotname.CheckSize([]string{names}, maxAsked); err == nil {
			asked, err = known.Resolve([]string{names})
		}
		switch nobody, unknown := errors.AsType[*robotname.UnknownError](err); {
		case unknown && nobody.Mistyped():
			return nil, jrpc2.Errorf(requestFailed, "%s", printable.Clipped(strings.Join(nobody.Notes(), " "), 1000))
		case err != nil && !unknown:
			return nil, jrpc2.Errorf(requestFailed, "%s", printable.Clipped(language.Explain(l, err), 1000))
		}
	}
	verdicts := []verdict{}
	for _, robot := range asked {
		g := robot.Group(d.policy())
		m := g.Match(url)
		verdicts = append(verdicts, verdict{
			Robot: printable.Text(robot.Name), Allowed: m.Allowed, Reason: m.Reason.String(), Line: m.Rule.Line,
			Group:    printable.Text(g.Token()),
			Sentence: printable.Text(matchtext.Sentence(l, m.Allowed, m.Reason.String(), m.Rule.Line, m.Rule.String())),
		})
	}
	return verdicts, nil
}
