package robots_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// FuzzNet compares nets with a search for each pattern in turn. The patterns share segments, and the
// paths contain these segments.
func FuzzNet(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(checkNet)
}

// TestNet runs FuzzNet with 1,000 fixed inputs, or 3,000 with ROBOTS_CORPUS_ALL.
func TestNet(t *testing.T) {
	n := corpus.Cases(1000, 3000)
	if testing.Short() {
		n = 500
	}
	for seed := range uint64(n) {
		checkNet(t, seed)
	}
}

func checkNet(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(9309, seed))
	segments := netSegments(r)
	var text strings.Builder
	text.WriteString("User-agent: a\n")
	for range r.IntN(80) {
		if r.IntN(20) == 0 {
			text.WriteString("User-agent: a\n")
		}
		text.WriteString([]string{"Allow:", "Disallow:"}[r.IntN(2)])
		text.WriteString([]string{"", "/", "/", "/" + segments[0], "/" + segments[len(segments)/2]}[r.IntN(5)])
		for range r.IntN(1 + r.IntN(6)) {
			text.WriteString(strings.Repeat("*", 1+r.IntN(30)/29))
			text.WriteString(segments[r.IntN(len(segments))])
		}
		text.WriteString([]string{"", "", "*", "$"}[r.IntN(4)])
		text.WriteString("\n")
	}
	for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
		group := d.Parse([]byte(text.String())).For("a")
		group.UseNets()
		for range 5 {
			var url strings.Builder
			url.WriteString("/")
			for range r.IntN(1 + r.IntN(20)) {
				url.WriteString(segments[r.IntN(len(segments))])
			}
			got, want := group.Match(url.String()), matchPatterns(d, group, url.String())
			if got != want {
				t.Fatalf("%v: seed %d: %.5000q for %q: got %v, want %v", d, seed, text.String(), url.String(), got, want)
			}
		}
	}
}

// netSegments returns texts that overlap in many ways: short texts of few letters, periodic texts,
// and long texts that differ at one place.
func netSegments(r *rand.Rand) []string {
	var segments []string
	most := []int{2, 8, 20, 64, 66, 130, 300}[r.IntN(7)]
	letters := []string{"a", "ab", "abc", "/a", "ab%2F"}[r.IntN(5)]
	for range 1 + r.IntN(20) {
		part := ""
		for range 1 + r.IntN(3) {
			part += string(letters[r.IntN(len(letters))])
		}
		s := strings.Repeat(part, 1+r.IntN(most))[:1+r.IntN(most)%len(part)]
		if n := 1 + r.IntN(most); r.IntN(2) == 0 {
			s = strings.Repeat(part, n)[:n]
		}
		if r.IntN(3) == 0 {
			i := r.IntN(len(s))
			s = s[:i] + "b" + s[i:]
		}
		segments = append(segments, s)
	}
	return segments
}

// matchPatterns gives the answer of Group.Match for a path by a search for each pattern.
func matchPatterns(d robots.Dialect, group *robots.Group, url string) robots.Match {
	want := robots.Match{Allowed: true, Reason: robots.NoRule}
	heaviest, path := -1, d.Path(url)
	for rule, pattern := range group.Patterns() {
		weight := 2 * pattern.Bytes
		if rule.Allow {
			weight++
		}
		if weight > heaviest && pattern.Matches(path) {
			heaviest = weight
			want = robots.Match{Allowed: rule.Allow, Reason: robots.DecidingRule, Rule: rule}
		}
	}
	return want
}

// TestHostileAnswers matches the URLs of hostile files, in the form of each group's index, and
// compares the answers with those of a search for each pattern. Without ROBOTS_CORPUS_ALL each file is
// read in one of the two dialects.
func TestHostileAnswers(t *testing.T) {
	for i, h := range hostileWilds() {
		for k, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			if testing.Short() && (i+k)%4 > 0 || !corpus.All() && (i+k)%2 > 0 {
				continue
			}
			group := d.Parse([]byte(h.text)).For("a")
			for _, url := range h.urls {
				if got, want := group.Match(url), matchPatterns(d, group, url); got != want {
					t.Errorf("%s, %v: for %.50q...: got %v, want %v", h.name, d, url, got, want)
				}
			}
		}
	}
}
