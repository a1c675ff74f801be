// Package inplace closes a site to robots and opens it to them in the text of its robots.txt. It
// adds and removes as few lines as possible, and every other byte stays. The result is proven:
// only what the robots may fetch has changed.
package inplace

import (
	"errors"
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
	Limit  int          // see [proof.Options]
}

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
	e := &editor{Wish: w, language: l}
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
			return nil, e.fail(textUndecided)
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
	if len(meant) > 0 {
		edit.Apart = e.apart(policy, meant)
		for _, name := range edit.Apart {
			edit.Text = repeat(edit.Text, w.Table.SubjectNamed(name))
		}
		if w.Open {
			edit.Text = e.open(edit.Text, meant)
		} else {
			edit.Text = e.close(edit.Text, meant)
		}
		if len(edit.Text) > maxRead {
			return nil, e.fail(textTooLarge, len(edit.Text), maxRead)
		}
	}
	return edit, e.prove(policy, edit, meant)
}

// An editor has a wish, and the language of errors.
type editor struct {
	Wish
	language language.Language
}

func (e *editor) fail(text language.Text, args ...any) error {
	return errors.New(text.In(e.language, args...))
}

// isClosed reports whether the site counts as closed to a group: whole, or for a wish to open it by
// a rule for all paths, beside which others open a few.
func (e *editor) isClosed(g *robots.Group) (bool, error) {
	closed, err := e.closed(g)
	if err != nil || closed || !e.Open {
		return closed, err
	}
	m := g.Match("/a-path-that-no-rule-names")
	return !m.Allowed && closesAll(m.Rule.Pattern), nil
}

// closed reports whether a group closes the whole site. RFC 9309 leaves /robots.txt open always.
func (e *editor) closed(g *robots.Group) (bool, error) {
	return pathset.Allowed(g).Minus(pathset.Of(robots.RFC9309, "/robots.txt$")).Empty(e.Limit)
}

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
// parser.
func (e *editor) prove(before *robots.Policy, edit *Edit, meant []agent.Subject) error {
	after := robots.ParseString(edit.Text)
	for i, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
		wrap := func(err error) error { return err }
		if i > 0 {
			wrap = func(err error) error { return e.fail(textAsGoogle, err.Error()) }
		}
		was, is := before.In(d), after.In(d)
		diff, err := proof.Diff(was, is, proof.Options{Robots: e.Table, Limit: e.Limit})
		if err != nil {
			return e.fail(textUndecided)
		}
		if i == 0 {
			edit.Difference = diff
		}
		if err := e.onlyMeant(d, diff, meant); err != nil {
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
				return e.fail(textUndecided)
			case closed && e.Open:
				return wrap(e.fail(textStillClosed, printable.Shown(s.Tokens[0]), g.Match("/").String()))
			case !closed && !e.Open:
				return wrap(e.fail(textStillOpen, printable.Shown(s.Tokens[0]), g.Match("/").String()))
			}
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

// onlyMeant returns an error if a difference is about robots, or records, that were not meant.
func (e *editor) onlyMeant(d robots.Dialect, diff *proof.Difference, meant []agent.Subject) error {
	may := make(map[string]bool)
	for _, s := range meant {
		may[strings.ToLower(s.Tokens[0])] = true
		may[strings.ToLower(nameIn(d, s.Tokens[0]))] = true
	}
	follows := func(name string) bool {
		return slices.ContainsFunc(e.Table.SubjectNamed(name).Tokens,
			func(token string) bool { return may[strings.ToLower(token)] })
	}
	for _, c := range diff.Changes {
		for _, name := range c.Agents {
			if c.Opened != e.Open || !follows(name) {
				return e.fail(textOthers, printable.Shown(name))
			}
		}
	}
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
