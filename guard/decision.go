package guard

import (
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A Decision says how to answer a request, and why.
type Decision struct {
	Action Action
	Reason Reason
	Robot  agent.Agent // the robot that the request names; zero if it names no robot

	// Identity is agent.Device, which passes, or the result of Guard.Identities for the client.
	// While the answer is Pending, Identity is unverifiable; Guard.Identities will know more soon.
	Identity agent.Result
	Pending  bool
	Signed   bool // Identity follows from the signature of the request

	// Match is the answer of robots.txt, if its rules decide. It is about Target: the target of the
	// request, or the form of it that robots.txt disallows.
	Match  robots.Match
	Target string

	// Wait is the time until the robot may repeat the request, if Action is Slow.
	// Record is the record of robots.txt that asks for this pace, or that names the license if
	// Reason is Unlicensed.
	Wait   time.Duration
	Record robots.Record

	// Exception is the operator's exception by which the request passes, such as "path /webhook",
	// or "". Match is then the answer of robots.txt without the exception.
	Exception string

	Err error // the fault, if Reason is Fault
}

// An Action is how to answer a request.
type Action uint8

const (
	Pass   Action = iota // serve the request
	Refuse               // answer with Guard.Status, with 402 for the Reason Unlicensed, or with 503 for Fault
	Slow                 // answer with status 429, and Retry-After
)

// String returns the action's name: "pass", "refuse" or "slow".
func (a Action) String() string {
	if int(a) < len(actions) {
		return actions[a]
	}
	return "unknown"
}

var actions = [...]string{"pass", "refuse", "slow"}

// A Reason is why a request passes or not.
type Reason uint8

const (
	noRobot      Reason = iota // the client does not say that it is a robot
	byRules                    // the rules of robots.txt allow or disallow the target
	exempted                   // the target is /robots.txt or below /.well-known/
	noPath                     // the target has no path, so that robots.txt says nothing about it
	Fault                      // the guard failed
	ByPace                     // the request comes earlier than robots.txt asks
	Forged                     // the client is not the robot that it names
	Unlicensed                 // robots.txt names a license that the robot has to pay for
	unidentified               // the guard does not know yet whether the client is the robot that it names
	onDevice                   // a person's device asks in the name of the robot
	excepted                   // an exception of the operator
	manyRobots                 // the request names more robots than the guard decides about
)

// String returns the reason's name, such as "no-robot".
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown"
}

var reasons = [...]string{"no-robot", "rules", "exempt", "no-path", "fault", "pace", "forged", "unlicensed",
	"unidentified", "device", "exception", "many-robots"}
