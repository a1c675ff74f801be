package pathset

import "github.com/robotsexclusion/robots"

// A Set is a set of paths in normal form. It is immutable and safe for concurrent
// use. The zero Set is empty.
type Set struct {
	form form
	node *node // nil for the empty set
}

// A node is a set as an operand: a list, or an operation on one or two nodes.
type node struct {
	list *list

	op   op
	a, b *node // b is nil for the complement of a
}

type op uint8

const (
	leaf op = iota
	not
	and
	or
)

// Allowed returns the paths that a group allows, in its dialect.
func Allowed(g *robots.Group) Set { return Compile(g).Allowed() }

// Of returns the paths that a pattern matches in a dialect.
func Of(d robots.Dialect, pattern string) Set {
	p := d.Pattern(pattern)
	l := &list{[]patternRule{{pattern: p, automaton: newAutomaton(p)}}, []bool{true}, false}
	return Set{formOf(d), &node{list: l}}
}

// Union returns the paths that are in s or t.
func (s Set) Union(t Set) Set {
	switch {
	case s.node == nil:
		return Set{s.form | t.form, t.node}
	case t.node == nil:
		return Set{s.form | t.form, s.node}
	}
	return Set{s.form | t.form, &node{op: or, a: s.node, b: t.node}}
}

// Intersect returns the paths that are in both s and t.
func (s Set) Intersect(t Set) Set {
	if s.node == nil || t.node == nil {
		return Set{form: s.form | t.form}
	}
	return Set{s.form | t.form, &node{op: and, a: s.node, b: t.node}}
}

// Minus returns the paths that are in s and not in t.
func (s Set) Minus(t Set) Set {
	if s.node == nil || t.node == nil {
		return Set{s.form | t.form, s.node}
	}
	return Set{s.form | t.form, &node{op: and, a: s.node, b: &node{op: not, a: t.node}}}
}

// Complement returns the paths that are not in s.
func (s Set) Complement() Set {
	if s.node == nil {
		return Set{s.form, &node{list: &list{otherwise: true}}}
	}
	return Set{s.form, &node{op: not, a: s.node}}
}

// Contains reports whether a path, which is in normal form, is in s. It takes
// time linear in the path for each pattern.
func (s Set) Contains(path string) bool { return s.node != nil && s.node.contains(path) }

// rules returns the number of rules that read a path.
func (n *node) rules() int {
	switch {
	case n.op == leaf:
		return len(n.list.rules)
	case n.b == nil:
		return n.a.rules()
	}
	return n.a.rules() + n.b.rules()
}

func (n *node) contains(path string) bool {
	switch n.op {
	case not:
		return !n.a.contains(path)
	case and:
		return n.a.contains(path) && n.b.contains(path)
	case or:
		return n.a.contains(path) || n.b.contains(path)
	}
	return n.list.contains(path)
}
