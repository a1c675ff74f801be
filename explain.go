package robots

import (
	"cmp"
	"fmt"
	"slices"
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
	b := fmt.Appendf(nil, `{"line":%d,"rule":`, c.Rule.Line)
	b = appendRule(b, c.Rule)
	b = fmt.Appendf(b, `,"bytes":%d,"outcome":`, c.Bytes)
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
	switch {
	case isFirst && m.Reason == DecidingRule:
		return "decides"
	case m.Reason != DecidingRule:
		return "does not matter: " + m.String()
	case r.firstMatch:
		return fmt.Sprintf("comes after line %d", first.Rule.Line)
	case c.Bytes == 1 && first.Bytes > 1:
		return fmt.Sprintf("1 byte, shorter than the %d of line %d", first.Bytes, first.Rule.Line)
	case c.Bytes < first.Bytes:
		return fmt.Sprintf("%d bytes, shorter than the %d of line %d", c.Bytes, first.Bytes, first.Rule.Line)
	case c.Rule.Allow != first.Rule.Allow:
		return fmt.Sprintf("as long as line %d, and allow wins", first.Rule.Line)
	}
	return fmt.Sprintf("says the same as line %d", first.Rule.Line)
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
