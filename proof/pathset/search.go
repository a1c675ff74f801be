package pathset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// DefaultLimit is how many states a search looks at where nothing else is said.
const DefaultLimit = 1 << 16

// ErrUndecided is the error of a search that has more cases than its limit. The
// question stays open: the set may have paths, or none.
var ErrUndecided = errors.New("undecided")

func undecided(states int) error {
	return fmt.Errorf("pathset: %w within %d states: allow more, or ask about less", ErrUndecided, states)
}

// Empty reports whether s has no path, as [Set.Example] finds out.
func (s Set) Empty(limit int) (bool, error) {
	_, ok, err := s.Example(limit)
	return !ok && err == nil, err
}

// Example returns a path of s: a shortest one, and of these one that reads well.
// It is not ok where s is empty. The search looks at limit states at most, or
// [DefaultLimit] if that is 0; the error wraps
// [ErrUndecided] if these are too few.
func (s Set) Example(limit int) (path string, ok bool, err error) {
	budget := limit
	if limit <= 0 {
		budget = DefaultLimit
	}
	return s.Spend(&budget)
}

// pathSteps is the number of rules that may read a byte of a path for one state of a budget.
const pathSteps = 1 << 10

// Spend is [Set.Example] with a budget of states, which several searches can share:
// each search subtracts the states that it looked at. A state of very many rules counts
// as several. Spend tries the paths in first before it searches, and returns one of them
// even if it is not the shortest. It skips a path that costs more than the budget has,
// and one that is not in normal form.
func (s Set) Spend(budget *int, first ...string) (path string, ok bool, err error) {
	if s.node == nil {
		return "", false, nil
	}
	for _, path := range first {
		cost := len(path) * s.node.rules() / pathSteps
		if cost > *budget || !s.form.has(path) {
			continue
		}
		*budget -= cost
		if s.Contains(path) {
			return path, true, nil
		}
	}
	search := &search{form: s.form, limit: *budget, seen: make(map[string]bool), alike: make(map[string][][]state)}
	search.root = search.plan(s.node, true)
	path, ok, err = search.run()
	*budget -= min(search.spent, *budget)
	return path, ok, err
}

// A search finds a shortest path of a set, breadth first. Its states are the combinations of
// states that the lists of the set can reach together.
type search struct {
	form  form
	limit int
	root  *planNode
	lists []*list

	steps    []step          // all states that were found, in order
	seen     map[string]bool // their keys
	keyBytes int             // of all keys
	spent    int             // states of the limit that were used

	// For the current state.
	states  []listState
	known   []tri // one for each list
	matters []tri // as known, but without the lists that are no longer relevant
	buffer  []int32
	long    []long

	wanted []bool               // for each list, whether paths inside or outside of it are wanted
	alike  map[string][][]state // for states that differ only in long rules, how far these rules are
}

// A planNode is a node of the set, with the number of its list.
type planNode struct {
	op   op
	a, b *planNode
	list int
}

// A step records how a state was reached.
type step struct {
	from int32 // number of the previous state
	c    byte  // the byte that was read
	form uint8 // state of the form
	key  string
}

// A tri says how many of the paths with a given beginning are in a set: none, all, or some.
type tri uint8

const (
	no tri = iota
	maybe
	yes
	forgotten // no longer relevant
)

// plan numbers the lists of a node. Paths inside of the node are wanted, or paths outside.
func (s *search) plan(n *node, wanted bool) *planNode {
	p := &planNode{op: n.op}
	switch n.op {
	case leaf:
		p.list = len(s.lists)
		s.lists = append(s.lists, n.list)
		s.wanted = append(s.wanted, wanted)
	case not:
		p.a = s.plan(n.a, !wanted)
	default:
		p.a, p.b = s.plan(n.a, wanted), s.plan(n.b, wanted)
	}
	return p
}

// largeKey is the size in bytes of the key of a state of about sixty rules. A larger state
// counts as several, because it takes that much more time.
const largeKey = 512

// maxKeys is the maximum size in bytes of all keys of a search: the states of a file with very
// many rules are large.
const maxKeys = 256 << 20

// run searches.
func (s *search) run() (path string, ok bool, err error) {
	s.states = make([]listState, len(s.lists))
	s.known = make([]tri, len(s.lists))
	s.matters = make([]tri, len(s.lists))
	begin := make([]listState, len(s.lists))
	for i, l := range s.lists {
		begin[i] = l.start(nil)
	}
	// Every path begins with "/".
	if s.visit(-1, begin, '/', plain) {
		return s.path(), true, nil
	}
	for i := 0; i < len(s.steps); i++ {
		from := s.steps[i]
		states := s.decode(from.key)
		var telling byteSet
		s.form.telling(from.form, &telling)
		for k, l := range s.lists {
			l.telling(states[k], &telling)
		}
		var hopeful byteSet
		some := s.hopeful(s.root, states, true, &hopeful)
		other := false // an irrelevant byte was tried
		for _, c := range readable {
			tells := telling.has(c)
			if !tells && other || some && !hopeful.has(c) {
				continue
			}
			next, ok := s.form.step(from.form, c)
			if !ok || !tells && next != plain {
				continue
			}
			other = other || !tells
			if s.visit(int32(i), states, c, next) {
				return s.path(), true, nil
			}
			if s.spent > s.limit || s.keyBytes > maxKeys {
				return "", false, undecided(s.spent)
			}
		}
	}
	return "", false, nil
}

// visit goes from a state to the next one by byte c. It keeps the next state if the state is
// new and a path of the set may continue from there. It reports whether the path that ends
// there is in the set.
func (s *search) visit(from int32, states []listState, c byte, form uint8) (found bool) {
	s.buffer = s.buffer[:0]
	for i, l := range s.lists {
		begin := len(s.buffer)
		s.buffer = l.step(s.buffer, states[i], c)
		s.states[i] = s.buffer[begin:]
		switch state := s.states[i]; {
		case !state.decided():
			s.known[i] = maybe
		case state.fallback():
			s.known[i] = yes
		default:
			s.known[i] = no
		}
	}
	if s.value(s.root) == no {
		return false
	}
	key := s.key(form)
	if s.seen[key] {
		return false
	}
	if s.form.ends(form) && s.ends(s.root) {
		s.steps = append(s.steps, step{from: from, c: c})
		return true
	}
	if s.hopeless(form) {
		return false
	}
	key = strings.Clone(s.key(form))
	s.seen[key] = true
	s.keyBytes += len(key)
	s.spent += 1 + len(key)/largeKey
	s.steps = append(s.steps, step{from, c, form, key})
	return false
}

// hopeless reports whether an earlier state can reach everything that the current state can
// reach. The earlier state must be the same except for rules with several segments, which are
// searched for one after the other: a rule that would exclude the path was not as far there, or
// a rule that would include it was farther. Without this check, a path could have found, or not
// found, the first segment of each such rule, which gives too many cases. hopeless keeps the
// current state for later comparisons.
func (s *search) hopeless(form uint8) bool {
	begin := len(s.buffer)
	s.buffer = append(s.buffer, int32(form))
	s.long = s.long[:0]
	for i, state := range s.states {
		if s.matters[i] == forgotten {
			state = listState{0}
		}
		s.buffer = append(s.buffer, int32(len(state)), state[0])
		for k := 1; k < len(state); k += 2 {
			a := s.lists[i].rules[state[k]].automaton
			if len(a.starts) > 1 && state[k+1] >= a.stem {
				s.long = append(s.long, long{a, state[k+1], s.lists[i].in[state[k]] == s.wanted[i]})
				s.buffer = append(s.buffer, state[k], anywhere)
			} else {
				s.buffer = append(s.buffer, state[k], state[k+1])
			}
		}
	}
	if len(s.long) == 0 {
		s.buffer = s.buffer[:begin]
		return false
	}
	key := s.buffer[begin:]
	rest := unsafe.String((*byte)(unsafe.Pointer(&key[0])), 4*len(key))
	alike := s.alike[rest]
	for _, found := range alike {
		if s.better(found) {
			s.buffer = s.buffer[:begin]
			return true
		}
	}
	if len(alike) < maxAlike {
		found := make([]state, len(s.long))
		for i, l := range s.long {
			found[i] = l.state
		}
		s.alike[strings.Clone(rest)] = append(alike, found)
	}
	s.buffer = s.buffer[:begin]
	return false
}

// anywhere represents the state of a long rule in the keys of alike.
const anywhere = -3

// maxAlike is the maximum number of compared states that differ only in long rules.
const maxAlike = 32

// A long is a rule with several segments, and how far it is.
type long struct {
	automaton *automaton
	state     state
	good      bool // it includes paths in the set
}

// better reports whether the other states of the long rules can reach everything that the
// current states can reach.
func (s *search) better(found []state) bool {
	for i, l := range s.long {
		if l.good && !l.automaton.within(l.state, found[i]) || !l.good && !l.automaton.within(found[i], l.state) {
			return false
		}
	}
	return true
}

// value returns what is known about a node.
func (s *search) value(p *planNode) tri {
	switch p.op {
	case not:
		return yes - s.value(p.a)
	case and:
		return min(s.value(p.a), s.value(p.b))
	case or:
		return max(s.value(p.a), s.value(p.b))
	}
	return s.known[p.list]
}

// hopeful adds to set the bytes after which paths in the set of a node may continue, or, if in
// is false, paths outside of it. It returns false if they may continue with any byte.
func (s *search) hopeful(p *planNode, states []listState, in bool, set *byteSet) bool {
	switch {
	case p.op == not:
		return s.hopeful(p.a, states, !in, set)
	case p.op == leaf:
		return s.lists[p.list].hopeful(states[p.list], in, set)
	case (p.op == or) == in:
		return s.hopeful(p.a, states, in, set) && s.hopeful(p.b, states, in, set)
	}
	// Both must continue.
	var a, b byteSet
	someA, someB := s.hopeful(p.a, states, in, &a), s.hopeful(p.b, states, in, &b)
	switch {
	case someA && someB:
		for i := range a {
			set[i] |= a[i] & b[i]
		}
	case someA:
		set.join(&a)
	case someB:
		set.join(&b)
	}
	return someA || someB
}

// ends reports whether a path that ends here is in the set of a node.
func (s *search) ends(p *planNode) bool {
	switch p.op {
	case not:
		return !s.ends(p.a)
	case and:
		return s.ends(p.a) && s.ends(p.b)
	case or:
		return s.ends(p.a) || s.ends(p.b)
	}
	return s.lists[p.list].ends(s.states[p.list])
}

// key returns the identity of the current state: the states of the lists, each preceded by its
// length. Lists that are no longer relevant count as decided. The key is valid until the next
// call.
func (s *search) key(form uint8) string {
	copy(s.matters, s.known)
	for i := range s.matters {
		if s.known[i] == maybe {
			s.matters[i] = forgotten
		}
	}
	s.mark(s.root)
	begin := len(s.buffer)
	s.buffer = append(s.buffer, int32(form))
	for i, state := range s.states {
		if s.matters[i] == forgotten {
			state = listState{0}
		}
		s.buffer = append(s.buffer, int32(len(state)))
		s.buffer = append(s.buffer, state...)
	}
	key := s.buffer[begin:]
	return unsafe.String((*byte)(unsafe.Pointer(&key[0])), 4*len(key))
}

// mark marks the lists below a node that are still relevant for the node.
func (s *search) mark(p *planNode) {
	switch {
	case p.op == leaf:
		s.matters[p.list] = s.known[p.list]
	case s.value(p) == maybe:
		s.mark(p.a)
		if p.b != nil {
			s.mark(p.b)
		}
	}
}

// decode returns the states of the lists in a key.
func (s *search) decode(key string) []listState {
	numbers := unsafe.Slice((*int32)(unsafe.Pointer(unsafe.StringData(key))), len(key)/4)[1:]
	states := make([]listState, len(s.lists))
	for i := range states {
		n := numbers[0]
		states[i], numbers = numbers[1:1+n], numbers[1+n:]
	}
	return states
}

// path returns the path to the last state that was found.
func (s *search) path() string {
	var b []byte
	for i := int32(len(s.steps) - 1); i >= 0; i = s.steps[i].from {
		b = append(b, s.steps[i].c)
	}
	slices.Reverse(b)
	return string(b)
}
