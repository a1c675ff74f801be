// Package engine answers the questions of programs in JavaScript: those of the npm package, and the
// page in the browser. Both run it as WebAssembly (package engine/border), and its tests run it as
// it is.
//
// JavaScript cannot hold a Go value, so an [Engine] keeps parsed policies, and gives out numbers
// for them: handles. Questions about many URLs cross the border at once, as lists of texts, and
// their verdicts as numbers. Questions about whole texts are JSON objects with the members of
// package server/api, and so are the answers.
//
// An Engine answers every input: a wrong one with an [Error] that says what to do, and never with a
// panic.
package engine

import (
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Limits of an Engine.
const (
	MaxText     = 16 << 20  // bytes of a text of robots.txt
	MaxKept     = 256 << 20 // bytes of all texts that are kept at a time
	MaxPolicies = 1 << 18   // policies that are kept at a time
	MaxRobots   = 4096      // robots of a policy
	MaxVerdicts = 1 << 24   // verdicts of a question
)

// A Code is the kind of an error, for programs.
type Code string

// The codes. Programs compare them: none is ever renamed.
const (
	TooLarge  Code = "too-large" // a text, or the number of verdicts
	TooMany   Code = "too-many"  // policies, or robots
	NoPolicy  Code = "no-policy" // the policy was freed, or is of another engine
	BadURL    Code = "bad-url"
	BadValue  Code = "bad-value" // another part of the question
	Undecided Code = "undecided" // the answer takes too many cases
	Fault     Code = "fault"     // of this module
)

// An Error describes a mistake in a question, and how to mend it.
type Error struct {
	Code    Code
	Message string
}

// Error returns the message. It is safe for a terminal.
func (e *Error) Error() string { return e.Message }

// wrong returns an Error whose message is the concatenated parts. A part is a string or a number:
// an int, uint32 or int64. Package fmt would make up a tenth of the core engine.
func wrong(code Code, parts ...any) *Error {
	var b []byte
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			b = append(b, part...)
		case int:
			b = strconv.AppendInt(b, int64(part), 10)
		case uint32:
			b = strconv.AppendUint(b, uint64(part), 10)
		}
	}
	return &Error{code, string(b)}
}

// An Engine keeps policies. It is not safe for concurrent use: WebAssembly has one thread.
type Engine struct {
	questions []Question
	policies  map[uint32]*policy
	last      uint32 // the last handle that was given out
	bytes     int    // of the texts of policies
}

// A Question is a question in JSON that an engine answers, besides those of the Engine's own
// methods.
type Question struct {
	Name string

	// Answer returns the answer to a JSON object, as JSON.
	Answer func(e *Engine, object []byte) ([]byte, error)
}

// New returns an Engine that answers the questions.
func New(questions ...Question) *Engine {
	return &Engine{questions: questions, policies: make(map[uint32]*policy)}
}

// Parse reads a text of robots.txt, of any bytes, and keeps the policy until [Engine.Free]. It
// returns the policy's handle, which is never 0, and not given out again before 2³¹ others.
func (e *Engine) Parse(text string, d robots.Dialect) (handle uint32, err error) {
	switch {
	case len(text) > MaxText:
		return 0, wrong(TooLarge, "the text has ", len(text), " bytes, more than ", MaxText,
			": robots read 500 KiB, so cut it after that")
	case len(e.policies) >= MaxPolicies:
		return 0, tooMany(len(e.policies))
	case e.bytes+len(text) > MaxKept:
		return 0, wrong(TooMany, "the policies that are kept have ", e.bytes, " bytes, and ", len(text),
			" more are over the limit of ", MaxKept,
			": free those that are no longer needed")
	}
	return e.keep(d.Parse([]byte(text))), nil
}

// Fixed keeps the policy of a site without a robots.txt, where everything is allowed, or of one
// whose robots.txt is unreachable, where nothing is.
func (e *Engine) Fixed(unreachable bool) (handle uint32, err error) {
	if len(e.policies) >= MaxPolicies {
		return 0, tooMany(len(e.policies))
	}
	if unreachable {
		return e.keep(robots.DisallowAll()), nil
	}
	return e.keep(robots.AllowAll()), nil
}

func tooMany(policies int) error {
	return wrong(TooMany, policies, " policies are kept: free those that are no longer needed")
}

// keep keeps a policy.
func (e *Engine) keep(p *robots.Policy) (handle uint32) {
	for handle == 0 || e.policies[handle] != nil {
		e.last = (e.last + 1) & (1<<31 - 1) // WebAssembly returns a handle as a signed number
		handle = e.last
	}
	e.policies[handle] = &policy{Policy: p}
	e.bytes += len(p.String())
	return handle
}

// Free forgets a policy. It reports whether the policy was kept.
func (e *Engine) Free(handle uint32) bool {
	p, ok := e.policies[handle]
	if ok {
		e.bytes -= len(p.String())
		delete(e.policies, handle)
	}
	return ok
}

// Kept returns the number of policies that are kept.
func (e *Engine) Kept() int { return len(e.policies) }

// Policy returns the policy with a handle.
func (e *Engine) Policy(handle uint32) (*robots.Policy, error) {
	p, err := e.policy(handle)
	if err != nil {
		return nil, err
	}
	return p.Policy, nil
}

func (e *Engine) policy(handle uint32) (*policy, error) {
	p := e.policies[handle]
	if p == nil {
		return nil, wrong(NoPolicy, "there is no policy ", handle, ": it was freed, or another engine parsed it")
	}
	return p, nil
}

// Ask answers a question in JSON.
func (e *Engine) Ask(name string, object []byte) ([]byte, error) {
	for _, q := range e.questions {
		if q.Name == name {
			return q.Answer(e, object)
		}
	}
	var names []string
	for _, q := range e.questions {
		names = append(names, q.Name)
	}
	return nil, wrong(BadValue, "this engine has no question ", printable.Quoted(name, 80), ": it answers ",
		strings.Join(names, ", "))
}

// DialectNumber returns the dialect with a number.
func DialectNumber(n uint32) (robots.Dialect, error) {
	if all := robots.Dialects(); int64(n) < int64(len(all)) {
		return all[n], nil
	}
	return 0, wrong(BadValue, "there is no dialect ", n)
}
