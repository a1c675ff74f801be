package server

import (
	"errors"
	"fmt"
	"sync"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
)

// names resolves names of robots, and caches the robots: finding out whether a name is a
// misspelling takes longer than an answer. It is safe for concurrent use.
type names struct {
	table *agent.Table

	mu    sync.Mutex
	known map[nameKey]named
}

type nameKey struct {
	text   string
	asItIs bool
}

type named struct {
	robots []agent.Subject
	err    error
}

const (
	maxNames = 1 << 12
	maxName  = 1 << 8 // bytes; a longer name is not cached
)

// resolve returns the robots that a text names. A robot that the table does not have may ask about
// itself, so a name that nobody knows is a product token; but if another name was probably meant,
// the error is an [agent.UnknownError]. With asItIs a text is a token or a header, and no other
// name.
func (n *names) resolve(text string, asItIs bool) ([]agent.Subject, error) {
	key := nameKey{text, asItIs}
	n.mu.Lock()
	r, ok := n.known[key]
	n.mu.Unlock()
	if ok {
		return r.robots, r.err
	}
	r.robots, r.err = n.find(text, asItIs)
	if len(text) <= maxName {
		n.mu.Lock()
		if n.known == nil || len(n.known) >= maxNames {
			n.known = make(map[nameKey]named)
		}
		n.known[key] = r
		n.mu.Unlock()
	}
	return r.robots, r.err
}

func (n *names) find(text string, asItIs bool) ([]agent.Subject, error) {
	if asItIs {
		if robot := n.table.Subject(text); len(robot.Tokens) > 0 {
			return []agent.Subject{robot}, nil
		}
	}
	found, err := n.table.Resolve(text)
	if unknown, ok := errors.AsType[*agent.UnknownError](err); ok {
		if unknown.Meant != "" && !asItIs {
			return nil, unknown
		}
	} else if err != nil {
		return nil, err
	}
	if len(found) == 1 && len(found[0].Called) == 0 {
		found[0].Name = text
	}
	return found, nil
}

// subjects returns the robots that a question names.
func (s *Server) subjects(texts []string, asItIs bool) ([]agent.Subject, error) {
	all := make([]agent.Subject, 0, len(texts))
	for _, text := range texts {
		if len(text) > maxAgent {
			return nil, badParameter.problem(fmt.Sprintf("the name of a robot has %d bytes, more than %d", len(text),
				maxAgent))
		}
		found, err := s.names.resolve(text, asItIs)
		unknown, isUnknown := errors.AsType[*agent.UnknownError](err)
		switch {
		case isUnknown:
			return nil, badParameter.problem(unknown.Error() + " The parameter unknown=true takes the name as it is")
		case err != nil:
			return nil, badParameter.problem(fmt.Sprintf(
				"the agent %s names no robot: give a product token such as ExampleBot", printable.Quoted(text, 100)))
		}
		if all = append(all, found...); len(all) > maxAgents {
			return nil, badParameter.problem(fmt.Sprintf("%d robots are named, more than %d: ask in several requests",
				len(all), maxAgents))
		}
	}
	return all, nil
}

// parseBool returns the value of a parameter that is true or false; "" is false.
func parseBool(name, value string) (bool, error) {
	switch value {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, badParameter.problem(fmt.Sprintf("the parameter %s is neither true nor false", name))
}
