// Grobotstxt answers questions of the ask protocol with
// github.com/jimsmart/grobotstxt, a port of Google's parser.
package main

import (
	"github.com/jimsmart/grobotstxt"

	"github.com/robotsexclusion/robots/oracle/internal/ask"
)

func main() {
	ask.Main("github.com/jimsmart/grobotstxt", answer)
}

// answer asks the library, which reads the text again for each question. It has
// no dialects. It may tell the line of a rule without a pattern, which it takes
// for a match that loses to any other.
func answer(q ask.Question) (ask.Answer, error) {
	m := grobotstxt.NewRobotsMatcher()
	allowed := m.AgentAllowed(q.Robots, q.Agent, q.URL)
	return ask.Answer{Allowed: allowed, Line: m.MatchingLine()}, nil
}
