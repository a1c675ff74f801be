// Package inplace closes a site to robots and opens it to them in the text of its robots.txt. It
// adds and removes as few lines as possible, and every other byte stays. The result is proven:
// only what the robots may fetch has changed.
package inplace

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A Wish asks for a site to be closed to robots, or opened to them.
type Wish struct {
	Robots []agent.Subject
	Open   bool
	Table  *agent.Table // nil is the table of package agent
	Limit  int          // how many states all proofs together may look at; 0 is [DefaultLimit]
}

// DefaultLimit is how many states the proofs of a wish look at where nothing else is said. With as
// many, a hostile file of the largest size is answered in about a second.
const DefaultLimit = 1 << 13

// An Edit is a robots.txt that fulfils a wish.
type Edit struct {
	Text       string
	Difference *proof.Difference // from the old text to this one

	// Changed are the robots whose answers change, Already those that are closed, or open, in the
	// old text too, each by its product token.
	Changed, Already []string

	// Partly are robots that Open leaves with rules of their own, which close parts of the site.
	Partly []Part

	// Apart are robots that would have changed with another one, and are kept as they were.
	Apart []string

	// Affected are all robots that get other answers, by their product tokens: those that the file
	// names, and those that follow others. "*" is all other robots.
	Affected []string

	// Lost is set if Open could not give the robots back the lines that closing made comments.
	Lost bool
}

// A Part is the first rule that closes a part of a site to a robot by its name.
type Part struct {
	Token string
	Rule  robots.Rule
	More  int // further rules
}

// maxRead is how many bytes of a file robots must read (RFC 9309, section 2.5).
const maxRead = 500 << 10

// Do returns the text of a robots.txt as a wish asks. The error, in a language, says why there is
// none.
func Do(text string, w Wish, l language.Language) (*Edit, error) {
	e := &editor{Wish: w, language: l, states: cmp.Or(max(w.Limit, 0), DefaultLimit)}
	e.rules, e.known = e.states*stateRules, make(map[string]bool)
	if len(text) > maxRead {
		return nil, e.fail(textTooLarge, len(text), maxRead) // robots may not read the lines that decide
	}
	edit := &Edit{Text: text}
	policy := robots.ParseString(text)
	var meant []agent.Subject
	for _, s := range w.Robots {
		g := s.Group(policy)
		closed, err := e.isClosed(g)
		if err != nil {
			return nil, err
		}
		if closed == w.Open {
			meant = append(meant, s)
			edit.Changed = append(edit.Changed, s.Tokens[0])
			continue
		}
		edit.Already = append(edit.Already, s.Tokens[0])
		if part, ok := partOf(s.Tokens[0], g); ok && w.Open {
			edit.Partly = append(edit.Partly, part)
		}
	}
	if len(meant) == 0 {
		edit.Difference = &proof.Difference{}
		return edit, nil
	}
	edit.Apart = e.apart(policy, meant)
	for _, name := range edit.Apart {
		text = repeat(text, w.Table.SubjectNamed(name))
	}
	if !w.Open {
		edit.Text = e.close(text, meant)
		return edit, e.prove(policy, edit, meant)
	}
	edit.Text = e.open(text, meant, true)
	err := e.prove(policy, edit, meant)
	if err != nil && strings.Contains(text, hidden) { // somebody may have changed the lines since then
		edit.Text, edit.Lost = e.open(text, meant, false), true
		err = e.prove(policy, edit, meant)
	}
	return edit, err
}

// An editor has a wish, the language of errors, and a budget.
type editor struct {
	Wish
	language language.Language
	states   int             // that searches may look at
	rules    int             // that may be compared
	known    map[string]bool // whether groups of the text, by dialect and lines, are closed
}

// stateRules is the number of rules that may be compared for one state of the limit.
const stateRules = 1 << 7

func (e *editor) fail(text language.Text, args ...any) error {
	return errors.New(text.In(e.language, args...))
}

// isClosed reports whether the site counts as closed to a group: whole, or for a wish to open it by
// a rule for all paths, beside which others open a few.
func (e *editor) isClosed(g *robots.Group) (bool, error) {
	m := g.Match(anyPath)
	if m.Allowed || e.Open && closesAll(m.Rule.Pattern) {
		return !m.Allowed, nil
	}
	return e.closed(g)
}

// anyPath is a path that no rule names.
const anyPath = "/a-path-that-no-rule-names"

// closed reports whether a group closes the whole site. RFC 9309 leaves /robots.txt open always.
func (e *editor) closed(g *robots.Group) (bool, error) {
	allows, closes := false, false
	for rule := range g.Rules() {
		if e.rules--; e.rules < 0 {
			return false, e.fail(textUndecided)
		}
		allows = allows || rule.Allow
		closes = closes || !rule.Allow && closesAll(rule.Pattern)
	}
	switch {
	case closes && !allows:
		return true, nil
	case g.Match("/").Allowed || g.Match(anyPath).Allowed:
		return false, nil
	}
	key := fmt.Sprint(g.Dialect(), g.Lines())
	if closed, known := e.known[key]; known {
		return closed, nil
	}
	_, open, err := pathset.Allowed(g).Minus(robotsFile).Spend(&e.states)
	if err != nil {
		return false, e.fail(textUndecided)
	}
	e.known[key] = !open
	return !open, nil
}

var robotsFile = pathset.Of(robots.RFC9309, "/robots.txt$")

// closesAll reports whether the pattern of a rule matches every path.
func closesAll(pattern string) bool {
	if strings.HasSuffix(pattern, "*$") {
		pattern = strings.TrimSuffix(pattern, "$")
	}
	return strings.Trim(strings.TrimPrefix(pattern, "/"), "*") == ""
}

// partOf returns the first rule that closes a part of the site to a robot in groups with its name.
func partOf(token string, g *robots.Group) (part Part, ok bool) {
	if !strings.EqualFold(g.Token(), token) || token == "*" {
		return Part{}, false
	}
	for rule := range g.Rules() {
		switch {
		case rule.Allow:
		case !ok:
			part, ok = Part{Token: token, Rule: rule}, true
		default:
			part.More++
		}
	}
	return part, ok
}

// apart returns the robots that are not meant, and obey the groups of others that are: Applebot
// obeys those for Googlebot. Who names Googlebot means them too, but who names a purpose, or an
// operator, does not.
func (e *editor) apart(policy *robots.Policy, meant []agent.Subject) (names []string) {
	byName := make(map[string]bool) // by token in lower case: whether the wish has this very name
	for _, s := range e.Robots {
		byName[strings.ToLower(s.Tokens[0])] = len(s.Called) == 0
	}
	asked := make(map[string]bool)
	for _, s := range meant {
		asked[strings.ToLower(s.Tokens[0])] = true
	}
	for a := range e.Table.All() {
		if _, isMeant := byName[strings.ToLower(a.Token)]; isMeant {
			continue
		}
		s := e.Table.SubjectNamed(a.Token)
		now := strings.ToLower(s.Group(policy).Token())
		for _, token := range s.Tokens {
			token = strings.ToLower(token)
			if asked[token] {
				if !byName[token] {
					names = append(names, a.Token)
				}
				break
			}
			if token == now {
				break // it keeps the group that it obeys
			}
		}
	}
	return names
}

// prove proves that only the robots that were meant change, as meant, for RFC 9309 and for Google's
// parser. Most robots have the same rules as before, which shows without a search.
func (e *editor) prove(before *robots.Policy, edit *Edit, meant []agent.Subject) error {
	if len(edit.Text) > maxRead {
		return e.fail(textTooLarge, len(edit.Text), maxRead)
	}
	after := robots.ParseString(edit.Text)
	e.known = make(map[string]bool)
	for i, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
		wrap := func(err error) error { return err }
		if i > 0 {
			wrap = func(err error) error { return e.fail(textAsGoogle, err.Error()) }
		}
		was, is := before.In(d), after.In(d)
		changed, err := e.onlyMeant(was, is, meant)
		if err != nil {
			return wrap(err)
		}
		for _, s := range meant {
			if nameIn(d, s.Tokens[0]) != s.Tokens[0] {
				continue // of no robot that reads as Google's does
			}
			g := s.Group(is)
			closed, err := e.isClosed(g)
			switch {
			case err != nil:
				return err
			case closed && e.Open:
				return wrap(e.fail(textStillClosed, printable.Shown(s.Tokens[0]), g.Match("/").String()))
			case !closed && !e.Open:
				return wrap(e.fail(textStillOpen, printable.Shown(s.Tokens[0]), g.Match("/").String()))
			}
		}
		if i == 0 {
			edit.Affected, edit.Difference = e.forPeople(was, is, changed)
		}
		diff, _ := proof.Diff(onlyRecords(was), onlyRecords(is), proof.Options{Robots: e.Table})
		if err := e.onlyTheirRecords(d, diff, meant); err != nil {
			return wrap(err)
		}
	}
	return nil
}

// nameIn returns a product token as robots of a dialect read it on a user-agent line: Google's
// parser reads AI2Bot as AI, and 360Spider as no name.
func nameIn(d robots.Dialect, token string) string {
	for _, g := range d.Parse([]byte("User-agent: " + token)).Groups() {
		for _, name := range g.Agents() {
			if !strings.EqualFold(name, token) {
				return name
			}
		}
	}
	return token
}

// forPeople returns what changes for some robots, and their names, without those that "*" stands
// for. It may be incomplete: that nothing else changes is proven otherwise.
func (e *editor) forPeople(before, after *robots.Policy, changed []string) (affected []string,
	diff *proof.Difference) {
	named := make(map[string]bool)
	for _, p := range []*robots.Policy{before, after} {
		for _, g := range p.Groups() {
			for _, name := range g.Agents() {
				named[strings.ToLower(name)] = true
			}
		}
	}
	follower := func(name string) bool { return name != "*" && !named[strings.ToLower(name)] }
	affected = slices.DeleteFunc(slices.Clone(changed), func(name string) bool { // the others are in "*"
		s := e.Table.SubjectNamed(name)
		return follower(name) && s.Group(before).Token() == "*" && s.Group(after).Token() == "*"
	})
	agents := affected
	if len(agents) == 0 {
		agents = []string{"*"} // nil would be all
	}
	limit := cmp.Or(max(e.Limit, 0), DefaultLimit) / 4
	diff, _ = proof.Diff(before, after, proof.Options{Robots: e.Table, Agents: agents, Limit: max(1, limit)})
	diff.Agents = nil // nothing changes for all others
	for i := range diff.Changes {
		for _, name := range diff.Changes[i].Agents {
			if follower(name) {
				diff.Changes[i].Followers = append(diff.Changes[i].Followers, name)
			}
		}
	}
	return affected, diff
}

// onlyRecords returns a policy in which no rule has a path.
func onlyRecords(p *robots.Policy) *robots.Policy {
	var b strings.Builder
	for _, l := range p.Lines() {
		if l.Kind == robots.Allow || l.Kind == robots.Disallow {
			b.WriteString("Disallow:" + endOf(l.Text))
		} else {
			b.WriteString(l.Text)
		}
	}
	return robots.ParseString(b.String()).In(p.Dialect())
}

// onlyMeant returns the robots whose rules change, or an error if one of them was not meant, or
// changes in the other direction.
func (e *editor) onlyMeant(before, after *robots.Policy, meant []agent.Subject) (changed []string, err error) {
	follows := e.follows(before.Dialect(), meant)
	star := slices.ContainsFunc(meant, func(s agent.Subject) bool { return s.Tokens[0] == "*" })
	equal := make(map[string]bool)  // whether two groups, by their lines, have the same rules
	proven := make(map[string]bool) // that the change of two groups has the right direction
	for _, name := range e.names(before, after) {
		s := e.Table.SubjectNamed(name)
		b, a := s.Group(before), s.Group(after)
		key := fmt.Sprint(b.Lines(), a.Lines())
		same, known := equal[key]
		if !known {
			if same, err = e.sameRules(b, a); err != nil {
				return nil, err
			}
			equal[key] = same
		}
		if same {
			continue
		}
		means := follows(name) || star && (a.Token() == "*" || b.Token() == "*")
		if means && !proven[key] {
			from, to := a, b
			if e.Open {
				from, to = b, a
			}
			switch within, err := e.within(from, to); {
			case err != nil:
				return nil, err
			case !within:
				return nil, e.fail(textOthers, printable.Shown(name))
			}
			proven[key] = true
		}
		if !means {
			options := proof.Options{Robots: e.Table, Agents: []string{name}, Limit: max(1, e.states/4)}
			diff, err := proof.Diff(before, after, options)
			switch {
			case err != nil:
				return nil, e.fail(textUndecided)
			case !diff.Equal():
				return nil, e.fail(textOthers, printable.Shown(name))
			}
			equal[key] = true
			e.states /= 2
			continue
		}
		changed = append(changed, name)
	}
	return changed, nil
}

// within reports whether a group opens nothing that another one closes.
func (e *editor) within(g, h *robots.Group) (bool, error) {
	allows, closes := false, false
	for rule := range g.Rules() {
		allows = allows || rule.Allow
		closes = closes || !rule.Allow && closesAll(rule.Pattern)
	}
	if closes && !allows {
		return true, nil
	}
	_, other, err := pathset.Allowed(g).Minus(pathset.Allowed(h)).Spend(&e.states)
	if err != nil {
		return false, e.fail(textUndecided)
	}
	return !other, nil
}

// names returns the robots that can be told apart: "*", those that a policy names, those that were
// meant, and those of the table.
func (e *editor) names(policies ...*robots.Policy) (names []string) {
	seen := make(map[string]bool)
	add := func(name string) {
		if key := strings.ToLower(name); !seen[key] {
			seen[key] = true
			names = append(names, name)
		}
	}
	add("*")
	for _, p := range policies {
		for _, g := range p.Groups() {
			for _, name := range g.Agents() {
				add(name)
			}
		}
	}
	for _, s := range e.Robots {
		add(s.Tokens[0])
	}
	for a := range e.Table.All() {
		add(a.Token)
	}
	return names
}

// sameRules reports whether two groups have the same rules in the same order.
func (e *editor) sameRules(g, h *robots.Group) (bool, error) {
	next, stop := iter.Pull(h.Rules())
	defer stop()
	for rule := range g.Rules() {
		if e.rules--; e.rules < 0 {
			return false, e.fail(textUndecided)
		}
		other, ok := next()
		if !ok || rule.Allow != other.Allow || rule.Pattern != other.Pattern {
			return false, nil
		}
	}
	_, more := next()
	return !more, nil
}

// follows returns a function that reports whether a robot obeys the groups of one that was meant.
func (e *editor) follows(d robots.Dialect, meant []agent.Subject) func(string) bool {
	may := make(map[string]bool)
	for _, s := range meant {
		may[strings.ToLower(s.Tokens[0])] = true
		may[strings.ToLower(nameIn(d, s.Tokens[0]))] = true
	}
	return func(name string) bool {
		return slices.ContainsFunc(e.Table.SubjectNamed(name).Tokens,
			func(token string) bool { return may[strings.ToLower(token)] })
	}
}

// onlyTheirRecords returns an error if other records than those of the robots that were meant
// change.
func (e *editor) onlyTheirRecords(d robots.Dialect, diff *proof.Difference, meant []agent.Subject) error {
	follows := e.follows(d, meant)
	for _, c := range diff.Records {
		if len(c.Agents) == 0 {
			return e.fail(textOthers, printable.Text(c.Record.String()))
		}
		for _, name := range c.Agents {
			if !follows(name) {
				return e.fail(textOthers, printable.Shown(name))
			}
		}
	}
	return nil
}

var (
	textUndecided = language.New(
		"there are too many cases to prove that only the named robots change, so nothing is written: --limit lets it look at more")
	textOthers = language.New(
		"%[1]s would change too, so nothing is written: write the lines by hand, and check them with 'robots diff'")
	textStillOpen = language.New(
		"the site would still be open to %[1]s (%[2]s), so nothing is written: change that line by hand")
	textStillClosed = language.New(
		"the site would still be closed to %[1]s (%[2]s), so nothing is written: change that line by hand")
	textTooLarge = language.New(
		"the file would have %[1]d bytes, and robots need not read more than %[2]d (RFC 9309, section 2.5), so nothing is written: 'robots minimize' makes it smaller")
	textAsGoogle = language.New(
		"Google's parser reads lines of this file otherwise ('robots lint' names them): %[1]s")
)
