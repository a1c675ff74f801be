package proof

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/pathset"
)

// maxSearches is how many searches may reach the limit.
const maxSearches = 4

// A purse is what searches may spend, each and all together.
type purse struct {
	each  int
	total int // states
	bytes int // of patterns that may be compared with others
}

// patternBytes is how many bytes of patterns are compared for one state of the
// limit.
const patternBytes = 1 << 12

func (o Options) purse() *purse {
	each := cmp.Or(max(o.Limit, 0), pathset.DefaultLimit)
	return &purse{each, each * maxSearches, each * maxSearches * patternBytes}
}

// quickStates is how many states a search looks at before paths are guessed: up to
// that many, the shortest example is found in no more time.
const quickStates = 256

// example looks for an example of a set in which all paths match a pattern. The
// rivals are patterns of rules that may decide its paths for one side of the question.
//
// The shortest path that matches is tried first. A search that takes long mostly
// finds a path after it has compared all others that are as short, so such paths are
// guessed before it is completed.
func (p *purse) example(s pathset.Set, of robots.Pattern, rivals iter.Seq[robots.Pattern]) (path string, ok bool, err error) {
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

// maxGuessed is how many paths are guessed.
const maxGuessed = 64

// guesses returns paths that match a pattern, and each one that matches a rival too.
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

// noPatterns has none.
func noPatterns(func(robots.Pattern) bool) {}

// patternsOf returns the patterns of those rules that allow, or of those that do not.
func patternsOf(rules *pathset.Rules, allow bool) iter.Seq[robots.Pattern] {
	return func(yield func(robots.Pattern) bool) {
		for rule, p := range rules.All() {
			if rule.Allow == allow && !yield(p) {
				return
			}
		}
	}
}

// under returns rules as they answer for paths that a pattern matches: of those that
// one rule matches all of, no rule after it decides any.
func (p *purse) under(of robots.Pattern, rules *pathset.Rules) *pathset.Rules {
	return p.underBut(robots.Rule{}, of, rules)
}

// decidedBy returns the paths that a pattern of a rule decides among rules.
func (p *purse) decidedBy(rule robots.Rule, of robots.Pattern, rules *pathset.Rules) pathset.Set {
	return p.underBut(rule, of, rules).Decided(func(r robots.Rule, q robots.Pattern) bool { return r == rule && q == of })
}

// underBut is under, but that a rule itself ends nothing.
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

// covers reports whether p matches all paths that q does, as far as that is seen
// at once.
func covers(p, q robots.Pattern) bool { return p.Matches(typical(q)) }

// open stands for any text, and is never in a pattern in normal form.
const open = "\xff"

// typical returns a text such that patterns which match it match all paths that q
// does: the text of q, with bytes that nothing but a "*" matches for what is open.
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

// simplest returns a short path that a pattern matches, with a letter where two
// slashes would meet. It may not be in normal form.
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

// inBoth returns a path that two patterns match, if a simple one does.
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
