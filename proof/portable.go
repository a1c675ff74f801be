package proof

import (
	"encoding/json"
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/pathset"
)

// A Divergence is a path for which two dialects give a robot different answers.
type Divergence struct {
	Agent   string
	Dialect robots.Dialect // the other one
	Witness string
	Match   robots.Match // in the dialect of the policy
	Other   robots.Match // in Dialect
}

// String returns the divergence as a line, such as "*: /a.pdf: rfc9309 says
// disallowed by line 2: Disallow: /*.pdf$, koster1994 allowed: no rule of the group
// matches". It is safe for a terminal.
func (v Divergence) String() string {
	return fmt.Sprintf("%s: %s: %v; but %v: %v", printable.Text(v.Agent), printable.Text(v.Witness), v.Match, v.Dialect, v.Other)
}

// MarshalJSON returns an object with "agent", "dialect", "witness", "match" and
// "other".
func (v Divergence) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Agent   string         `json:"agent"`
		Dialect robots.Dialect `json:"dialect"`
		Witness string         `json:"witness"`
		Match   robots.Match   `json:"match"`
		Other   robots.Match   `json:"other"`
	}{v.Agent, v.Dialect, v.Witness, v.Match, v.Other})
}

// Portable returns where other dialects answer otherwise than that of the policy:
// for each robot and dialect a path that is closed only there, and one that is
// open only there. Paths are those that mean the same in both dialects: what
// becomes of percent-encoded octets is not compared, nor, as it differs for every
// file, that RFC 9309 always allows /robots.txt. Undecided tells that something
// took too many cases.
func Portable(p *robots.Policy, o Options) (divergences []Divergence, undecided bool) {
	names := o.Agents
	if names == nil {
		names = named(p)
	}
	purse := o.purse()
	seen := make(map[string]bool)
	for _, d := range robots.Dialects() {
		if d == p.Dialect() {
			continue
		}
		other := p.In(d)
		// All robots of the same groups have the same answers.
		clear(seen)
		for _, name := range names {
			g, h := p.For(name), other.For(name)
			key := fmt.Sprint(g.Lines(), h.Lines())
			if seen[key] {
				continue
			}
			seen[key] = true
			a, b := pathset.Allowed(g), pathset.Allowed(h)
			file := pathset.Of(robots.RFC9309, "/robots.txt$")
			for _, differs := range []pathset.Set{a.Minus(b).Minus(file), b.Minus(a).Minus(file)} {
				path, ok, err := purse.example(differs, p.Dialect(), p.Dialect().Pattern("/"))
				if err != nil {
					undecided = true
				}
				if !ok {
					continue
				}
				v := Divergence{Agent: name, Dialect: d, Witness: witness(path)}
				v.Match, v.Other = g.Match(anySite+v.Witness), h.Match(anySite+v.Witness)
				if v.Match.Allowed == v.Other.Allowed {
					undecided = true // the matcher has the last word
					continue
				}
				divergences = append(divergences, v)
			}
		}
	}
	return divergences, undecided
}
