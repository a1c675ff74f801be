package pageask

import (
	"errors"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A reachQuestion is about all known robots.
type reachQuestion struct {
	Policy uint32 `json:"policy"`
}

// reach answers page-reach: how much of a site is open to each known robot. It says "open" and
// "closed" of all paths but /robots.txt, which is open to all.
func reach(e *engine.Engine, q reachQuestion) ([]*group, error) {
	p, err := e.Policy(q.Policy)
	if err != nil {
		return nil, err
	}
	if len(p.String()) > maxText {
		return nil, wrong(engine.TooLarge,
			"the text has %d bytes, more than %d, which is as much as RFC 9309 asks robots to read: shorten it",
			len(p.String()), maxText)
	}
	s := groupingOf(p)
	s.all()
	for _, g := range s.groups {
		if g.Reach, err = g.reach(); err != nil {
			return nil, err
		}
	}
	return s.groups, nil
}

// reach returns how much of a site is open to the robots of a group: "open", "partly", "closed", or
// "undecided".
func (g *group) reach() (string, error) {
	robotsFile := pathset.Of(g.rules.Dialect(), "/robots.txt$")
	open := pathset.Allowed(g.rules)
	nothingClosed, err := open.Complement().Empty(pathset.DefaultLimit)
	if err == nil && nothingClosed {
		return "open", nil
	}
	nothingOpen, other := open.Minus(robotsFile).Empty(pathset.DefaultLimit)
	switch err := errors.Join(err, other); {
	case other == nil && nothingOpen:
		return "closed", nil
	case errors.Is(err, pathset.ErrUndecided):
		return "undecided", nil
	case err != nil:
		return "", undecided(err)
	}
	return "partly", nil
}
