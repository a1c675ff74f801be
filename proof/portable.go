package proof

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A Divergence is a path where another reader gives a robot a different answer.
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
	return fmt.Sprintf("%s: %s: %v; but %v: %v", printable.Text(v.Agent), printable.Text(v.Witness), v.Match,
		v.Reader.Name, v.Other)
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

// Portable returns where the answers of other readers differ from the dialect of
// the policy: for each reader and robot a path that only this reader closes, and
// one that only this reader opens. Robots that obey the same groups are listed
// once.
//
// Portable asks a dialect about all robots of the options, and an engine about its operator's
// robots. If the options name no robots, it also asks an engine about its robots that obey the
// group of another one. For an engine, "*" is one of its robots that the file does not name.
//
// Each divergence is proven: both matchers were asked about its witness. Without any,
// and without an error, no path in the normal form of both dialects diverges.
// Other paths, with bytes that are percent-encoded in another way, are searched in
// part: Portable tries the spellings of rules that have such bytes. RFC 9309 always
// allows /robots.txt, and so differs from others for every file: this is left out.
//
// The error wraps [pathset.ErrUndecided] if a search reached the limit: there may be more
// divergences than those returned.
func Portable(p *robots.Policy, o Options) ([]Divergence, error) {
	names := o.Agents
	if names == nil {
		names = named(p)
	}
	c := &collation{policy: p, table: o.Robots, purse: o.purse(), rules: make(map[string]*pathset.Rules),
		witnesses: make(map[string][]string), left: maxRules}
	for _, r := range readers {
		if o.Readers != nil && !slices.Contains(o.Readers, r) {
			continue
		}
		c.read(r, r.asked(o.Robots, p, names, o.Agents == nil))
	}
	return c.divergences, undecidedError(c.undecided)
}
