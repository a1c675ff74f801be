package auditlive

import (
	"net/netip"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

// Identities asks whether clients are the robots that they name, several at a time, where a
// question may take seconds. It is safe for concurrent use.
type Identities struct {
	ask   func(robot agent.Agent, client netip.Addr) agent.Result
	slots chan struct{} // of questions that are asked at a time

	mu      sync.Mutex
	asked   map[question]*identity
	open    int  // questions without an answer
	changed bool // Identify had to do without an answer that there may be now
}

type question struct {
	token  string
	client netip.Addr
}

// An identity is the answer to a question. The result may be read when done is closed.
type identity struct {
	question
	done   chan struct{}
	result agent.Result
	missed bool // Identify was called before the answer came
}

const (
	maxAtATime = 64
	maxOpen    = 4096    // questions: beyond it, clients are unverifiable
	maxAsked   = 100_000 // answers that are kept: about 20 MB
)

// NewIdentities returns Identities with a function that is called concurrently, and keeps its
// answers.
func NewIdentities(ask func(agent.Agent, netip.Addr) agent.Result) *Identities {
	return &Identities{ask: ask, slots: make(chan struct{}, maxAtATime), asked: make(map[question]*identity)}
}

// Identify returns the identity of a client, without waiting: unverifiable until there is an
// answer. It is for audit.Options.
func (i *Identities) Identify(robot agent.Agent, client netip.Addr) agent.Result {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch a := i.asked[question{robot.Token, client}]; {
	case a == nil: // there were too many questions
		i.changed = true
	case !a.isDone():
		a.missed = true
	default:
		return a.result
	}
	return agent.Unverifiable
}

// start asks about a client, unless that is done or under way, and returns the answer, or nil if
// there are too many open questions.
func (i *Identities) start(robot agent.Agent, client netip.Addr) *identity {
	i.mu.Lock()
	defer i.mu.Unlock()
	q := question{robot.Token, client}
	if a := i.asked[q]; a != nil {
		return a
	}
	if i.open >= maxOpen {
		return nil
	}
	if len(i.asked) >= maxAsked {
		i.forget()
	}
	a := &identity{question: q, done: make(chan struct{})}
	i.asked[q] = a
	i.open++
	go func() {
		i.slots <- struct{}{}
		result := i.ask(robot, client)
		<-i.slots
		i.mu.Lock()
		defer i.mu.Unlock()
		a.result = result
		i.open--
		i.changed = i.changed || a.missed
		close(a.done)
	}()
	return a
}

// keep has Identify know an answer that was forgotten while a line waited.
func (i *Identities) keep(a *identity) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.asked[a.question] == nil {
		i.asked[a.question] = a
	}
}

// Forget has Identities ask again about all clients, except for those with an open question.
func (i *Identities) Forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.forget()
}

// forget forgets the answers. i.mu must be held.
func (i *Identities) forget() {
	for q, a := range i.asked {
		if a.isDone() {
			delete(i.asked, q)
		}
	}
}

// late reports whether Identify had to do without answers, since the last call, that there may be
// now.
func (i *Identities) late() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	changed := i.changed
	i.changed = false
	return changed
}

func (a *identity) isDone() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// wait waits for the answer until a time, or until stop is closed, and reports whether there is
// one.
func (a *identity) wait(until time.Time, stop <-chan struct{}) bool {
	if a.isDone() {
		return true
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-a.done:
		return true
	case <-timer.C:
	case <-stop:
	}
	return false
}
