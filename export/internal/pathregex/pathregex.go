// Package pathregex writes patterns of robots.txt as regular expressions of PCRE or RE2. An
// expression matches the target of a request as it was sent, and gives the answer that the pattern
// gives for the normal form of the target.
package pathregex

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export/internal/layers"
)

// Odd is an expression that matches the targets that need odd expressions: those with an escaped
// unreserved byte, such as "%61".
const Odd = `%` + unreservedDigits

// A Syntax is how expressions are written for one server.
type Syntax struct {
	Root  string // the start of a target, with its first "/"
	Any   string // any bytes of a target, as few as possible
	End   string // the end of a target
	Slash string // a "/" of the path of a rule; by default the byte
	Limit int    // maximum bytes of an expression

	// Once writes expressions that pass over a target once, for programs that limit the steps of a
	// match: those of one rule with "*", or of several if a target starts with the stem of one of
	// them.
	Once bool

	// RE2 writes expressions without lookaround, for targets of ASCII without a fragment.
	RE2 bool
}

// maxDepth is the maximum depth of branches in an expression. PCRE2 nests 250 parentheses.
const maxDepth = 60

// A RuleError is a rule that no expression of a syntax can say.
type RuleError struct {
	Rule   robots.Rule
	Reason string
}

// Error returns the line, the rule and the reason.
func (e *RuleError) Error() string {
	return fmt.Sprintf("line %d: %v: %s", e.Rule.Line, e.Rule, e.Reason)
}

// An item is a rule, or one spelling of it, as units.
type item struct {
	units []unit
	rule  *robots.Rule
}

// A writer writes the expressions of one layer, or of names.
type writer struct {
	*Syntax
	odd     bool
	suffix  string          // of each expression
	texts   []string        // of opaque units
	numbers map[string]unit // by text
	spelled map[unit]string
	out     []string
}

// Write returns expressions that together match the targets that one of the rules matches. It takes
// n log n steps for n rules, and writes each rule once.
func (s *Syntax) Write(rules []layers.Rule, odd bool) ([]string, error) {
	w := &writer{Syntax: s, odd: odd, numbers: make(map[string]unit), spelled: make(map[unit]string)}
	var items []item
	for i := range rules {
		if w.RE2 {
			if digit := digitAlone(&rules[i]); digit != "" {
				return nil, &RuleError{rules[i].Rule,
					fmt.Sprintf("a single hex digit between two \"*\" (here %q) cannot be told from a part of an escape", digit)}
			}
		}
		spellings, ok := w.units(&rules[i])
		if !ok {
			return nil, &RuleError{rules[i].Rule, `a "%" before "*" must start an escape, such as "%2F"`}
		}
		for _, units := range spellings {
			items = append(items, item{units, &rules[i].Rule})
		}
	}
	if len(items) == 0 {
		return nil, nil
	}
	slices.SortFunc(items, func(a, b item) int { return slices.Compare(a.units, b.units) })
	if err := w.write(w.tree(items, 0), s.Root); err != nil {
		return nil, err
	}
	return w.out, nil
}

// units returns a rule as units, without the first "/". All segments but the last are atomic: the
// leftmost place of a segment is as good as any.
func (w *writer) units(r *layers.Rule) (spellings [][]unit, ok bool) {
	units, ok := unitsOf(nil, r.Stem[1:], len(r.Segments) == 0 && !r.Anchored)
	if !ok && len(r.Segments) == 0 {
		units, ok = strayUnits(r.Stem[1:]), true
	}
	if !ok {
		return nil, false
	}
	inQuery := w.queryOf(units, false)
	for i, segment := range r.Segments {
		last := i == len(r.Segments)-1
		part, ok := unitsOf(nil, segment, last && !r.Anchored)
		if !ok && last {
			part, ok = strayUnits(segment), true
		}
		if !ok {
			return nil, false
		}
		inQuery = w.queryOf(part, inQuery)
		if last && r.Anchored {
			part = append(part, w.end(part))
		}
		if w.RE2 {
			variants := w.found(part)
			if last {
				for _, v := range variants {
					spellings = append(spellings, slices.Concat(units, v))
				}
				return spellings, true
			}
			units = append(units, w.number(group(w.spellAll(variants))))
			continue
		}
		variants := searched(part)
		if last {
			for _, v := range variants {
				spellings = append(spellings, slices.Concat(units, []unit{any}, v))
			}
			return spellings, true
		}
		units = append(units, w.number(`(?>`+w.Any+group(w.spellAll(variants))+`)`))
	}
	if r.Anchored {
		units = append(units, w.end(units))
	}
	return [][]unit{units}, true
}

// end returns the unit of "$" after other units.
func (w *writer) end(units []unit) unit {
	switch {
	case w.Slash == "":
		return end
	case len(units) == 0 || units[len(units)-1] == plain|'/':
		return endDir
	}
	return endFile
}

// queryOf makes each "/" after the first "?" the byte itself, because servers do not change the
// slashes of a query. It reports whether a "?" stands in the units, or inQuery is set.
func (w *writer) queryOf(units []unit, inQuery bool) bool {
	for i, u := range units {
		switch {
		case u == plain|'?':
			inQuery = true
		case u == plain|'/' && inQuery && w.Slash != "":
			units[i] = w.number("/")
		}
	}
	return inQuery
}

// strayUnits returns the units of a part for paths that end with it, inside a stray escape.
func strayUnits(text string) []unit {
	at := strings.LastIndexByte(text, '%')
	units, _ := unitsOf(nil, text[:at], true)
	for _, c := range []byte(text[at:]) {
		units = append(units, plain|unit(c))
	}
	return units
}

// number returns the unit of a text.
func (w *writer) number(text string) unit {
	u, ok := w.numbers[text]
	if !ok {
		u = opaque + unit(len(w.texts))
		w.numbers[text] = u
		w.texts = append(w.texts, text)
	}
	return u
}

// spellAll returns the expression of each variant of a part.
func (w *writer) spellAll(variants [][]unit) (texts []string) {
	for _, v := range variants {
		texts = append(texts, w.spell(v))
	}
	return texts
}

// spell returns the expression of units.
func (w *writer) spell(units []unit) string {
	var b strings.Builder
	for _, u := range units {
		b.WriteString(w.one(u))
	}
	return b.String()
}

func (w *writer) one(u unit) string {
	if u >= opaque {
		return w.texts[u-opaque]
	}
	text, ok := w.spelled[u]
	if !ok {
		text = w.Syntax.spell(u, w.odd)
		w.spelled[u] = text
	}
	return text
}

// A node is a node of a trie. It has no children if a rule ends there: the rest of the target does
// not matter.
type node struct {
	label    string // the expression of the units from the parent to the node
	children []*node
	size     int // bytes of the expression, with the label
	passes   int // how often a match passes over the rest of a target at most, to search
	depth    int // of the branches below
	first    unit
	rule     *robots.Rule
}

// tree makes the node of sorted items, which agree before unit from.
func (w *writer) tree(items []item, from int) *node {
	first, last := items[0].units, items[len(items)-1].units
	at := from
	for at < len(first) && at < len(last) && first[at] == last[at] {
		at++
	}
	n := &node{label: w.spell(first[from:at]), rule: items[0].rule}
	n.size = len(n.label)
	if from < len(first) {
		n.first = first[from]
	}
	for _, u := range first[from:at] {
		if w.searches(u) {
			n.passes = 1
		}
	}
	if at == len(first) {
		return n
	}
	var below passage
	for i := 0; i < len(items); {
		j := i + 1
		for j < len(items) && items[j].units[at] == items[i].units[at] {
			j++
		}
		child := w.tree(items[i:j], at)
		n.children = append(n.children, child)
		below = below.with(child)
		n.size += child.size + 1
		n.depth = max(n.depth, child.depth+1)
		i = j
	}
	n.size += len(`(?:)`) - 1
	n.passes = max(n.passes, below.times())
	return n
}

// searches reports whether a unit searches a target for the next units. An opaque unit is such a
// search, or a "/".
func (w *writer) searches(u unit) bool {
	return u == any || u == anyTokens || u >= opaque && w.texts[u-opaque] != "/"
}

// A passage counts how often a match passes over a target at most if it tries branches one after
// the other. Of branches that start with different bytes it tries one.
type passage struct{ one, all int }

func (p passage) with(branch *node) passage {
	if branch.first&^0xFF == plain && branch.first != plain|'%' {
		p.one = max(p.one, branch.passes)
	} else {
		p.all += branch.passes
	}
	return p
}

func (p passage) times() int { return p.one + p.all }

// write writes the expressions of a node, after the expression of the path to it. A node that is
// too large is divided: its children are packed into as few expressions as possible.
func (w *writer) write(n *node, prefix string) error {
	if len(prefix)+n.size+len(w.suffix) <= w.Limit && n.depth <= maxDepth && (!w.Once || n.passes <= 1) {
		w.out = append(w.out, n.appendTo(prefix)+w.suffix)
		return nil
	}
	prefix += n.label
	if len(n.children) == 0 || len(prefix) > w.Limit {
		form := ""
		if w.odd {
			form = ", which also matches escaped letters,"
		}
		reason := fmt.Sprintf("its expression%s has %d bytes, and this server takes %d at most", form,
			len(prefix)+len(w.suffix), w.Limit)
		if n.rule == nil {
			return errors.New("the name of a robot is too long: " + reason)
		}
		return &RuleError{*n.rule, reason}
	}
	var pack []*node
	var packed passage
	size := 0
	flush := func() {
		if len(pack) > 0 {
			w.out = append(w.out, (&node{children: pack}).appendTo(prefix)+w.suffix)
		}
		pack, packed, size = nil, passage{}, len(prefix)+len(`(?:)`)+len(w.suffix)
	}
	flush()
	for _, child := range n.children {
		if len(prefix)+child.size+len(w.suffix) > w.Limit || child.depth >= maxDepth || w.Once && child.passes > 1 {
			if err := w.write(child, prefix); err != nil {
				return err
			}
			continue
		}
		if size+child.size+1 > w.Limit || w.Once && packed.with(child).times() > 1 {
			flush()
		}
		packed = packed.with(child)
		pack = append(pack, child)
		size += child.size + 1
	}
	flush()
	return nil
}

// appendTo returns the expression of the node after a prefix.
func (n *node) appendTo(prefix string) string {
	var b strings.Builder
	b.WriteString(prefix)
	n.spell(&b)
	return b.String()
}

func (n *node) spell(b *strings.Builder) {
	b.WriteString(n.label)
	switch len(n.children) {
	case 0:
	case 1:
		n.children[0].spell(b)
	default:
		for i, child := range n.children {
			b.WriteString([]string{`(?:`, `|`}[min(i, 1)])
			child.spell(b)
		}
		b.WriteString(`)`)
	}
}
