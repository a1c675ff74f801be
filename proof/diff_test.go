package proof_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/brute"
	"github.com/robotsexclusion/robots/proof"
)

// paths are all short paths, and site stands before them when they are asked about.
var paths = brute.Paths()

const site = brute.Site

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for _, agent := range []string{"*", "FooBot", "BarBot"}[:1+r.IntN(3)] {
		b.WriteString("User-agent: " + agent + "\n")
		for range r.IntN(5) {
			b.WriteString([]string{"Disallow: ", "Allow: "}[r.IntN(2)] + randomPattern(r) + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func randomPattern(r *rand.Rand) string {
	parts := []string{"a", "b", "/", "ab", "a*b", "*", "*a", "/b"}
	pattern := []string{"/", "/", "/", "*", "/*"}[r.IntN(5)]
	for range r.IntN(4) {
		pattern += parts[r.IntN(len(parts))]
	}
	if r.IntN(3) == 0 {
		pattern += "$"
	}
	return pattern
}

// changeText changes some lines of a text.
func changeText(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + r.IntN(3) {
		switch i := r.IntN(len(lines)); r.IntN(3) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += []string{"Disallow: ", "Allow: "}[r.IntN(2)] + randomPattern(r) + "\n"
		default:
			j := r.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		}
	}
	return strings.Join(lines, "")
}

// TestDiff compares what Diff says with the answers for all short paths.
func TestDiff(t *testing.T) {
	r := rand.New(rand.NewPCG(1994, 2022))
	n := 3000
	if testing.Short() {
		n = 300
	}
	equal := 0
	for range n {
		d := robots.Dialects()[r.IntN(5)]
		text1 := randomText(r)
		text2 := randomText(r)
		if r.IntN(3) > 0 {
			text2 = changeText(r, text1)
		}
		before, after := d.Parse([]byte(text1)), d.Parse([]byte(text2))
		switch r.IntN(40) {
		case 0:
			before = robots.DisallowAll().In(d)
		case 1:
			after = robots.DisallowAll().In(d)
		}
		diff := proof.Diff(before, after, proof.Options{})
		if !diff.Decided() {
			t.Fatalf("%v: undecided for %q\n%s\n%s", d, diff.Undecided, text1, text2)
		}
		if diff.Equal() {
			equal++
		}
		for _, agent := range []string{"FooBot", "BarBot", "OtherBot"} {
			b, a := before.For(agent), after.For(agent)
			// Of a robot that no file names, "*" tells.
			if !strings.Contains(before.String()+after.String(), agent) {
				agent = "*"
			}
			var regions []proof.Region
			for _, c := range diff.Changes {
				if slices.Contains(c.Agents, agent) {
					for _, region := range c.Regions {
						if was, is := b.Allowed(site+region.Witness), a.Allowed(site+region.Witness); was == is || is != c.Opened {
							t.Fatalf("%v, %s: %v is no witness\n%s\n%s", d, agent, region, text1, text2)
						}
						regions = append(regions, region)
					}
				}
			}
			for _, path := range paths {
				was, is := b.Match(site+path), a.Match(site+path)
				in := 0
				for _, region := range regions {
					if region.Now && is.Rule == region.Rule || !region.Now && was.Rule == region.Rule || region.Rule.Line == 0 && was.Rule.Line+is.Rule.Line == 0 {
						in++
					}
				}
				if was.Allowed != is.Allowed && in == 0 {
					t.Fatalf("%v, %s: %s was %v and is %v, in no region of %v\n%s\n%s", d, agent, path, was, is, regions, text1, text2)
				}
			}
		}
	}
	t.Logf("%d of %d are equal", equal, n)
}
