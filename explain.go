package robots

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/ruleindex"
)

// An Explanation is a match with all rules of the group that matched, and the reasons why all but
// one of them lost.
type Explanation struct {
	Match      Match       `json:"match"`
	Group      string      `json:"group"`      // the name that the group was found by, or ""
	Path       string      `json:"path"`       // of the URL, in the form compared with patterns
	Candidates []Candidate `json:"candidates"` // the rules that matched, the deciding one first
}

// A Candidate is a rule that matched.
type Candidate struct {
	Rule    Rule
	Bytes   int    // of its pattern in normal form
	Outcome string // why it decides or loses, such as "shorter than line 3"
}

// MarshalJSON returns an object with "line", "rule", "bytes" and "outcome".
func (c Candidate) MarshalJSON() ([]byte, error) {
	b := strconv.AppendInt([]byte(`{"line":`), int64(c.Rule.Line), 10)
	b = appendRule(append(b, `,"rule":`...), c.Rule)
	b = strconv.AppendInt(append(b, `,"bytes":`...), int64(c.Bytes), 10)
	b = append(b, `,"outcome":`...)
	return append(printable.AppendString(b, c.Outcome), '}'), nil
}

// Explain returns the same answer as [Group.Match], with all the rules that matched. Explain tries
// each rule in turn, so it is slower than Match.
func (g *Group) Explain(url string) Explanation {
	e := Explanation{Match: g.Match(url), Group: g.Token(), Candidates: []Candidate{}}
	if g.policy == nil {
		return e
	}
	r := g.policy.dialect.spec()
	e.Path = r.pathOf(url)
	for rule := range g.Rules() {
		if bytes, ok := r.match(rule, e.Path); ok {
			e.Candidates = append(e.Candidates, Candidate{Rule: rule, Bytes: bytes})
		}
	}
	if !r.firstMatch {
		slices.SortStableFunc(e.Candidates, func(a, b Candidate) int {
			return cmp.Compare(ruleindex.Weight(b.Bytes, b.Rule.Allow), ruleindex.Weight(a.Bytes, a.Rule.Allow))
		})
	}
	for i := range e.Candidates {
		e.Candidates[i].Outcome = r.outcome(e.Match, e.Candidates[0], e.Candidates[i], i == 0)
	}
	return e
}

// match reports whether a rule matches a path, and the number of bytes that count as its weight.
func (r *dialectSpec) match(rule Rule, path string) (bytes int, ok bool) {
	pat := r.compile(rule.Pattern)
	if pat.Matches(path) {
		return pat.Bytes, true
	}
	if second, ok := r.ofDirectory(rule.Allow, rule.Pattern); ok && second.Matches(path) {
		return second.Bytes, true
	}
	return 0, false
}

// outcome says why c decides or loses against the first candidate.
func (r *dialectSpec) outcome(m Match, first, c Candidate, isFirst bool) string {
	line, bytes := strconv.Itoa(first.Rule.Line), strconv.Itoa(first.Bytes)
	switch {
	case isFirst && m.Reason == DecidingRule:
		return "decides"
	case m.Reason != DecidingRule:
		return "does not matter: " + m.String()
	case r.firstMatch:
		return "comes after line " + line
	case c.Bytes == 1 && first.Bytes > 1:
		return "1 byte, shorter than the " + bytes + " of line " + line
	case c.Bytes < first.Bytes:
		return strconv.Itoa(c.Bytes) + " bytes, shorter than the " + bytes + " of line " + line
	case c.Rule.Allow != first.Rule.Allow:
		return "as long as line " + line + ", and allow wins"
	}
	return "says the same as line " + line
}

// String returns the explanation as lines of text: the match, then each
// candidate.
func (e Explanation) String() string {
	var b strings.Builder
	b.WriteString(e.Match.String())
	for _, c := range e.Candidates {
		fmt.Fprintf(&b, "\n  line %d: %s: %s", c.Rule.Line, c.Rule, c.Outcome)
	}
	return b.String()
}
