package proof

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// maxSearches is the maximum number of searches that may reach the limit.
const maxSearches = 4

// A purse is the budget of searches, of each and of all together.
type purse struct {
	each  int
	total int // states
	bytes int // bytes of patterns that may be compared with others
	rules int // rules that may be looked at, one question after the other
}

// pays pays for a question about some rules, and reports whether there is enough left to ask it.
// Each question copies the rules near its pattern, and wildcards make all rules near to each other.
func (p *purse) pays(rules *pathset.Rules) bool {
	for range rules.All() {
		p.rules--
	}
	return p.rules > 0 && p.total > 0
}

// undecidedError returns the error of a question that took more cases than Options.Limit allows, or
// nil if it was decided.
func undecidedError(undecided bool) error {
	if !undecided {
		return nil
	}
	return errUndecided
}

var errUndecided = fmt.Errorf("proof: %w within Options.Limit: allow more states, or ask about fewer robots or rules",
	pathset.ErrUndecided)

// patternBytes is the number of bytes of patterns that are compared for one state of the limit.
const patternBytes = 1 << 12

// stateRules is the number of rules that are looked at for one state of the limit.
const stateRules = 1 << 8

func (o Options) purse() *purse {
	each := cmp.Or(max(o.Limit, 0), pathset.DefaultLimit)
	all := each * maxSearches
	return &purse{each, all, all * patternBytes, all * stateRules}
}

// quickStates is the number of states that a search visits before paths are guessed. Up to this
// number, the shortest example is found in no more time.
const quickStates = 256

// example searches for an example of a set of paths that match a pattern. The rivals are patterns
// of rules that may decide the paths for one side of the question.
//
// The shortest matching path is tried first. A slow search usually finds a path only after
// comparing all other paths of the same length, so example guesses such paths before it
// completes the search.
func (p *purse) example(s pathset.Set, of robots.Pattern, rivals iter.Seq[robots.Pattern]) (path string, ok bool,
	err error) {
	budget := min(p.each, p.total)
	before := budget
	defer func() { p.total -= before - budget }()
	quick := min(quickStates, budget)
	budget -= quick
	path, ok, err = s.Spend(&quick, simplest(of))
	budget += quick
	if err == nil || budget == 0 {
		return path, ok, err
	}
	return s.Spend(&budget, guesses(of, rivals)...)
}

// maxGuessed is the maximum number of guessed paths.
const maxGuessed = 64

// guesses returns paths that match a pattern, and others that match a rival too.
func guesses(of robots.Pattern, rivals iter.Seq[robots.Pattern]) (paths []string) {
	filled := strings.ReplaceAll(typical(of), open, "a")
	if !strings.HasPrefix(filled, "/") {
		filled = "/" + filled
	}
	paths = append(paths, filled)
	if !of.Anchored {
		paths = append(paths, simplest(of)+"a", strings.TrimSuffix(filled, "a"))
	}
	for rival := range rivals {
		if len(paths) == maxGuessed {
			break
		}
		if path, ok := inBoth(of, rival); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// noPatterns is empty.
func noPatterns(func(robots.Pattern) bool) {}

// patternsOf returns the patterns of the allowing or of the disallowing rules.
func patternsOf(rules *pathset.Rules, allow bool) iter.Seq[robots.Pattern] {
	return func(yield func(robots.Pattern) bool) {
		for rule, p := range rules.All() {
			if rule.Allow == allow && !yield(p) {
				return
			}
		}
	}
}

// under returns rules for paths that match a pattern: after the first rule that matches all of
// these paths, no rule decides.
func (p *purse) under(of robots.Pattern, rules *pathset.Rules) *pathset.Rules {
	return p.underBut(robots.Rule{}, of, rules)
}

// decidedBy returns the paths that a pattern of a rule decides.
func (p *purse) decidedBy(rule robots.Rule, of robots.Pattern, rules *pathset.Rules) pathset.Set {
	return p.underBut(rule, of, rules).Decided(func(r robots.Rule, q robots.Pattern) bool {
		return r == rule &&
			q == of
	})
}

// underBut is under, except that the rule itself does not end the list.
func (p *purse) underBut(rule robots.Rule, of robots.Pattern, rules *pathset.Rules) *pathset.Rules {
	path := typical(of)
	return rules.Until(func(r robots.Rule, pattern robots.Pattern) bool {
		if r == rule || p.bytes < len(path) {
			return false
		}
		p.bytes -= len(path)
		return pattern.Matches(path)
	})
}

// covers reports whether p obviously matches all paths that q matches.
func covers(p, q robots.Pattern) bool { return p.Matches(typical(q)) }

// open represents any text, and is never in a pattern in normal form.
const open = "\xff"

// typical returns the text of q with its wildcards replaced by bytes that only "*" matches. So a
// pattern that matches the text matches all paths that q matches.
func typical(q robots.Pattern) string {
	var text strings.Builder
	text.WriteString(q.Stem)
	for segment := range q.Segments() {
		text.WriteString(open + segment)
	}
	if !q.Anchored {
		text.WriteString(open)
	}
	return text.String()
}

// simplest returns a short path that matches a pattern, with a letter between two slashes that
// would meet. The path may not be in normal form.
func simplest(p robots.Pattern) string {
	var path strings.Builder
	path.WriteString(p.Stem)
	slash := strings.HasSuffix(p.Stem, "/")
	for segment := range p.Segments() {
		if path.Len() == 0 && !strings.HasPrefix(segment, "/") {
			path.WriteByte('/')
		}
		if slash && strings.HasPrefix(segment, "/") {
			path.WriteByte('a')
		}
		path.WriteString(segment)
		slash = strings.HasSuffix(segment, "/")
	}
	return path.String()
}

// inBoth returns a path that matches two patterns, if a simple one does.
func inBoth(p, q robots.Pattern) (path string, ok bool) {
	stem := p.Stem
	if len(q.Stem) > len(stem) {
		stem = q.Stem
	}
	if !strings.HasPrefix(stem, p.Stem) || !strings.HasPrefix(stem, q.Stem) {
		return "", false
	}
	if p.Anchored {
		p, q = q, p
	}
	for _, of := range []robots.Pattern{p, q} {
		if rest := strings.Join(slices.Collect(of.Segments()), ""); !strings.HasSuffix(path, rest) || path == "" {
			path += rest
		}
	}
	path = stem + path
	return path, strings.HasPrefix(path, "/") && p.Matches(path) && q.Matches(path)
}
