package main

import (
	"bytes"

	"github.com/robotsexclusion/robots"
)

// asked is the text that questions are about, with all that was made of it.
type asked struct {
	known bool // there is one
	text  []byte

	// How the text was written in the member that gave it, where that is
	// known. The next line may well give the same bytes.
	member  string
	literal []byte

	readings []reading // by dialect
}

// A reading is the text as read in one dialect.
type reading struct {
	policy *robots.Policy
	groups map[string]*robots.Group // by agent
}

// What is kept of one text, so that a stream of agents fills no memory.
const (
	mostGroups   = 1 << 12
	longestAgent = 1 << 8 // bytes
)

// forget makes the text unknown.
func (a *asked) forget() { *a = asked{literal: a.literal[:0]} }

// set makes text the one that is known. It belongs to a from then on.
func (a *asked) set(text []byte) {
	a.member, a.literal = "", a.literal[:0]
	if a.known && bytes.Equal(a.text, text) {
		return
	}
	a.known, a.text, a.readings = true, text, make([]reading, len(robots.Dialects()))
}

// take makes the text of q the one that is known, if it gives one. It reports
// whether that could be read.
func (a *asked) take(q *question) bool {
	if q.member == "" || q.same {
		return true
	}
	text, ok := q.text()
	if ok {
		a.set(text)
		a.member = q.member
		a.literal = append(a.literal, q.literal...)
	}
	return ok
}

// group returns the group of an agent in dialect d. It is made once.
func (a *asked) group(d robots.Dialect, agent []byte) *robots.Group {
	r := &a.readings[d]
	if g := r.groups[string(agent)]; g != nil {
		return g
	}
	if r.policy == nil {
		r.policy = d.Parse(a.text)
	}
	name := string(agent)
	g := r.policy.For(name)
	if len(name) > longestAgent {
		return g
	}
	if r.groups == nil || len(r.groups) >= mostGroups {
		r.groups = make(map[string]*robots.Group)
	}
	r.groups[name] = g
	return g
}
