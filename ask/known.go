package ask

import (
	"bytes"

	"github.com/robotsexclusion/robots"
)

// known is the text that questions are about, with the policies and groups made of it.
type known struct {
	policies *Policies // keeps the policies of other texts too, or nil

	given bool // there is a text
	text  []byte

	// How the member that gave the text wrote it, if that is known. The next line often
	// gives the same bytes.
	member  string
	literal []byte

	readings []reading // by dialect
}

// A reading is the text in one dialect.
type reading struct {
	policy *robots.Policy
	groups map[string]*robots.Group // by agent
}

// The limits of what is kept for one text, so that a stream of agents fills no memory.
const (
	maxGroups = 1 << 12
	maxAgent  = 1 << 8 // bytes
)

// forget leaves no text to ask about.
func (k *known) forget() { *k = known{policies: k.policies, literal: k.literal[:0]} }

// set makes text the one that is known. It belongs to k from then on.
func (k *known) set(text []byte) {
	k.member, k.literal = "", k.literal[:0]
	if k.given && bytes.Equal(k.text, text) {
		return
	}
	k.given, k.text, k.readings = true, text, make([]reading, len(robots.Dialects()))
}

// take makes the text of q the one that is known, if it gives one. It reports
// whether that could be read.
func (k *known) take(q *question) bool {
	if q.member == "" || q.same {
		return true
	}
	text, ok := q.text()
	if ok {
		k.set(text)
		k.member = q.member
		k.literal = append(k.literal, q.literal...)
	}
	return ok
}

// group returns the group of an agent in dialect d. It is made once.
func (k *known) group(d robots.Dialect, agent []byte) *robots.Group {
	r := &k.readings[d]
	if g := r.groups[string(agent)]; g != nil {
		return g
	}
	if r.policy == nil {
		r.policy = k.policies.Policy(d, k.text)
	}
	name := string(agent)
	g := r.policy.For(name)
	if len(name) > maxAgent {
		return g
	}
	if r.groups == nil || len(r.groups) >= maxGroups {
		r.groups = make(map[string]*robots.Group)
	}
	r.groups[name] = g
	return g
}
