package proof

import (
	"encoding/json"
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/pathset"
)

// A Divergence is a path for which another reader gives a robot another answer.
type Divergence struct {
	Agent   string
	Reader  Reader // the other one
	Witness string
	Match   robots.Match // in the dialect of the policy, by the robot's own name or "*"
	Other   robots.Match // of Reader, see [Reader.Match]
}

// String returns the divergence as a line, such as "*: /a.pdf: disallowed by line 2:
// Disallow: /*.pdf$; but koster1994: allowed: no rule of the group matches". It is
// safe for a terminal.
func (v Divergence) String() string {
	return fmt.Sprintf("%s: %s: %v; but %v: %v", printable.Text(v.Agent), printable.Text(v.Witness), v.Match, v.Reader.Name, v.Other)
}

// MarshalJSON returns an object with "agent", "reader", "witness", "match" and
// "other".
func (v Divergence) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Agent   string       `json:"agent"`
		Reader  string       `json:"reader"`
		Witness string       `json:"witness"`
		Match   robots.Match `json:"match"`
		Other   robots.Match `json:"other"`
	}{v.Agent, v.Reader.Name, v.Witness, v.Match, v.Other})
}

// Portable returns where other readers answer otherwise than the dialect of the
// policy does: for each reader and robot a path that is closed only there, and one
// that is open only there. Robots that obey the same groups are told once.
//
// A dialect is asked about all robots of the options, an engine about those that its
// operator runs. Where the options name none, also about those of its robots that
// obey a group for another one. For an engine "*" is one of its robots that the file
// does not name.
//
// What is found is proven: each witness was put to both matchers. Where nothing is
// found and nothing undecided, it is proven that there is no divergence among paths
// that are in the normal form of both dialects. Other paths, with bytes that are
// percent-encoded in another way, are only looked for: those of rules that have such
// bytes are tried in their spellings. That RFC 9309 always allows /robots.txt, and
// so differs from others for every file, is not told.
//
// Undecided tells that something took too many cases.
func Portable(p *robots.Policy, o Options) (divergences []Divergence, undecided bool) {
	names := o.Agents
	if names == nil {
		names = named(p)
	}
	c := &collation{policy: p, table: o.Robots, purse: o.purse(), rules: make(map[string]*pathset.Rules), witnesses: make(map[string][]string), left: maxRules}
	for _, r := range readers {
		c.read(r, r.asked(o.Robots, p, names, o.Agents == nil))
	}
	return c.divergences, c.undecided
}
