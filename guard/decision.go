package guard

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A Decision says how to answer a request, and why.
type Decision struct {
	Action Action
	Reason Reason
	Robot  agent.Agent // the robot that the request names; zero if it names none

	// Match is the answer of robots.txt, if Reason is ByRules. It is about Target: the target of the request, or
	// the form of it that robots.txt disallows.
	Match  robots.Match
	Target string

	Err error // the fault, if Reason is Fault
}

// An Action is how to answer a request.
type Action uint8

const (
	Pass   Action = iota // serve the request
	Refuse               // answer with status 403
)

// String returns the action's name: "pass" or "refuse".
func (a Action) String() string {
	if int(a) < len(actions) {
		return actions[a]
	}
	return "unknown"
}

var actions = [...]string{"pass", "refuse"}

// A Reason is why a request passes or not.
type Reason uint8

const (
	NoRobot Reason = iota // the client does not say that it is a robot
	ByRules               // the rules of robots.txt allow or disallow the target
	Exempt                // the target is /robots.txt or below /.well-known/
	NoPath                // the target has no path, so that robots.txt says nothing about it
	Fault                 // the guard failed
)

// String returns the reason's name, such as "no-robot".
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown"
}

var reasons = [...]string{"no-robot", "rules", "exempt", "no-path", "fault"}
