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
		if p.alien != robotsText || !p.fewRules() {
			return
		}
		names := []string{"*"}
		for _, g := range p.named() {
			if g.names[0] != "*" && len(names) < maxPortable {
				names = append(names, g.names[0])
			}
		}
		divergences, _ := proof.Portable(p.policy, proof.Options{Agents: names, Limit: portableStates})
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
		divergent := make(map[int][]*divergence)
		for _, v := range divergences {
			k := kind{v.Reader, v.Other.Allowed}
			number := cmp.Or(v.Match.Rule.Line, v.Other.Rule.Line, 1)
			if told[k] {
				continue
			}
			told[k] = true
			same := func(d *divergence) bool { return d.agent == v.Agent && d.witness == v.Witness && d.open == k.open }
			i := slices.IndexFunc(divergent[number], same)
			if i < 0 {
				i = len(divergent[number])
				divergent[number] = append(divergent[number], &divergence{agent: v.Agent, witness: v.Witness, open: k.open})
			}
			d := divergent[number][i]
			d.readers = append(d.readers, v.Reader.Name)
		}
		found := make(places)
		for number, all := range divergent {
			found[number] = func(l *line) {
				for _, d := range all {
					message := textClosedThere
					if d.open {
						message = textOpenThere
					}
					p.report(l.all(), message, strings.Join(d.readers, ", "), d.agent, d.witness)
				}
			}
		}
		p.tell(found)
	},
}

// maxPortable is how many robots readers are asked about, and portableStates how
// many states each search may look at: what differs mostly differs at once.
const (
	maxPortable    = 4
	portableStates = 300
)

var (
	textOpenThere = language.New(
		"read otherwise by %[1]s: there %[2]s may fetch %[3]s, which is closed in rfc9309",
		"leído de otro modo por %[1]s: allí %[2]s puede leer %[3]s, que en rfc9309 está cerrado",
		"%[1]s에서는 다르게 읽습니다. rfc9309에서 막힌 %[3]s을(를) 거기서는 %[2]s이(가) 가져갈 수 있습니다",
		"иначе читается в %[1]s: там для %[2]s открыт %[3]s, закрытый в rfc9309",
	)
	textClosedThere = language.New(
		"read otherwise by %[1]s: there %[2]s may not fetch %[3]s, which is open in rfc9309",
		"leído de otro modo por %[1]s: allí %[2]s no puede leer %[3]s, que en rfc9309 está abierto",
		"%[1]s에서는 다르게 읽습니다. rfc9309에서 열린 %[3]s을(를) 거기서는 %[2]s이(가) 가져갈 수 없습니다",
		"иначе читается в %[1]s: там для %[2]s закрыт %[3]s, открытый в rfc9309",
	)
)
