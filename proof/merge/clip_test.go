package merge

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// TestClipped compares the intersection of two patterns with the answers for all short paths: of
// 1,000 generated pairs, or 3,000 with ROBOTS_CORPUS_ALL.
func TestClipped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "/", "ab", "*", "*a", "*b", "*/b", "*ab"}
	random := func(n int) string {
		text := "/"
		for range r.IntN(n) {
			text += parts[r.IntN(len(parts))]
		}
		return text
	}
	for range corpus.Cases(1000, 3000) {
		closed, rule := robots.RFC9309.Pattern([]string{"/", "/a", "/a/", "/ab", "/aba/b", "/bb"}[r.IntN(6)]),
			robots.RFC9309.Pattern(random(5)+[]string{"", "$"}[r.IntN(2)])
		if slices.Collect(rule.Segments()) == nil || strings.HasPrefix(rule.Stem, closed.String()) {
			continue // it is shorter than the path, or within it
		}
		var patterns []robots.Pattern
		for _, text := range clipped(closed, rule) {
			patterns = append(patterns, robots.RFC9309.Pattern(text))
		}
		for _, path := range corpus.ShortPaths() {
			both := closed.Matches(path) && rule.Matches(path)
			if is := slices.ContainsFunc(patterns, func(p robots.Pattern) bool { return p.Matches(path) }); is != both {
				t.Fatalf("%v and %v: %s is in both: %t; in %v: %t", closed, rule, path, both, patterns, is)
			}
		}
	}
}
