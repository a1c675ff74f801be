// Package agent knows the robots of the web: which robot a User-Agent header names, by which names
// the robot obeys robots.txt, who operates it and for what purpose.
//
//	group := agent.Group(policy, r.UserAgent())
//
// [Group] returns the group of a policy that a robot obeys. [Lookup] finds a robot by its header,
// [Named] by its product token, and [All] lists the robots of the table. A header proves nothing:
// anybody can send any header.
//
// A program that knows further robots reads a [Table] of its own, with [ParseTable], and calls its
// methods in place of the functions.
package agent

//go:generate go test -run TestGenerated -update

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// An Agent is a program that sends requests under a name: a robot, a library, a browser. It is an
// immutable, comparable value. The zero Agent is an unknown program.
type Agent struct {
	// Token is the product token: the name by which robots.txt addresses the robot (RFC 9309,
	// section 2.2.1). If the agent is not in the table, Token is the best name in its header, as
	// written there, or "".
	Token string

	Name     string  // its full name, if it is in the table
	Operator string  // who runs it, if known
	Purposes Purpose // why it reads pages, as far as its operator says
	Kind     Kind    // what sort of program it is
	Reason   Reason  // how Lookup knows the kind
	Word     string  // the word of the header that decided, as written there

	// Device is set if the header is from a program on a person's device that uses the name of the
	// robot: a phone that makes a preview, or an assistant that reads pages on its user's machine.
	// Its address says nothing about the robot.
	Device bool

	robot *robot // its entry in the table, or nil
	own   string // the name that was found, if it is one word and not the token with a version; or ""
}

// agent returns the agent of an entry that a word of the header matched. The word starts with a
// name of the robot.
func (r *robot) agent(word string) Agent {
	return Agent{
		Token: r.tokens[0], Name: r.name, Operator: r.operator, Purposes: r.purposes,
		Kind: r.kind(), Reason: byName, Word: word, Device: r.devices == onlyDevices, robot: r,
	}
}

// agent returns the agent of a match.
func (m tableMatch) agent() Agent {
	a := m.robot.agent(m.word)
	a.Device = m.device
	name := m.word[:m.length]
	if !m.device && !equalFold(unversioned(name), unversioned(a.Token)) && !strings.ContainsAny(name, " +") {
		a.own = name
	}
	return a
}

// Named returns the agent with this product token, in letters of any case, or with this as another
// name that its headers show. A version after a slash is dropped, with all text after it. If the
// table has no such robot, the agent has the token and nothing else.
func Named(token string) Agent { return builtin().Named(token) }

// Named is like the function [Named], with the robots of t.
func (t *Table) Named(token string) Agent {
	t = t.orBuiltin()
	token, _, _ = strings.Cut(strings.TrimSpace(token), "/")
	if k := t.find(token, hashOf(token)); k != nil {
		switch {
		case k.token != 0:
			return t.robots[k.token-1].agent(token)
		case k.shown != 0:
			return tableMatch{&t.robots[k.shown-1], token, len(token), k.device}.agent()
		}
	}
	return Agent{Token: token}
}

// All returns the agents of the table with any of these purposes, or all of
// them if none is given, in the order of their tokens.
func All(purposes ...Purpose) iter.Seq[Agent] { return builtin().All(purposes...) }

// All is like the function [All], with the robots of t.
func (t *Table) All(purposes ...Purpose) iter.Seq[Agent] {
	t = t.orBuiltin()
	var want Purpose
	for _, p := range purposes {
		want |= p
	}
	return func(yield func(Agent) bool) {
		for i := range t.robots {
			r := &t.robots[i]
			if (len(purposes) == 0 || r.purposes.Has(want)) && !yield(r.agent(r.tokens[0])) {
				return
			}
		}
	}
}

// Known reports whether the table has the agent, so that its methods return more than the facts in
// its header.
func (a Agent) Known() bool { return a.robot != nil }

// Tokens returns the product tokens that the agent obeys, the most specific first: the name in its
// header, if that differs from its Token, as coccocbot-web does; its Token; and its fallbacks. The
// slice must not be modified. It is empty if the agent has no token.
//
// Agents that obey the group for everyone ("*") try that group after these; see [Agent.Everyone].
func (a Agent) Tokens() []string {
	switch {
	case a.own != "":
		return slices.Concat([]string{a.own}, a.robot.tokens)
	case a.robot != nil:
		return slices.Clip(a.robot.tokens)
	case a.Token != "":
		return []string{a.Token}
	}
	return nil
}

// Everyone reports whether the agent obeys the group for everyone ("*") if no group names the
// agent, as RFC 9309, section 2.2.1 asks of all. Some robots of the table do not, such as
// AdsBot-Google.
func (a Agent) Everyone() bool { return a.robot == nil || !a.robot.alone }

// PolicyOnly reports whether the token is used only in robots.txt and in no header. Either the
// token says what another robot may do with the pages that it fetches, as Google-Extended does, or
// its robot sends the header of a browser, as Operator did.
func (a Agent) PolicyOnly() bool { return a.robot != nil && a.robot.policyOnly }

// Obedience returns whether the agent obeys robots.txt.
func (a Agent) Obedience() Obedience { return a.entry().obedience }

// CrawlDelay returns how the agent reads the number of a Crawl-delay record.
func (a Agent) CrawlDelay() Delay { return a.entry().delay }

// Meta returns the names of META tags and the prefixes of X-Robots-Tag headers that the agent obeys
// besides "robots". The slice must not be modified.
func (a Agent) Meta() []string { return slices.Clip(a.entry().meta) }

// Recipe returns how to verify the addresses of the agent. Its slices must not be modified. A
// monitor that does not crawl may run elsewhere: some site owners run monitors on their own
// machines.
func (a Agent) Recipe() Recipe {
	r := a.entry()
	return Recipe{Ranges: slices.Clip(r.ranges), DNS: slices.Clip(r.dns),
		Elsewhere: r.devices == someDevices && len(r.deviceWords) == 0 || r.purposes == forMonitor && !a.Crawler()}
}

// Devices reports whether the robot also runs on people's devices, and returns the names in headers
// that show it. If [Named] returns an agent with Device set, all requests of the robot come from
// devices. Otherwise, if there are no names, headers do not show it. The slice must not be
// modified.
func (a Agent) Devices() (words []string, ok bool) {
	r := a.entry()
	return slices.Clip(r.deviceWords), r.devices != noDevices
}

// Docs returns the URL of the page on which the operator documents the agent,
// or "".
func (a Agent) Docs() string { return a.entry().docs }

// Source returns the URL at which the source code of the agent is published, or
// "".
func (a Agent) Source() string { return a.entry().source }

// Checked returns when the facts of the table about the agent were last
// checked, as year and month ("2026-08"), or "".
func (a Agent) Checked() string { return a.entry().checked }

// nobody is the entry of agents that are not in the table.
var nobody robot

func (a Agent) entry() *robot {
	if a.robot == nil {
		return &nobody
	}
	return a.robot
}

// Why returns how Lookup knows the kind of the agent, with the deciding word, such as `the word
// "crawler"`. Bytes that are unsafe for a terminal are escaped.
func (a Agent) Why() string {
	word := `"` + printable.Text(a.Word) + `"`
	switch a.Reason {
	case byName:
		return "listed as " + word
	case byAddress:
		return "it gives the address " + word
	case byRobotWord:
		return "the word " + word
	case byPlaying:
		return "it plays a browser, but has the name " + word
	case byToolWord:
		return "the tool " + word
	case byBrowserWord:
		return "the browser's word " + word
	case byDeviceWord:
		return "the device's word " + word
	case byAppWord:
		return "the program for people " + word
	case byOtherWord:
		return "the name " + word + ", and no browser"
	}
	return "nothing is known"
}

// MarshalJSON returns an object with the facts about the agent: "token", "kind", "reason" and
// "word", and for agents of the table the other facts.
func (a Agent) MarshalJSON() ([]byte, error) {
	type header struct {
		Token    string   `json:"token"`
		Tokens   []string `json:"tokens"`
		Kind     string   `json:"kind"`
		Reason   string   `json:"reason"`
		Word     string   `json:"word,omitempty"`
		Device   bool     `json:"device"`
		Known    bool     `json:"known"`
		Everyone bool     `json:"everyone"`
		Crawler  bool     `json:"crawler"`
	}
	h := header{a.Token, append([]string{}, a.Tokens()...), a.Kind.String(), a.Reason.String(), a.Word, a.Device,
		a.Known(), a.Everyone(), a.Crawler()}
	if a.robot == nil {
		return json.Marshal(h)
	}
	r := a.robot
	return json.Marshal(struct {
		header
		Name       string     `json:"name"`
		Operator   string     `json:"operator,omitempty"`
		Purposes   []string   `json:"purposes"`
		PolicyOnly bool       `json:"policy_only"`
		RobotsTxt  string     `json:"robots_txt"`
		CrawlDelay string     `json:"crawl_delay"`
		Meta       []string   `json:"meta,omitempty"`
		Verify     Recipe     `json:"verify,omitzero"`
		Devices    *onDevices `json:"devices,omitempty"`
		Docs       string     `json:"docs,omitempty"`
		Source     string     `json:"source,omitempty"`
		Checked    string     `json:"checked,omitempty"`
	}{h, r.name, r.operator, r.purposes.names(), r.policyOnly, r.obedience.String(), r.delay.String(), r.meta,
		Recipe{Ranges: r.ranges, DNS: r.dns}, r.onDevices(), r.docs, r.source, r.checked})
}

// onDevices is the member "devices" of a robot's JSON.
type onDevices struct {
	Always bool     `json:"always"`
	Words  []string `json:"words,omitempty"`
}

func (r *robot) onDevices() *onDevices {
	if r.devices == noDevices {
		return nil
	}
	return &onDevices{r.devices == onlyDevices, r.deviceWords}
}
