package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof"
)

var redundantRule = &Check{
	Name:     "redundant-rule",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		if p.alien != robotsText || !p.fewRules() {
			return
		}
		rules := make(map[int]*line)
		p.watched = make(map[int]bool)
		p.rules(func(l *line) {
			here := *l
			rules[l.Number], p.watched[l.Number] = &here, true
		})
		p.last(func() { p.redundant(rules) })
	},
}

// redundant reports rules without effect. It skips lines with a finding of another check: such a
// line may have no effect, but its author did not intend that, and a fix that removed the line
// would hide the mistake.
func (p *pass) redundant(rules map[int]*line) {
	o := proof.Options{Limit: searchStates / 4, Keep: p.doubted()}
	for number, l := range rules {
		if c := l.Value; c == "" || c[0] != '/' && c[0] != '*' {
			o.Keep[number] = true // the rule matches nothing, which another check reports: it was meant for something
		}
	}
	redundant, _ := proof.Redundant(p.policy, o)
	var edits []Edit
	ignored := false
	for _, r := range redundant {
		l := rules[r.Rule.Line]
		message := textSaysNothing
		if r.Why == "never decides" {
			message = textNeverDecides
		}
		omitted := p.omitted
		d := p.report(l.all(), message)
		ignored = ignored || d.Check == nil && p.omitted == omitted
		at, commented := l.comment()
		if commented {
			edits = append(edits, l.whole(l.body[at.from:]+l.ending()))
		} else {
			edits = append(edits, l.whole(""))
		}
	}
	// The proof is only for the removal of all lines together.
	if !ignored && len(p.found) > 0 {
		p.found[0].Fix = &Fix{Title: p.say(textDropRules, len(edits)), Safe: true, Edits: edits}
	}
}

// maxRules is the maximum number of rules of a file that is checked for all paths.
const maxRules = 2000

// fewRules reports whether a file has no more rules than maxRules.
func (f *file) fewRules() bool {
	n := 0
	for _, l := range f.policy.Lines() {
		if l.Kind == robots.Allow || l.Kind == robots.Disallow || l.Kind == robots.UserAgent {
			n++
		}
	}
	return n <= maxRules && strings.Count(f.text, "*") <= 2*maxRules
}

var (
	textNeverDecides = language.New("never decides: whatever it matches, longer rules or equal ones decide")
	textSaysNothing  = language.New("says nothing new: without it every robot gets the same answer for every path")
	textDropRules    = language.New("remove all such rules (%[1]d)")
)
