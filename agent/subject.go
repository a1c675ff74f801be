package agent

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// A Subject is a robot as a user, a header or a robots.txt names it, with the names that it obeys.
// It is an immutable value.
type Subject struct {
	Name   string   // as given, or its product token if the text has another name for it
	Called []string // the names that the text has for it, and perhaps for others, such as "OpenAI"
	Tokens []string // the product tokens that it obeys, the most specific first; must not be modified
	Common bool     // Called has a name that many people use, such as "claude", by a list of this package
	Alone  bool     // it does not obey the group for everyone ("*")

	agent Agent  // the table's facts about it
	table *Table // the table that was asked
}

// Subject returns the robot that a text names: a User-Agent header, a product token, perhaps with a
// version, or several product tokens of one robot joined by ">", the most specific first. Tokens
// joined by ">" are taken as they are; any other name is looked up in the table, so that the robot
// obeys the groups that its operator documents. A text that names no robot gives a Subject without
// Tokens. So does a text that names several robots and is not a header, as [IsHeader] reports. A
// header without blanks may have them as "%20", as logs of some networks write them.
// [Table.Resolve] knows more names, and refuses unknown ones.
func (t *Table) Subject(name string) Subject {
	if isWord(name) { // as most names are
		return t.SubjectNamed(name)
	}
	var s Subject
	bare := bareName(name)
	switch {
	case t.list(bare) != nil, strings.Contains(name, ",") && !looksLikeHeader(bare):
	case looksLikeHeader(bare):
		s = t.subjectOf(bare)
	case strings.Contains(name, ">"):
		for token := range strings.SplitSeq(name, ">") {
			if token = bareName(token); token != "" {
				s.Tokens = append(s.Tokens, token)
			}
		}
	default:
		s = t.subjectOf(bare)
	}
	s.Name = name
	return s
}

// isWord reports whether a name has bytes of words only. It is a product token then, without a
// version.
func isWord(name string) bool {
	for i := range len(name) {
		if wordBytes[name[i]] == 0 {
			return false
		}
	}
	return name != ""
}

// SubjectNamed returns the robot with a product token, as a robots.txt names it. Its tokens are the
// token itself, then those that its robot obeys according to the table.
func (t *Table) SubjectNamed(token string) Subject {
	a := t.Named(token)
	own, _, _ := strings.Cut(strings.TrimSpace(token), "/")
	tokens := a.Tokens()
	if own = strings.TrimSpace(own); own != "" && !strings.EqualFold(own, tokens[0]) {
		tokens = slices.Concat([]string{own}, tokens)
	}
	return Subject{Name: token, Tokens: tokens, Alone: !a.Everyone(), agent: a, table: t}
}

// subjectOf returns the robot of a User-Agent header or a product token.
func (t *Table) subjectOf(userAgent string) Subject {
	userAgent = unescaped(userAgent)
	if !looksLikeHeader(userAgent) {
		return t.SubjectNamed(userAgent)
	}
	a := t.Lookup(userAgent)
	return Subject{Name: userAgent, Tokens: a.Tokens(), Alone: !a.Everyone(), agent: a, table: t}
}

// Group returns the group of a policy that the robot obeys: the group of the first of its Tokens
// that the policy names, otherwise the group for everyone, unless the robot is Alone.
func (s Subject) Group(p *robots.Policy) *robots.Group {
	if s.Alone {
		return p.ForOnly(s.Tokens...)
	}
	return p.For(s.Tokens...)
}

// Obeys returns the names of the groups that the robot obeys, the most specific first: its Tokens,
// then "*" if it obeys the group for everyone. The slice must not be modified.
func (s Subject) Obeys() []string {
	if s.Alone || slices.Contains(s.Tokens, "*") {
		return s.Tokens
	}
	return append(slices.Clip(s.Tokens), "*")
}

// PageNames returns the names by which META tags and X-Robots-Tag headers address the robot. It
// leaves out the tokens of another operator's robot: Applebot obeys the rules for Googlebot in
// robots.txt, but not its tags.
func (s Subject) PageNames() []string {
	names := slices.Clone(s.Tokens)
	if s.agent.Known() && len(names) > 1 {
		names = slices.DeleteFunc(names, func(token string) bool {
			return token != s.Tokens[0] && s.table.Named(token).Operator != s.agent.Operator
		})
	}
	return append(names, s.agent.Meta()...)
}
