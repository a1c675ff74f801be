package ask

import (
	"bytes"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A currentText is the text that the current questions are about, with its policies and groups.
type currentText struct {
	policies *Policies    // caches the policies of other texts, or nil
	table    *agent.Table // of robots, or nil

	given bool // there is a text
	text  []byte

	// The member of the last question that had the text, and the string as written there, or
	// empty. The next line often repeats these bytes.
	member  string
	literal []byte

	parsed   []parsedText       // by dialect
	meanings map[string]meaning // of names that no policy has, for all texts
}

// A parsedText is the text in one dialect.
type parsedText struct {
	policy *robots.Policy
	groups map[string]*robots.Group // by agent
}

// maxAgent is the maximum size in bytes of a robot's name whose group is kept. The number of groups
// of a text is maxGroups at most.
const maxAgent = 1 << 8

// forget removes the text.
func (k *currentText) forget() {
	*k = currentText{policies: k.policies, table: k.table, literal: k.literal[:0], meanings: k.meanings}
}

// set replaces the text. k keeps text and its memory.
func (k *currentText) set(text []byte) {
	k.member, k.literal = "", k.literal[:0]
	if k.given && bytes.Equal(k.text, text) {
		return
	}
	k.given, k.text, k.parsed = true, text, make([]parsedText, len(robots.Dialects()))
}

// take replaces the text by that of q, if q has one. It reports false if the text cannot be
// decoded.
func (k *currentText) take(q *question) bool {
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

// group returns the group of an agent in dialect d, and caches the group.
func (k *currentText) group(d robots.Dialect, agent []byte) (*robots.Group, error) {
	r := &k.parsed[d]
	if g := r.groups[string(agent)]; g != nil {
		return g, nil
	}
	if r.policy == nil {
		r.policy = k.policies.Policy(d, k.text)
	}
	name := string(agent)
	g, err := k.groupOf(r.policy, name)
	if err != nil || len(name) > maxAgent {
		return g, err
	}
	if r.groups == nil || len(r.groups) >= maxGroups {
		r.groups = make(map[string]*robots.Group)
	}
	r.groups[name] = g
	return g, nil
}
