package proof

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// compareWeights is compare for groups with the same rules and different weights. If the
// answers differ, a rule decides here that loses there against a rule with the opposite
// verdict, so each such rule is one question.
func (c *groupPair) compareWeights(rules *pathset.Rules) {
	there := rules.By(c.reader.quirks.weight)
	of := c.weights(rules)
	guesses := maxGuesses
	for i, lost := range overruled(of) {
		rule, p := of[i].rule, of[i].pattern
		if !lost || c.told[direction(!rule.Allow)] || c.guess(of[i:], &guesses) {
			continue
		}
		differs := c.purse.decidedBy(rule, p, rules.Near(p))
		near := c.purse.under(p, there.Near(p))
		if rule.Allow {
			differs = differs.Minus(near.Allowed())
		} else {
			differs = differs.Intersect(near.Allowed())
		}
		c.ask(differs, p, patternsOf(near, !rule.Allow), !rule.Allow)
	}
}

// A weightedRule is a rule with its weight here and there.
type weightedRule struct {
	rule        robots.Rule
	pattern     robots.Pattern
	here, there int
}

// weights returns the rules with their weights, in their order of precedence here.
func (c *groupPair) weights(rules *pathset.Rules) (all []weightedRule) {
	for rule, p := range rules.All() {
		all = append(all, weightedRule{rule, p, p.Bytes, c.reader.quirks.weight(rule, p)})
	}
	return all
}

// wins reports whether w wins there against a rule with the opposite verdict.
func (w weightedRule) wins(against weightedRule) bool {
	return w.there > against.there || w.there == against.there && w.rule.Allow
}

// overruled returns the rules that win here against a rule with the opposite verdict that wins
// there.
func overruled(of []weightedRule) []bool {
	lost := make([]bool, len(of))
	// of the later rules: the heaviest that disallows, and the heaviest that allows
	heaviest := [2]weightedRule{{there: -1}, {there: -1}}
	for i := len(of) - 1; i >= 0; i-- {
		w := of[i]
		opposite := heaviest[direction(!w.rule.Allow)]
		lost[i] = opposite.there >= 0 && opposite.wins(w)
		if same := &heaviest[direction(w.rule.Allow)]; w.there > same.there {
			*same = w
		}
	}
	return lost
}

// maxGuesses is the maximum number of pairs of rules that are tried before a search, which
// takes longer. A pair of long patterns counts as one more for each guessBytes of them.
const (
	maxGuesses = 1 << 14
	guessBytes = 1 << 12
)

// guess tries paths that match the first of some rules, and a rule that wins there against it.
// It reports whether one of them was reported.
func (c *groupPair) guess(of []weightedRule, left *int) bool {
	first := of[0]
	for _, w := range of[1:] {
		if *left--; *left < 0 {
			return false
		}
		if w.rule.Allow == first.rule.Allow || !w.wins(first) {
			continue
		}
		*left -= (first.here + w.here) / guessBytes
		if path, ok := inBoth(first.pattern, w.pattern); ok && c.here.Match(anySite+path).Rule == first.rule &&
			c.tell(path, !first.rule.Allow) {
			return true
		}
	}
	return false
}
