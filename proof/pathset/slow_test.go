package pathset_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// paths are all short paths, and site stands before them when they are asked about.
var paths = corpus.ShortPaths()

const site = corpus.Site

// randomText returns a robots.txt of some rules over the alphabet of paths.
func randomText(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for range r.IntN(6) {
		b.WriteString([]string{"Disallow: ", "Allow: "}[r.IntN(2)] + randomPattern(r) + "\n")
	}
	return b.String()
}

func randomPattern(r *rand.Rand) string {
	parts := []string{"a", "b", "/", "ab", "aa", "a*b", "*", "*", "*a", "/b", "aba"}
	pattern := []string{"/", "/", "/", "*", "/*", ""}[r.IntN(6)]
	for range r.IntN(5) {
		pattern += parts[r.IntN(len(parts))]
	}
	if r.IntN(3) == 0 {
		pattern += "$"
	}
	return pattern
}

// TestSlow compares sets with what the matcher says about all short paths: for 1,000 generated
// pairs of files, or 3,000 with ROBOTS_CORPUS_ALL.
func TestSlow(t *testing.T) {
	r := rand.New(rand.NewPCG(9309, 2022))
	n := corpus.Cases(600, 3000)
	if testing.Short() {
		n = 300
	}
	for range n {
		d := robots.Dialects()[r.IntN(len(robots.Dialects()))]
		text1, text2, pattern := randomText(r), randomText(r), randomPattern(r)
		g1, g2 := d.Parse([]byte(text1)).For("FooBot"), d.Parse([]byte(text2)).For("FooBot")
		// The answers for the short paths, which each of the sets below needs again.
		answers1, answers2 := make(map[string]bool, len(paths)), make(map[string]bool, len(paths))
		for _, path := range paths {
			answers1[path], answers2[path] = g1.Allowed(site+path), g2.Allowed(site+path)
		}
		allowed1 := func(path string) bool {
			in, short := answers1[path]
			return in || !short && g1.Allowed(site+path)
		}
		allowed2 := func(path string) bool {
			in, short := answers2[path]
			return in || !short && g2.Allowed(site+path)
		}
		s1, s2, s3 := pathset.Allowed(g1), pathset.Allowed(g2), pathset.Of(d, pattern)
		matches := d.Pattern(pattern).Matches
		for name, test := range map[string]struct {
			set pathset.Set
			in  func(path string) bool
		}{
			"allowed":    {s1, allowed1},
			"disallowed": {s1.Complement(), func(p string) bool { return !allowed1(p) }},
			"pattern":    {s3, matches},
			"closed":     {s1.Minus(s2), func(p string) bool { return allowed1(p) && !allowed2(p) }},
			"both":       {s1.Intersect(s2), func(p string) bool { return allowed1(p) && allowed2(p) }},
			"either":     {s1.Union(s2), func(p string) bool { return allowed1(p) || allowed2(p) }},
			"neither, pattern": {s1.Union(s2).Complement().Intersect(s3), func(p string) bool {
				return !allowed1(p) &&
					!allowed2(p) && matches(p)
			}},
			"differ, no match": {s1.Minus(s2).Union(s2.Minus(s1)).Minus(s3),
				func(p string) bool { return allowed1(p) != allowed2(p) && !matches(p) }},
		} {
			shortest := ""
			for _, path := range paths {
				in := test.in(path)
				if in && shortest == "" {
					shortest = path
				}
				if test.set.Contains(path) != in {
					t.Fatalf("%s, %v: %s is in: %t\n%s\n%s\n%s", name, d, path, !in, text1, text2, pattern)
				}
			}
			example, ok, err := test.set.Example(0)
			switch {
			case err != nil:
				t.Fatalf("%s, %v: %v\n%s\n%s\n%s", name, d, err, text1, text2, pattern)
			case !ok && shortest != "":
				t.Fatalf("%s, %v: no example, want %s\n%s\n%s\n%s", name, d, shortest, text1, text2, pattern)
			case !ok:
			case !test.in(example) || !test.set.Contains(example) || d.Path(site+example) != example:
				t.Fatalf("%s, %v: wrong example %s\n%s\n%s\n%s", name, d, example, text1, text2, pattern)
			case shortest != "" && len(example) > len(shortest):
				t.Fatalf("%s, %v: example %s, but %s is shorter\n%s\n%s\n%s", name, d, example, shortest, text1, text2,
					pattern)
			}
		}
		for rule := range g1.Rules() {
			set := pathset.Compile(g1).Decided(func(r robots.Rule, _ robots.Pattern) bool { return r == rule })
			example, ok, err := set.Example(0)
			if err != nil || ok && g1.Match(site+example).Rule != rule {
				t.Fatalf("%v: %v decides for %s, %v: %v\n%s", d, rule, example, err, g1.Match(site+example), text1)
			}
			for _, path := range paths {
				if in := g1.Match(site+path).Rule == rule; in && !ok || set.Contains(path) != in {
					t.Fatalf("%v: %v decides for %s: %t; there is an example: %t\n%s", d, rule, path, in, ok, text1)
				}
			}
		}
	}
}

// TestBy compares rules in an order of their own with trying each of them.
func TestBy(t *testing.T) {
	r := rand.New(rand.NewPCG(500, 2048))
	for range 100 {
		g := robots.Parse([]byte(randomText(r))).For("FooBot")
		weights := make(map[int]int) // by line
		for rule := range g.Rules() {
			weights[rule.Line] = r.IntN(4)
		}
		set := pathset.Compile(g).By(func(rule robots.Rule,
			_ robots.Pattern) int {
			return weights[rule.Line]
		}).Allowed()
		for _, path := range paths {
			allowed, heaviest := true, -1
			for rule, p := range g.Patterns() {
				if w := weights[rule.Line]; p.Matches(path) && (w > heaviest || w == heaviest && rule.Allow) {
					allowed, heaviest = rule.Allow, w
				}
			}
			if set.Contains(path) != allowed {
				t.Fatalf("%s: got %t, want %t\n%v", path, !allowed, allowed, weights)
			}
		}
		if !set.Contains("/robots.txt") {
			t.Fatal("/robots.txt is not allowed")
		}
	}
}

// TestUntil compares rules up to one that matches all paths of a pattern with all
// rules, on these paths.
func TestUntil(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	cut := 0
	for range 1000 {
		d := robots.Dialects()[r.IntN(len(robots.Dialects()))]
		g := d.Parse([]byte(randomText(r))).For("FooBot")
		pattern := randomPattern(r)
		matches := d.Pattern(pattern).Matches
		covers := func(rule robots.Rule, _ robots.Pattern) bool {
			empty, err := pathset.Of(d, pattern).Minus(pathset.Of(d, rule.Pattern)).Empty(0)
			return empty && err == nil
		}
		all := pathset.Compile(g)
		until := all.Until(covers)
		count := func(rules *pathset.Rules) (n int) {
			for range rules.All() {
				n++
			}
			return n
		}
		if count(until) < count(all) {
			cut++
		}
		for _, path := range paths {
			if matches(path) && until.Allowed().Contains(path) != g.Allowed(site+path) {
				t.Fatalf("%v: of the paths of %s, %s is allowed: %t, want %t\n%v", d, pattern, path,
					!g.Allowed(site+path), g.Allowed(site+path), g)
			}
		}
		example, ok, err := until.Allowed().Intersect(pathset.Of(d, pattern)).Example(0)
		if err != nil || ok && !(matches(example) && g.Allowed(site+example)) {
			t.Fatalf("%v: %s, %t, %v is not an example of %s\n%v", d, example, ok, err, pattern, g)
		}
	}
	if cut < 50 {
		t.Errorf("only %d of 1000 groups have rules after one that covers", cut)
	}
}

// TestNeverRaw: no example has a byte that a URL may have percent-encoded only,
// and a pattern with such a byte is the pattern with it encoded.
func TestNeverRaw(t *testing.T) {
	for _, raw := range []string{" ", "\t", "\x00", "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "\x7f"} {
		encoded := fmt.Sprintf("%%%02X", raw[0])
		a := pathset.Of(robots.RFC9309, "/a"+raw+"*b")
		b := pathset.Of(robots.RFC9309, "/a"+encoded+"*b")
		if path, ok, err := a.Minus(b).Union(b.Minus(a)).Example(0); ok || err != nil {
			t.Errorf("%q and %q differ on %q, %v", raw, encoded, path, err)
		}
		if path, ok, err := a.Example(0); path != "/a"+encoded+"b" || !ok || err != nil {
			t.Errorf("an example for %q is %q, %t, %v", raw, path, ok, err)
		}
	}
	// Without all other bytes that may follow, only raw ones would be left.
	rest := pathset.Of(robots.RFC9309, "/a")
	for c := range 256 {
		if raw := string([]byte{byte(c)}); c != '*' && c != '$' && c != '#' {
			rest = rest.Minus(pathset.Of(robots.RFC9309, "/a"+raw))
		}
	}
	rest = rest.Minus(pathset.Of(robots.RFC9309, "/a$")).Minus(pathset.Of(robots.RFC9309, "/a%"))
	if path, ok, err := rest.Example(0); ok || err != nil {
		t.Errorf("there is an example, %q, %v", path, err)
	}
}
