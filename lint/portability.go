package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof"
)

var portability = &Check{
	Name:     "portability",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		p.divergent(func(r proof.Reader) bool { return r.Operator != "" })
	},
}

// divergent reports paths for which readers differ from RFC 9309.
func (p *pass) divergent(wanted func(proof.Reader) bool) {
	type kind struct {
		reader proof.Reader
		open   bool
	}
	type divergence struct {
		agent, witness string
		open           bool
		readers        []string
	}
	told := make(map[kind]bool)
	found := make(map[int][]*divergence)
	for _, v := range p.divergences() {
		k := kind{v.Reader, v.Other.Allowed}
		number := cmp.Or(v.Match.Rule.Line, v.Other.Rule.Line, 1)
		if !wanted(v.Reader) || told[k] || !isASCII(v.Witness) || !p.reads(v.Reader, v.Agent) {
			continue
		}
		told[k] = true
		same := func(d *divergence) bool { return d.agent == v.Agent && d.witness == v.Witness && d.open == k.open }
		i := slices.IndexFunc(found[number], same)
		if i < 0 {
			i = len(found[number])
			found[number] = append(found[number], &divergence{agent: v.Agent, witness: v.Witness, open: k.open})
		}
		d := found[number][i]
		d.readers = append(d.readers, v.Reader.Name)
	}
	calls := make(places)
	for number, all := range found {
		calls[number] = func(l *line) {
			for _, d := range all {
				message := textClosedThere
				if d.open {
					message = textOpenThere
				}
				p.report(l.all(), message, strings.Join(d.readers, ", "), d.agent, d.witness)
			}
		}
	}
	p.tell(calls)
}

// reads reports whether a robot may read like a reader. An engine reads for the robots of its
// operator, and for robots that the file does not name.
func (f *file) reads(r proof.Reader, name string) bool {
	return r.Operator == "" || name == "*" || f.options.Robots.Named(name).Operator == r.Operator
}

// divergences returns the paths for which readers differ, for everyone and the first robots in
// the file. They are searched once for all checks.
func (f *file) divergences() []proof.Divergence {
	if f.searched || f.alien != robotsText || !f.fewRules() {
		return f.diverge
	}
	f.searched = true
	names := []string{"*"}
	for _, g := range f.named() {
		if g.names[0] != "*" && len(names) < maxPortable {
			names = append(names, g.names[0])
		}
	}
	f.diverge, _ = proof.Portable(f.policy, proof.Options{Agents: names, Robots: f.options.Robots,
		Limit: portableStates})
	return f.diverge
}

// maxPortable is the maximum number of robots per reader, and portableStates the maximum number
// of states of each search: most differences are found at once.
const (
	maxPortable    = 4
	portableStates = 300
)

var (
	textOpenThere   = language.New("read otherwise by %[1]s: there %[2]s may fetch %[3]s, which is closed in rfc9309")
	textClosedThere = language.New("read otherwise by %[1]s: there %[2]s may not fetch %[3]s, which is open in rfc9309")
)
